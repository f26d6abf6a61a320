import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { HttpDefinition } from '../../../config/definition.ts';
import { receiverOf } from '../../../config/receiver.ts';
import type { NativeText } from '../../../elicitation/display.ts';
import { keyOf } from '../../../elicitation/json.ts';
import type { ClientRequest, NoAnswer, Redirect, Secret, SignIn, SignInRequest, Visit } from '../../../mcp/index.ts';
import { showUntilAccepted } from '../../common/guardedPicker.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify, showProgress } from '../../common/notifications.ts';
import { openExternally } from '../../common/openExternally.ts';
import type { ConfiguredServer } from '../../common/serverEntry.ts';
import { setting } from '../../common/settings.ts';
import { createInputBox, type NativeBox } from '../../common/surfaces.ts';
import type { Servers } from '../servers.ts';
import { loopbackRedirect } from './loopback.ts';
import { PendingRedirects, readQuery } from './pendingRedirects.ts';
import { askConsent } from './signInConsent.ts';

/** Max time for a sign-in (ms). */
const SIGN_IN_TIMEOUT = 10 * 60_000;

/** Signs the user in to HTTP servers: consent, the user's browser, the redirect. */
export class SignIns implements SignIn, vscode.Disposable {
	readonly #uris: UriRedirects;

	/**
	 * @param configuredOf what has a name now
	 * @param machine identifies the machine that local servers are on
	 */
	constructor(
		extension: string,
		private readonly secrets: vscode.SecretStorage,
		private readonly configuredOf: (server: string) => ConfiguredServer | undefined,
		private readonly machine: () => string,
	) {
		this.#uris = new UriRedirects(extension);
	}

	/** A server of the same name from another source has its own secret, and so has one on another machine. */
	secret(server: string): Secret {
		const { secrets } = this;
		const { source, definition } = this.configuredOf(server) ?? {};
		const machine = definition && receiverOf(definition).isLocal ? [this.machine()] : [];
		const key = keyOf('signIn', source?.uri ?? '', ...machine, server);
		return {
			read: () => secrets.get(key),
			write: (value) => secrets.store(key, value),
			remove: () => secrets.delete(key),
		};
	}

	/**
	 * Picks the redirect URI. The loopback interface (RFC 8252) is best for a local program: every authorization server
	 * accepts it, and clients that were registered in advance can rely on it. If the extension does not run on the
	 * browser's computer, it needs a forwarded port, while the editor's URI scheme finds its window without one.
	 */
	redirect(
		{ oauth = {} }: HttpDefinition,
		issuer: string,
		earlier: readonly string[],
		isOwn: boolean,
	): Promise<Redirect> {
		const { clientMetadataUrl, callbackPort } = oauth;
		const declared = isOwn || clientMetadataUrl !== undefined || callbackPort !== undefined;
		// A client registered by the user has one fixed redirect URI.
		const path = declared ? '/callback' : pathOf(issuer);
		return declared || !isRemote() ? loopbackRedirect(path, callbackPort, earlier) : this.#uris.open(path);
	}

	consent(request: SignInRequest): Promise<boolean> {
		return askConsent(request, {
			insecure: setting('url.allowInsecure'),
			serverHost: new URL(request.serverUrl).hostname,
			remoteWindow: isRemote(),
		});
	}

	async visit({ server, url, state }: Visit, redirect: Redirect, signal: AbortSignal) {
		const title = localizeNative('{0}: Waiting for you to sign in at {1}…', server, new URL(url).host);
		return showProgress(title, async (_progress, cancelled): Promise<URLSearchParams | NoAnswer> => {
			const end = new AbortController();
			const late = setTimeout(() => end.abort('late'), SIGN_IN_TIMEOUT);
			const subscription = cancelled.onCancellationRequested(() => end.abort('abandoned'));
			const stop = () => end.abort(signal.reason);
			signal.addEventListener('abort', stop, { once: true });
			try {
				// Must come first, because the redirect may arrive immediately.
				const answer = redirect.answer(state, end.signal);
				void openExternally(url).then((opened) => opened || end.abort('unopened'));
				return await answer;
			} catch (error) {
				if (error === 'late' || error === 'abandoned' || error === 'unopened') {
					return error;
				}
				throw error;
			} finally {
				clearTimeout(late);
				subscription.dispose();
				signal.removeEventListener('abort', stop);
			}
		});
	}

	clientId({ server, issuer, redirectUrl, refusal }: ClientRequest, signal: AbortSignal) {
		const prompt =
			refusal === undefined
				? localizeNative(
						'It knows only clients that are registered there. Register one that returns to {0}',
						redirectUrl,
					)
				: localizeNative(
						'It does not let this client register ({0}) Register one yourself that returns to {1}',
						refusal,
						redirectUrl,
					);
		const placeholder = localize('The client id that you got there');
		return promptUntil(signal, server, issuer, prompt, placeholder, (box) => box.value.trim() || undefined);
	}

	clientSecret(server: string, issuer: string, clientId: string, signal: AbortSignal) {
		const prompt = localizeNative('The secret of the client "{0}", if it has one', clientId);
		const placeholder = localize('Leave it empty for a client without a secret');
		return promptUntil(signal, server, issuer, prompt, placeholder, (box) => box.value, true);
	}

	dispose(): void {
		this.#uris.dispose();
	}
}

/** Prompts for something about a client. Closed when the signal aborts. */
function promptUntil(
	signal: AbortSignal,
	server: string,
	issuer: string,
	prompt: NativeText,
	placeholder: NativeText,
	accepted: (box: NativeBox) => string | undefined,
	password = false,
): Promise<string | undefined> {
	const box = createInputBox();
	box.title = localizeNative('{0}: sign-in at {1}', server, issuer);
	box.prompt = prompt;
	box.placeholder = placeholder;
	box.password = password;
	box.ignoreFocusOut = true;
	return showUntilAccepted(box, { accepted: () => accepted(box), signal });
}

/** A separate path for each issuer, so that the response of another issuer is not accepted. */
function pathOf(issuer: string): string {
	return `/callback/${createHash('sha256').update(issuer).digest('hex').slice(0, 16)}`;
}

/** True if extensions and browser run on different computers, or might. */
function isRemote(): boolean {
	return vscode.env.remoteName !== undefined || vscode.env.uiKind === vscode.UIKind.Web;
}

/** The command `signOut`: stops a server and deletes its tokens. */
export async function signOut(servers: Servers, signIns: SignIns, name: string): Promise<void> {
	await servers.stop(name);
	// Only a connection of this window can revoke the tokens at the authorization server.
	await servers.get(name)?.connection?.signOut();
	await signIns.secret(name).remove();
	void notify('information', localizeNative('You are signed out of "{0}".', name));
}

/** Receives redirects through the editor's URI scheme, which reaches the right window wherever its extensions run. */
export class UriRedirects implements vscode.UriHandler, vscode.Disposable {
	/** Pending sign-ins by path of the redirect URI. */
	readonly #pending = new Map<string, PendingRedirects>();
	readonly #registration = vscode.window.registerUriHandler(this);

	/** @param extension id of this extension */
	constructor(private readonly extension: string) {}

	async open(path: string): Promise<Redirect> {
		const redirects = this.#pending.get(path) ?? new PendingRedirects();
		this.#pending.set(path, redirects);
		const uri = vscode.Uri.parse(`${vscode.env.uriScheme}://${this.extension}${path}`);
		const external = await vscode.env.asExternalUri(uri);
		return {
			// Encoding it again would change the URI.
			url: external.toString(true),
			answer: (state, signal) => redirects.wait(state, signal),
			dispose: () => {},
		};
	}

	handleUri({ path, query }: vscode.Uri): void {
		if (!this.#pending.get(path)?.take(readQuery(query, vscode.env.uiKind === vscode.UIKind.Web))) {
			// The window may have been reloaded since the browser was opened, whose page says that all is done.
			void notify(
				'information',
				localizeNative(
					'No server is waiting for this sign-in. If one still needs it, start the server and sign in again.',
				),
			);
		}
	}

	dispose(): void {
		this.#registration.dispose();
	}
}

import * as vscode from 'vscode';
import type * as api from '../../api.ts';
import type { AutoResponder } from '../../elicitation/autoResponders.ts';
import { joinLines, visibleOnOneLine } from '../../elicitation/display.ts';
import type { Elicitation, ElicitationResponse } from '../../elicitation/elicitation.ts';
import { isObject, type JsonObject, jsonCopy, keyOf } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { ResponderInfo } from '../../elicitation/responderInfo.ts';
import { elicitationInfo, frozenCopy } from '../api/snapshots.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { showModal } from '../common/notifications.ts';
import type { ConfiguredServer, Source } from '../common/serverEntry.ts';
import { kept } from '../common/settings.ts';
import { fromWorkspace, sourceText } from '../servers/configSource.ts';
import type { ResponderSource, ShownResponder } from './shownResponders.ts';

const KEY = 'agreedExtensions';

/** Another extension, with all the answerers it has registered. */
interface ExtensionResponder {
	readonly id: string;
	/** Display name and id. */
	readonly name: string;
	readonly registrations: Set<Registration>;
}

/** One answerer of an extension. */
class Registration {
	#released = new AbortController();

	get released(): AbortSignal {
		return this.#released.signal;
	}

	/** The elicitations that wait for the answerer go on without it. */
	release(): void {
		this.#released.abort();
		this.#released = new AbortController();
	}
}

/** What the user decides about: an extension, and which servers it responds to. */
interface Grant {
	readonly id: string;
	/** The user's own servers in every workspace, or those that a source of this workspace defines. */
	readonly source: Source | undefined;
}

/** The user's consent, by extension: to their own servers, and to those of these sources of the workspace. */
type Consents = Readonly<Record<string, readonly string[]>>;

/**
 * Answerers registered by other extensions. Each extension needs the user's consent once for their own servers, and once for each
 * source of a workspace that defines servers.
 */
export class ExtensionResponders implements ResponderSource, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #responders = new Map<string, ExtensionResponder>();
	/** What the user refused in this window, and the extensions that they stopped. */
	readonly #refused = new Set<string>();
	readonly #stopped = new Set<string>();
	readonly #asking = new Map<string, Promise<void>>();

	readonly onDidChange = this.#changed.event;

	/**
	 * @param memory where consent for the user's own servers is
	 * @param workspace where it is for others: the same path in another container is another workspace
	 * @param configuredOf what has a name now
	 */
	constructor(
		private readonly registry: Registry,
		private readonly memory: vscode.Memento,
		private readonly workspace: vscode.Memento,
		private readonly configuredOf: (server: string) => ConfiguredServer | undefined,
	) {}

	get responders(): readonly ShownResponder[] {
		const active = [...this.#responders.values()].filter(({ registrations }) => registrations.size > 0);
		return active.map((responder) => this.#shown(responder));
	}

	responderOf({ kind, name }: ResponderInfo): ShownResponder | undefined {
		const responder = [...this.#responders.values()].find((each) => kind === 'extension' && each.name === name);
		return responder && this.#shown(responder);
	}

	add(answerer: api.Answerer): vscode.Disposable {
		const responder = this.#responder(answerer.id);
		const registration = new Registration();
		const added = this.registry.autoResponders.add(this.#toAutoResponder(responder, registration, answerer));
		responder.registrations.add(registration);
		this.#changed.fire();
		return new vscode.Disposable(() => {
			added.dispose();
			registration.release();
			responder.registrations.delete(registration);
			this.#changed.fire();
		});
	}

	dispose(): void {
		this.#changed.dispose();
	}

	#responder(id: string): ExtensionResponder {
		const extension = vscode.extensions.getExtension(id);
		const known = this.#responders.get(extension?.id ?? id);
		if (known) {
			return known;
		}
		const title: unknown = extension?.packageJSON?.displayName;
		const name = typeof title === 'string' && title !== '' ? `${title} (${id})` : id;
		const responder = { id: extension?.id ?? id, name, registrations: new Set<Registration>() };
		this.#responders.set(responder.id, responder);
		return responder;
	}

	#toAutoResponder(responder: ExtensionResponder, registration: Registration, answerer: api.Answerer): AutoResponder {
		const servers = answerer.servers && new Set(answerer.servers);
		return {
			responder: { kind: 'extension', name: responder.name },
			get released() {
				return registration.released;
			},
			respond: async (elicitation, signal) => {
				const configured = this.configuredOf(elicitation.origin.server);
				// What takes the place of the user's server is not what the extension means by its name.
				const isMeant = configured && (!servers || (servers.has(configured.name) && !configured.replacesOwn));
				if (!isMeant || !responder.registrations.has(registration)) {
					return undefined;
				}
				const { source } = configured;
				const grant = { id: responder.id, source: fromWorkspace(source) ? source : undefined };
				if (!(await this.#obtainConsent(responder, grant, elicitation)) || signal.aborted) {
					return undefined;
				}
				const result = await answerer.answer(elicitationInfo(elicitation), signal);
				return result && this.#hasConsent(grant) ? decisionOf(result) : undefined;
			},
		};
	}

	#hasConsent(grant: Grant): boolean {
		const { id, source } = grant;
		const given = source ? this.#inWorkspace[id]?.includes(source.uri) : this.#consented.includes(id);
		return given === true && !this.#isRefused(grant);
	}

	#isRefused({ id, source }: Grant): boolean {
		return this.#stopped.has(id) || this.#refused.has(keyOf(id, source?.uri));
	}

	/** Asks the user, unless already decided. Asks once even if several elicitations wait for the decision. */
	async #obtainConsent(responder: ExtensionResponder, grant: Grant, elicitation: Elicitation): Promise<boolean> {
		if (!this.#hasConsent(grant) && !this.#isRefused(grant)) {
			const key = keyOf(grant.id, grant.source?.uri);
			const asking =
				this.#asking.get(key) ?? this.#ask(responder, grant, elicitation).finally(() => this.#asking.delete(key));
			this.#asking.set(key, asking);
			await asking;
		}
		return this.#hasConsent(grant);
	}

	async #ask({ id, name }: ExtensionResponder, grant: Grant, { origin, request }: Elicitation): Promise<void> {
		const agree = localize('Allow');
		const choice = await showModal(
			'warning',
			localizeNative('Allow the extension {0} to respond on your behalf?', name),
			[
				localize(
					'An extension that identifies itself as {0} requests this. The editor cannot prove which extension it is.',
					visibleOnOneLine(id),
				),
				grant.source
					? localize(
							'It receives the requests of the MCP servers that this workspace defines ({0}), and its responses are sent without asking you.',
							visibleOnOneLine(sourceText(grant.source)),
						)
					: localize(
							'It receives the requests of your own MCP servers, and its responses are sent without asking you.',
						),
				localize(
					'Current request from {0}: {1}',
					visibleOnOneLine(origin.server),
					joinLines(request.message).slice(0, 300),
				),
			].join('\n'),
			agree,
		);
		if (choice === agree) {
			await this.#give(grant);
		} else {
			this.#refused.add(keyOf(id, grant.source?.uri));
		}
		this.#changed.fire();
	}

	async #give({ id, source }: Grant): Promise<void> {
		if (source) {
			const others = this.#inWorkspace[id] ?? [];
			await this.workspace.update(KEY, { ...this.#inWorkspace, [id]: [...others, source.uri] });
		} else {
			await this.memory.update(KEY, [...this.#consented, id]);
		}
	}

	async #takeBack(id: string): Promise<void> {
		const { [id]: _, ...rest } = this.#inWorkspace;
		await this.workspace.update(KEY, rest);
		await this.memory.update(
			KEY,
			this.#consented.filter((other) => other !== id),
		);
	}

	#shown(responder: ExtensionResponder): ShownResponder {
		const { id, name } = responder;
		const consented = this.#consented.includes(id) || this.#inWorkspace[id] !== undefined;
		const revoke = async () => {
			for (const registration of responder.registrations) {
				registration.release();
			}
			await this.#takeBack(id);
			this.#changed.fire();
		};
		return {
			key: `extension:${id}`,
			kind: 'extension',
			name,
			detail:
				consented && !this.#stopped.has(id) ? localize('responds with your consent') : localize('needs your consent'),
			...(consented && { revoke }),
			show: async () => {
				await vscode.commands.executeCommand('extension.open', id);
			},
			stop: async () => {
				this.#stopped.add(id);
				await revoke();
			},
		};
	}

	/** The extensions that may respond to the user's own servers. */
	get #consented(): readonly string[] {
		return kept<readonly string[]>(this.memory, KEY, []);
	}

	get #inWorkspace(): Consents {
		const consents = Object.entries(kept<Consents>(this.workspace, KEY, {}));
		return Object.fromEntries(consents.filter(([, sources]) => Array.isArray(sources)));
	}
}

/** Validates an extension's result, because it may be written in plain JavaScript. */
function decisionOf(result: api.AnswererResult): ElicitationResponse {
	const { action } = result;
	switch (action) {
		case 'accept': {
			const content: unknown = frozenCopy(jsonCopy(result.content ?? {}));
			if (!isObject(content)) {
				throw new TypeError(localize('Its content is not an object.'));
			}
			return { action, content: content as JsonObject };
		}
		case 'decline':
		case 'cancel':
			return { action };
		case 'error':
			if (!Number.isSafeInteger(result.code)) {
				throw new TypeError(localize('The code of its error is not a whole number.'));
			}
			return { action, code: result.code, message: String(result.message) };
		default:
			throw new TypeError(localize('What it returned is not a response.'));
	}
}

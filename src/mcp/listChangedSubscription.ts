import { type AuthProvider, InsufficientScopeError } from '@modelcontextprotocol/client';
import { sameJson } from '../elicitation/form/flatten.ts';
import type { Json, JsonObject } from '../elicitation/json.ts';
import { SignInNeeded } from './auth/signIn.ts';
import type { Client } from './client.ts';
import { retryAfterIn } from './explainHttp.ts';
import { pauseBefore, type StreamEvents, waitForSignIn } from './http/reopening.ts';
import { RequestTimedOut } from './wire/failure.ts';

/** Max time for a server to acknowledge a subscription before the start continues without it (ms). */
const SUBSCRIBE_TIMEOUT = 10_000;

/** A stream that ends sooner is opened again after a longer and longer delay (ms). */
const BRIEF = 60_000;

/**
 * Subscribes to list changes in revision 2026-07-28, in which the server streams them in one long response.
 * Subscribes again whenever the stream is cut.
 */
export class ListChangedSubscription {
	readonly #end = new AbortController();
	/** How many streams in a row ended too soon. */
	#brief = 0;

	constructor(
		private readonly client: Client,
		private readonly tell: StreamEvents & { info(line: string): void },
		/** Whether an error means that the server has been replaced. */
		private readonly hasExpired: (error: unknown) => boolean,
		/** Absent if nobody can sign in. */
		private readonly authProvider: AuthProvider | undefined,
	) {}

	/**
	 * Subscribes if the server announces list changes. Rejects only if it requires a sign-in first. The connection works
	 * without a subscription.
	 */
	async open(): Promise<void> {
		if (Object.keys(this.#filter()).length === 0) {
			return;
		}
		try {
			await this.#listen();
		} catch (error) {
			if (error instanceof SignInNeeded) {
				throw error;
			}
			if (error instanceof InsufficientScopeError && this.authProvider) {
				this.tell.lost(error);
				void this.#openAgain(0);
				return;
			}
			this.tell.info(
				`The server does not tell when its lists change: ${error instanceof Error ? error.message : error}`,
			);
		}
	}

	close(): void {
		this.#end.abort();
	}

	#filter(): JsonObject {
		const { tools, prompts, resources } = this.client.capabilities ?? {};
		return {
			...(tools?.listChanged && { toolsListChanged: true }),
			...(prompts?.listChanged && { promptsListChanged: true }),
			...(resources?.listChanged && { resourcesListChanged: true }),
		};
	}

	/** Resolves when the server has acknowledged the subscription. Its response comes when the subscription ends. */
	async #listen(): Promise<void> {
		const { signal } = this.#end;
		const silence = new AbortController();
		const timer = setTimeout(() => silence.abort(new RequestTimedOut(SUBSCRIBE_TIMEOUT)), SUBSCRIBE_TIMEOUT);
		try {
			await new Promise<void>((acknowledged, reject) => {
				let since: number | undefined;
				const ended = (reason: unknown) => {
					reject(reason);
					if (since !== undefined && !signal.aborted) {
						this.#brief = performance.now() - since < BRIEF ? this.#brief + 1 : 0;
						void this.#openAgain(Math.max(this.#brief - 1, 0));
					}
				};
				this.client
					.request(
						'subscriptions/listen',
						{ notifications: this.#filter() },
						{
							signal: silence.signal,
							acknowledged: () => {
								since ??= performance.now();
								acknowledged();
							},
						},
					)
					.then(() => ended(new Error('The server has ended the subscription.')), ended);
			});
		} finally {
			clearTimeout(timer);
		}
	}

	/** The server may have been replaced by one with other capabilities, which only a new session would use. */
	async #compare(): Promise<void> {
		const found = await this.client.discover().catch(() => undefined);
		if (found && !this.#end.signal.aborted && !sameJson(found as Json, this.client.capabilities as Json)) {
			this.tell.forgotten();
		}
	}

	/** @param brief how many streams ended too soon before this one */
	async #openAgain(brief: number): Promise<void> {
		/** How long a busy server demands to wait (ms). */
		let demanded = 0;
		const token = () => this.authProvider?.token().catch(() => undefined);
		let refused = await token();
		for (let attempt = 0; ; attempt++) {
			try {
				await waitForSignIn(pauseBefore(brief + attempt, demanded), refused, this.#end.signal, this.authProvider);
				// The user may sign in while this attempt is being refused.
				refused = await token();
				await this.#listen();
				this.tell.found();
				await this.#compare();
				return;
			} catch (error) {
				if (this.#end.signal.aborted) {
					return;
				}
				if (this.hasExpired(error)) {
					this.tell.forgotten();
					return;
				}
				this.tell.lost(error);
				demanded = 1_000 * (retryAfterIn(error) ?? 0);
			}
		}
	}
}

import * as vscode from 'vscode';
import type { RoundLimit } from '../../../elicitation/call.ts';
import { native } from '../../../elicitation/display.ts';
import { RateLimitMonitor } from '../../../elicitation/rateLimitMonitor.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { render } from '../../../elicitation/sentence.ts';
import { heldText } from '../../common/descriptions.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import { gone, Presence } from '../../common/presence.ts';

/** Notifies the user of servers that exceed the rate limit and applies the user's decision (A01). */
export class RateLimitPrompt implements vscode.Disposable {
	readonly #monitor: RateLimitMonitor;
	/** What is held back, by server. */
	readonly #presences = new Map<string, Presence>();
	readonly #disposable: vscode.Disposable;

	constructor(
		private readonly registry: Registry,
		private readonly stopServer: (server: string) => Promise<void>,
	) {
		this.#monitor = new RateLimitMonitor(registry);
		this.#disposable = vscode.Disposable.from(
			this.#monitor,
			this.#monitor.onDidExceed((server) => this.ask(server)),
		);
	}

	/** Asks in a notice, which goes with the last request that is held back. */
	ask(server: string): void {
		const heldRequests = this.registry.heldRequests(server);
		if (!heldRequests) {
			return;
		}
		this.#presenceOf(server).notify(
			native(heldText(server, heldRequests)),
			{ title: localize('Review'), run: () => this.review(server) },
			{ title: localize('Decline All from This Server'), run: () => this.declineAll(server) },
			{ title: localize('Stop Server'), run: () => this.stop(server) },
		);
	}

	/** Releases the held requests as the rate limit permits. */
	review(server: string): void {
		this.#decide(server, () => this.registry.review(server));
	}

	/** Declines the held requests, and further ones that exceed the limit. */
	declineRest(server: string): void {
		this.#decide(server, () => this.registry.declineHeld(server));
	}

	/** Declines everything that the server asks, shown or held. */
	declineAll(server: string): void {
		this.registry.declineAll(server);
		this.#monitor.decided(server);
	}

	async stop(server: string): Promise<void> {
		await this.stopServer(server);
		this.#monitor.decided(server);
	}

	dispose(): void {
		this.#disposable.dispose();
		for (const presence of this.#presences.values()) {
			presence.end();
		}
	}

	#presenceOf(server: string): Presence {
		const known = this.#presences.get(server);
		if (known && !known.isOver) {
			return known;
		}
		const presence = new Presence(
			gone(() => this.registry.heldRequests(server) !== undefined, this.registry.onDidChange),
		);
		this.#presences.set(server, presence);
		return presence;
	}

	/** The requests may be settled before the notification is. */
	#decide(server: string, act: () => void): void {
		if (this.registry.heldRequests(server)) {
			act();
			this.#monitor.decided(server);
		} else {
			void notify('information', localizeNative('{0}: Nothing is held back any more.', server));
		}
	}
}

/** The decisions that are still open. */
const presences = new WeakMap<RoundLimit, Presence>();

/** Asks about a call that has reached the round limit (R07), in a notice, which goes when the call is decided on anywhere. */
export function showRoundLimitPrompt(roundLimit: RoundLimit): void {
	const { call, reason, decided } = roundLimit;
	const presence = presences.get(roundLimit) ?? new Presence(decided);
	presences.set(roundLimit, presence);
	presence.notify(
		localizeNative('{0}: {1}', call.server, render(reason, localize)),
		{ title: localize('Continue'), run: () => roundLimit.decide(true) },
		{ title: localize('Stop'), run: () => roundLimit.decide(false) },
	);
}

import type * as vscode from 'vscode';
import { native } from '../../../elicitation/display.ts';
import { RateLimitMonitor } from '../../../elicitation/rateLimitMonitor.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { heldText } from '../../common/descriptions.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify, showError } from '../../common/notifications.ts';

/** Notifies the user of servers that exceed the rate limit and applies the user's decision (A01). */
export class RateLimitPrompt implements vscode.Disposable {
	readonly #monitor: RateLimitMonitor;

	constructor(
		private readonly registry: Registry,
		private readonly stopServer: (server: string) => Promise<void>,
	) {
		this.#monitor = new RateLimitMonitor(registry);
		this.#monitor.onDidExceed((server) => {
			this.ask(server).catch(showError);
		});
	}

	/** Asks in a notification. Dismissing it decides nothing; the held requests stay in the pending list. */
	async ask(server: string): Promise<void> {
		const heldRequests = this.registry.heldRequests(server);
		if (!heldRequests) {
			return;
		}
		const review = localize('Review');
		const decline = localize('Decline All from This Server');
		const stop = localize('Stop Server');
		const choice = await notify('warning', native(heldText(server, heldRequests)), review, decline, stop);
		switch (choice) {
			case review:
				this.review(server);
				return;
			case decline:
				this.declineAll(server);
				return;
			case stop:
				await this.stop(server);
				return;
			default:
				this.#monitor.answered(server, false);
		}
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
		this.#monitor.answered(server, true);
	}

	async stop(server: string): Promise<void> {
		await this.stopServer(server);
		this.#monitor.answered(server, true);
	}

	dispose(): void {
		this.#monitor.dispose();
	}

	/** The requests may be settled before the notification is. */
	#decide(server: string, act: () => void): void {
		if (this.registry.heldRequests(server)) {
			act();
			this.#monitor.answered(server, true);
		} else {
			void notify('information', localizeNative('{0}: Nothing is held back any more.', server));
		}
	}
}

import * as vscode from 'vscode';
import type { RejectedResponse } from '../../elicitation/autoResponders.ts';
import { type NativeText, native, shorten, withIcon } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { keyOf } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { ResponderInfo } from '../../elicitation/responderInfo.ts';
import { render } from '../../elicitation/sentence.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { notify, showError } from '../common/notifications.ts';
import { Presence } from '../common/presence.ts';
import { coalesce } from '../common/scheduling.ts';
import { StatusBarButton, type StatusBarContent } from '../common/statusBarButton.ts';
import { type ScriptsToggle, showAutoResponders } from './showAutoResponders.ts';
import type { ResponderSource, ShownResponder } from './shownResponders.ts';

/** Min time between two updates of the status bar (ms). */
const UPDATE_INTERVAL = 50;

/** Max length of an error in a notification (characters). */
const MAX_REASON_LENGTH = 500;

/** Makes auto-responders visible: notifies the user, counts responses, and offers to stop them. */
export class AutoResponderStatus implements vscode.Disposable {
	readonly #statusBar = new StatusBarButton(
		'mcpElicitation.answerers',
		99,
		localize('Auto-Responders'),
		'showAnswerers',
	);
	readonly #disposable: vscode.Disposable;
	/** Responses in this window, per auto-responder. */
	readonly #counts = new Map<string, number>();
	readonly #counted = new WeakSet<Elicitation>();
	/** Auto-responder and server pairs that the user has been notified about. */
	readonly #announced = new Set<string>();
	/** Failures on the screen. Each auto-responder shows at most one. */
	readonly #showing = new Set<string>();

	constructor(
		registry: Registry,
		private readonly all: readonly ResponderSource[],
		private readonly scripts: ScriptsToggle,
	) {
		const draw = coalesce(() => this.#draw(), UPDATE_INTERVAL);
		this.#disposable = vscode.Disposable.from(
			draw,
			...all.map(({ onDidChange }) => onDidChange(draw)),
			registry.onDidChange(({ elicitation }) => {
				if (elicitation.response && this.#count(elicitation)) {
					draw();
				}
			}),
			registry.autoResponders.onDidReject((rejected) => {
				this.#onReject(rejected);
			}),
		);
	}

	/** The command `showAnswerers`. */
	show(): Promise<void> {
		return showAutoResponders(this.#responders, (responder) => this.#counts.get(responder.key) ?? 0, this.scripts);
	}

	dispose(): void {
		this.#disposable.dispose();
		this.#statusBar.dispose();
	}

	get #responders(): readonly ShownResponder[] {
		return this.all.flatMap(({ responders }) => responders);
	}

	#draw(): void {
		const lines = this.#responders.flatMap(({ key, name }) => {
			const count = this.#counts.get(key);
			return count === undefined ? [] : [localizeNative('{0}: {1} answered', name, count)];
		});
		const answered = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
		const scripted = this.#responders.some(({ kind }) => kind === 'script');
		const stopped = this.scripts.stopped && scripted;
		this.#statusBar.draw(statusOf({ answered, lines, stopped }));
	}

	/** True for a response of an auto-responder that is not counted yet. */
	#count(elicitation: Elicitation): boolean {
		const { origin } = elicitation;
		const responder = elicitation.responder && this.#responderOf(elicitation.responder);
		if (!responder || this.#counted.has(elicitation)) {
			return false;
		}
		this.#counted.add(elicitation);
		this.#counts.set(responder.key, (this.#counts.get(responder.key) ?? 0) + 1);
		this.#announce(responder, origin.server).catch(showError);
		return true;
	}

	#responderOf(info: ResponderInfo): ShownResponder | undefined {
		return this.all.map((source) => source.responderOf(info)).find((responder) => responder !== undefined);
	}

	/** Notifies the user once per auto-responder and server, as long as the window is open. */
	async #announce(responder: ShownResponder, server: string): Promise<void> {
		const key = keyOf(responder.key, server);
		if (this.#announced.has(key)) {
			return;
		}
		this.#announced.add(key);
		const show = localize('Show');
		const stop = responder.kind === 'script' ? localize('Stop Scripts') : localize('Stop Extension');
		const text =
			responder.kind === 'script'
				? localizeNative('Scripts respond to requests from {0} on your behalf: {1}', server, responder.name)
				: localizeNative('The extension {1} responds to requests from {0} on your behalf.', server, responder.name);
		const choice = await notify('information', text, show, stop);
		if (choice === show) {
			await responder.show();
		} else if (choice === stop) {
			await responder.stop();
		}
	}

	#onReject({ elicitation, responder: info, reason }: RejectedResponse): void {
		const responder = this.#responderOf(info);
		const why = shorten(render(reason, localize), MAX_REASON_LENGTH);
		// A test call may leave several elicitations to the user, each for its own reason.
		const key = keyOf(info, elicitation.origin.server, ...(info.kind === 'forced' ? [why] : []));
		if (this.#showing.has(key)) {
			return;
		}
		this.#showing.add(key);
		const text = unanswered(info, elicitation.origin.server, why);
		const title = info.kind === 'script' ? localize('Show Script') : localize('Show Extension');
		new Presence(elicitation.outcome).notify(text, ...(responder ? [{ title, run: () => responder.show() }] : []));
		void elicitation.outcome.then(() => this.#showing.delete(key));
	}
}

function unanswered({ kind, name }: ResponderInfo, server: string, why: string): NativeText {
	switch (kind) {
		case 'script':
			return localizeNative('{0}: The script {1} did not respond, so you are asked. {2}', server, name, why);
		case 'extension':
			return localizeNative('{0}: The extension {1} did not respond, so you are asked. {2}', server, name, why);
		case 'forced':
			return localizeNative('{0}: This request is left to you. {1}', server, why);
	}
}

interface AutoResponderUse {
	/** Number of elicitations settled by auto-responders. */
	readonly answered: number;
	/** The auto-responders, one per line. */
	readonly lines: readonly NativeText[];
	/** There are scripts, and the user has stopped them. */
	readonly stopped: boolean;
}

/** Shows for the rest of the session that auto-responders were used or that scripts are stopped. */
function statusOf({ answered, lines, stopped }: AutoResponderUse): StatusBarContent | undefined {
	if (answered === 0 && !stopped) {
		return undefined;
	}
	const summary =
		answered === 0
			? localizeNative('Scripts are stopped.')
			: answered === 1
				? localizeNative('1 request from an MCP server was answered on your behalf.')
				: localizeNative('{0} requests from MCP servers were answered on your behalf.', answered);
	return {
		text: withIcon(
			stopped ? 'debug-pause' : 'robot',
			answered === 0 ? localize('Scripts stopped') : native(String(answered)),
		),
		tooltip: [
			summary,
			...lines,
			...(stopped && answered > 0 ? [localizeNative('Scripts are stopped.')] : []),
			localizeNative('Click to see what responds on your behalf, and to stop it.'),
		],
		label: summary,
	};
}

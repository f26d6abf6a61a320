import * as vscode from 'vscode';
import { native } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { UrlReport } from '../../elicitation/url/urlSafety.ts';
import { showError } from '../notices.ts';
import type { Servers } from '../servers.ts';
import { setting } from '../settings.ts';
import { line, lineOf, t } from '../words.ts';

/** A notification shows about this much at a glance (characters); a longer URL is shown whole in a modal. */
const NOTIFICATION_URL = 300;

/** Presents URL elicitations: consent to this very URL, then the person's own browser (U02, U04). */
export class UrlElicitations implements vscode.Disposable {
	readonly #subscription: vscode.Disposable;
	/** Elicitations that are asked in a modal now. A notification may have sunk into the bell; it does not count. */
	readonly #modals = new Set<string>();

	constructor(
		registry: Registry,
		private readonly servers: Servers,
	) {
		this.#subscription = registry.onDidAdd((elicitation) => {
			if (elicitation.request.mode === 'url') {
				this.ask(elicitation).catch(showError);
			}
		});
	}

	/** Asks for consent; every way to leave the question, but for Copy URL, is an answer. Dismissing is cancel. */
	async ask(elicitation: Elicitation, modal = false): Promise<void> {
		const report = await this.#inspect(elicitation);
		if (!report || this.#modals.has(elicitation.id)) {
			return;
		}
		const choice = await this.#consent(elicitation, report, modal || report.href.length > NOTIFICATION_URL);
		if (elicitation.state !== 'asking') {
			if (choice !== undefined) {
				void vscode.window.showInformationMessage(
					line('{0}: this request is over; nothing was opened or sent.', elicitation.origin.server),
				);
			}
			return;
		}
		switch (choice) {
			case 'open':
				await this.#open(elicitation, report);
				return;
			case 'copy':
				await vscode.env.clipboard.writeText(report.href);
				await this.ask(elicitation, modal);
				return;
			case 'decline':
				elicitation.decline();
				return;
			default:
				elicitation.cancel();
		}
	}

	/** Opens the page of an elicitation once more; consent was given to this URL already. */
	async reopen(elicitation: Elicitation): Promise<void> {
		const report = await this.#inspect(elicitation);
		if (elicitation.state === 'asking') {
			await this.ask(elicitation, true);
		} else if (report && elicitation.state === 'opened' && !(await openExternally(report.href))) {
			void vscode.window.showWarningMessage(line('The page was not opened.'));
		}
	}

	/** The URL exactly as it would be opened. */
	async hrefOf(elicitation: Elicitation): Promise<string | undefined> {
		return (await this.#inspect(elicitation))?.href;
	}

	dispose(): void {
		this.#subscription.dispose();
	}

	async #open(elicitation: Elicitation, report: UrlReport): Promise<void> {
		if (await openExternally(report.href)) {
			elicitation.opened();
		} else {
			elicitation.cancel();
			void vscode.window.showWarningMessage(
				line('{0}: the page was not opened, so the request was cancelled.', elicitation.origin.server),
			);
		}
	}

	async #inspect({ request, origin }: Elicitation): Promise<UrlReport | undefined> {
		if (request.mode !== 'url') {
			return undefined;
		}
		// With its list of public suffixes it is larger than all the rest that runs when a window opens.
		const { inspectUrl } = await import('../../elicitation/url/urlSafety.ts');
		const definition = this.servers.get(origin.server)?.connection?.definition;
		return inspectUrl(request.url, {
			insecure: setting('url.allowInsecure'),
			remoteWindow: vscode.env.remoteName !== undefined || vscode.env.uiKind === vscode.UIKind.Web,
			...(definition && definition.type !== 'stdio' && { serverHost: new URL(definition.url).hostname }),
		});
	}

	async #consent(
		elicitation: Elicitation,
		report: UrlReport,
		modal: boolean,
	): Promise<'open' | 'copy' | 'decline' | undefined> {
		const open = t('Open URL');
		const copy = t('Copy URL');
		const decline = t('Decline');
		const { server } = elicitation.origin;
		const message = native(elicitation.request.message, 300);
		const details = describe(report);
		if (modal) {
			this.#modals.add(elicitation.id);
		}
		const choice = await (modal
			? vscode.window.showInformationMessage(
					line('{0} asks you to open a page: "{1}"', server, message),
					{ modal, detail: details.join('\n') },
					open,
					copy,
					decline,
				)
			: vscode.window.showInformationMessage(
					// A notification has no lines. The server's words come last, so that they cannot pass for what we say.
					[line('{0} asks you to open a page.', server), ...details, line('It says: "{0}"', message)].join(' · '),
					open,
					copy,
					decline,
				));
		this.#modals.delete(elicitation.id);
		return choice === open ? 'open' : choice === copy ? 'copy' : choice === decline ? 'decline' : undefined;
	}
}

/** The whole URL, its host apart from it (U03, U05), and one line per warning. */
function describe(report: UrlReport): string[] {
	const host = report.domain && report.domain !== report.host ? `${report.host} (${report.domain})` : report.host;
	return [
		line('Host: {0}', report.unicodeHost === report.host ? host : `${host} — ${report.unicodeHost}`),
		line('URL: {0}', report.href),
		...report.warnings.map((warning) => `⚠ ${lineOf(warning)}`),
	];
}

/**
 * Hands over the very bytes that were consented to: `Uri.parse` would re-encode them, a string passes through unchanged.
 * False when the page was not opened, for whatever reason.
 */
async function openExternally(href: string): Promise<boolean> {
	try {
		return await vscode.env.openExternal(href as unknown as vscode.Uri);
	} catch (error) {
		showError(error);
		return false;
	}
}

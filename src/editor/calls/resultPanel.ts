import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { native, shorten } from '../../elicitation/display.ts';
import { type JsonObject, keyOf, own } from '../../elicitation/json.ts';
import { textOf } from '../../elicitation/jsonText.ts';
import type { Registry } from '../../elicitation/registry.ts';
import { render } from '../../elicitation/sentence.ts';
import type { Privacy } from '../../privacy/privacy.ts';
import { type FromResult, fromResult, type ShownFailure, type ToResult } from '../../protocol.ts';
import { fullId } from '../common/contributions.ts';
import { responderText } from '../common/descriptions.ts';
import { refuseLinks } from '../common/files.ts';
import type { JsonDocuments } from '../common/jsonDocuments.ts';
import { localize } from '../common/localize.ts';
import { isUserError, markReported } from '../common/notifications.ts';
import { Page } from '../common/webviewPage.ts';
import type { Servers } from '../servers/servers.ts';
import { takesArguments } from './callSubject.ts';

/** What a call led to: the result, or the error with which it failed. */
export type Outcome = { readonly result: JsonObject } | { readonly error: unknown };

export interface OutcomeContext {
	readonly extensionUri: vscode.Uri;
	readonly documents: JsonDocuments;
	readonly registry: Registry;
	readonly servers: Servers;
	readonly privacy: Pick<Privacy, 'args' | 'hideIn'>;
	/** Whether the user has worked elsewhere since they started the call or responded to one of its elicitations. */
	isUserElsewhere(call: Call): boolean;
}

/** How an outcome is shown. */
interface Showing {
	/** The group of editors in which the user started the call. */
	readonly column: vscode.ViewColumn | undefined;
	/** Makes the call again, with the same arguments or after they were edited. */
	callAgain(edit: boolean): Promise<unknown>;
}

type ResultPage = Page<ToResult, typeof fromResult>;

/** The outcomes of calls in a readable form. Each tool, prompt, and resource has one tab, until the user pins it. */
export class OutcomeTabs {
	readonly #pages = new Map<string, ResultPage>();
	/** Those that the user has pinned, so that the next outcome has another. */
	readonly #pinned = new Set<ResultPage>();

	constructor(private readonly context: OutcomeContext) {}

	show(call: Call, outcome: Outcome, { column, callAgain }: Showing): void {
		const { extensionUri, registry } = this.context;
		markReported('error' in outcome ? outcome.error : undefined);
		const { server, kind, name } = call;
		const title = native(call.failed ? localize('{0}: failed', name) : localize('{0}: result', name), 60);
		const background = this.context.isUserElsewhere(call) || isWithdrawnInFront(call, registry);
		const key = keyOf(server, kind, name);
		const before = this.#pageFor(key);
		const page = before ?? new Page(extensionUri, { name: 'result', title, background, column, messages: fromResult });
		this.#pages.set(key, page);
		page.open({
			show: () => page.post({ type: 'show', model: modelOf(call, outcome, this.context) }),
			receive: (message) => this.#receive(message, call, outcome, callAgain),
			closed: () => {
				this.#pinned.delete(page);
				if (this.#pages.get(key) === page) {
					this.#pages.delete(key);
				}
			},
		});
		if (before) {
			page.reveal({ background, title });
		}
	}

	/** The tab for the next outcome of the same; undefined if there is none, or the user wants to keep what it shows. */
	#pageFor(key: string): ResultPage | undefined {
		const page = this.#pages.get(key);
		if (!page) {
			return undefined;
		}
		const others = [...this.#pinned].filter((other) => page.tabs.some((tab) => other.tabs.includes(tab)));
		if (page.tabs.filter(({ isPinned }) => isPinned).length <= others.length) {
			return page;
		}
		this.#pinned.add(page);
		return undefined;
	}

	#receive(
		message: FromResult,
		call: Call,
		outcome: Outcome,
		callAgain: Showing['callAgain'],
	): Promise<unknown> | Thenable<unknown> {
		const result = 'result' in outcome ? outcome.result : undefined;
		switch (message.type) {
			case 'openJson':
				return this.context.documents.open(localize('{0} result', call.name), result);
			case 'timeline':
				return vscode.commands.executeCommand(fullId('showTimeline'), `call:${call.id}`);
			case 'callAgain':
			case 'editArguments':
				return callAgain(message.type === 'editArguments');
			case 'log':
				return vscode.commands.executeCommand(fullId('showServerLog'), call.server);
			case 'restart':
				return vscode.commands.executeCommand(fullId('restartServer'), call.server);
			case 'save':
				return save(own(result, 'contents'), message.index);
		}
	}
}

/** True if the active tab shows a withdrawn elicitation of the call, with what the user has entered. */
function isWithdrawnInFront(call: Call, { elicitations }: Registry): boolean {
	const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	return (
		tab instanceof vscode.TabInputWebview &&
		/mcpElicitation\.(form|url)$/.test(tab.viewType) &&
		elicitations.some(({ origin, withdrawal }) => withdrawal !== undefined && origin.calls.includes(call))
	);
}

/** True if it was called with arguments, or could be as far as is known: a server that has ended tells nothing. */
function canEditArguments({ kind, name, server, args }: Call, servers: Servers): boolean {
	if (kind !== 'resource' && Object.keys(args ?? {}).length > 0) {
		return true;
	}
	const connection = servers.get(server)?.connection;
	return kind === 'tool'
		? takesArguments(connection?.tools.find((tool) => tool.name === name)?.inputSchema)
		: kind === 'prompt' && (connection?.prompts.find((prompt) => prompt.name === name)?.arguments?.length ?? 0) > 0;
}

function modelOf(call: Call, outcome: Outcome, { servers, privacy }: OutcomeContext): ToResult['model'] {
	const { server, kind, name, responder, reportedError, startedAt, refusals } = call;
	const args = privacy.hideIn(privacy.args(call));
	return {
		server,
		call: { kind, name },
		isError: reportedError,
		takesArguments: canEditArguments(call, servers),
		at: startedAt,
		times: call.clock.shares,
		...(Object.keys(args ?? {}).length > 0 && { args }),
		refusals: refusals.map((reason) => render(reason, localize)),
		...(responder && { answeredBy: responderText(responder, call) }),
		...('result' in outcome ? outcome : { failure: failureOf(outcome.error) }),
	};
}

function failureOf(error: unknown): ShownFailure {
	return isUserError(error)
		? {
				what: render(error.what, localize),
				fix: render(error.fix, localize),
				signIn: error.signIn === true,
				restart: error.restart === true,
			}
		: {
				what: error instanceof Error ? error.message : String(error),
				fix: localize("See the server's log."),
				signIn: false,
				restart: false,
			};
}

/** Saves the contents of a resource to a file that the user picks. */
async function save(contents: unknown, index: number): Promise<void> {
	const content = Array.isArray(contents) ? contents[index] : undefined;
	const text = own(content, 'text');
	const blob = own(content, 'blob');
	const bytes =
		typeof text === 'string'
			? Buffer.from(text, 'utf8')
			: typeof blob === 'string'
				? Buffer.from(blob, 'base64')
				: undefined;
	if (!bytes) {
		return;
	}
	const name = fileName(textOf(own(content, 'uri')));
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
	const target = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(folder, name) });
	if (target) {
		await refuseLinks(target);
		await vscode.workspace.fs.writeFile(target, bytes);
	}
}

/** Suggests a file name from the last segment of a URI: plain characters only, and no hidden file. */
function fileName(uri: string): string {
	const last = uri.split(/[?#]/)[0]?.split('/').pop() ?? '';
	const plain = last.replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._]+/, '');
	return shorten(plain, 80) || 'resource';
}

import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { BridgeHost, ClientInfo, serveLines, WindowListener } from '../../../bridge/index.ts';
import { shorten, visibleOnOneLine } from '../../../elicitation/display.ts';
import { keyOf } from '../../../elicitation/json.ts';
import { localizable } from '../../../elicitation/sentence.ts';
import { type Hello, publishWindow, withdrawWindow } from '../../../window/openWindows.ts';
import type { Commands } from '../../common/commands.ts';
import type { JsonDocuments } from '../../common/jsonDocuments.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { showError, showModal } from '../../common/notifications.ts';
import { isCallable } from '../../common/serverEntry.ts';
import { kept } from '../../common/settings.ts';
import { ownProgram } from '../../servers/ownServers.ts';
import type { Servers } from '../../servers/servers.ts';
import { bridgeHost, type MakeCall } from '../bridge/bridgeHost.ts';
import { handOut } from './handOut.ts';

const KEY = 'offers';

/** Max length of a client's name that is shown (characters). */
const MAX_NAME = 60;

/** A server that other clients may ask for. */
interface Offer {
	/** Which server had the name: another one under it is not offered. */
	readonly identity: string;
	/** Hashes of the clients that the user has let use it. */
	readonly clients: readonly string[];
}

type Offered = Readonly<Partial<Record<string, Offer>>>;

export interface OffersContext {
	readonly extensionUri: vscode.Uri;
	readonly commands: Commands;
	readonly documents: JsonDocuments;
	readonly servers: Servers;
	/** The window's. */
	readonly memory: vscode.Memento;
	readonly loadBridge: () => Promise<{
		readonly WindowListener: typeof WindowListener;
		readonly serveLines: typeof serveLines;
	}>;
	readonly call: MakeCall;
}

/** Registers what is offered to other clients, and the command that offers a server. */
export function registerOffers(context: OffersContext): vscode.Disposable {
	const offers = new Offers(context);
	const { commands, documents, extensionUri } = context;
	return vscode.Disposable.from(
		offers,
		commands.register('offerServer', async ({ configured: { name } }) => {
			const stop = { label: localize('Stop Offering It'), act: () => offers.remove(name) };
			const program = ownProgram(extensionUri, 'clients.mjs', 'connect', name);
			const isOffered = offers.has(name);
			await handOut(documents, commands.title('offerServer'), name, program, isOffered ? [stop] : [], () =>
				offers.add(name),
			);
		}),
	);
}

/** The servers that this window offers to other clients on this machine. It listens only while there are any. */
class Offers implements vscode.Disposable {
	readonly #disposable: vscode.Disposable;
	/** What is connected, with the name of the server. */
	readonly #sockets = new Map<{ destroy(): void }, string>();
	#listener: WindowListener | undefined;
	#published = '';
	#usedAt = Date.now();
	/** One change at a time. */
	#turn: Promise<unknown> = Promise.resolve();
	/** One question at a time: a client may connect several times before the first is answered. */
	#question: Promise<unknown> = Promise.resolve();
	#isOver = false;

	constructor(private readonly context: OffersContext) {
		const update = () => void this.#update();
		this.#disposable = vscode.Disposable.from(
			context.servers.onDidChange(update),
			vscode.workspace.onDidChangeWorkspaceFolders(update),
			vscode.workspace.onDidGrantWorkspaceTrust(update),
			vscode.window.onDidChangeWindowState(({ focused }) => {
				if (focused) {
					this.#usedAt = Date.now();
					update();
				}
			}),
		);
		void context.servers.settled.then(update);
	}

	/** Whether a server is offered. */
	has(server: string): boolean {
		return this.#names.includes(server);
	}

	/** Offers a server. Resolves when other programs can reach it. */
	async add(server: string): Promise<void> {
		const identity = this.context.servers.identityOf(server);
		if (identity !== undefined && !this.has(server)) {
			await this.#store({ ...this.#offered, [server]: { identity, clients: [] } });
		}
	}

	/** Offers a server no more, disconnects its clients, and forgets that they were let use it. */
	async remove(server: string): Promise<void> {
		await this.#store({ ...this.#offered, [server]: undefined });
	}

	dispose(): void {
		this.#isOver = true;
		this.#disposable.dispose();
		void this.#update();
	}

	get #offered(): Offered {
		return kept<Offered>(this.context.memory, KEY, {});
	}

	get #names(): string[] {
		const { servers } = this.context;
		if (this.#isOver || !vscode.workspace.isTrusted) {
			return [];
		}
		const offered = this.#offered;
		const names = servers.entries.filter(isCallable).map(({ configured }) => configured.name);
		// To identify a server takes a while, and most are not offered.
		return names.filter((name) => offered[name] && offered[name].identity === servers.identityOf(name));
	}

	async #store(offered: Offered): Promise<void> {
		await this.context.memory.update(KEY, offered);
		await this.#update();
	}

	#update(): Promise<void> {
		const updated = this.#turn.then(() => this.#publish());
		this.#turn = updated.catch(showError);
		return updated;
	}

	/** Says to other programs what is offered, and listens if anything is. */
	async #publish(): Promise<void> {
		const servers = this.#names;
		for (const [socket, server] of this.#sockets) {
			if (!servers.includes(server)) {
				socket.destroy();
			}
		}
		if (servers.length === 0) {
			const listener = this.#listener;
			this.#listener = undefined;
			this.#published = '';
			await (listener && Promise.all([withdrawWindow(process.pid), listener.close()]));
			return;
		}
		this.#listener ??= await this.#listen();
		const { address, secret } = this.#listener;
		const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
		const window = { address, secret, pid: process.pid, folders, servers, usedAt: this.#usedAt };
		const text = JSON.stringify(window);
		if (text !== this.#published) {
			await publishWindow(window);
			this.#published = text;
		}
	}

	async #listen(): Promise<WindowListener> {
		const { WindowListener, serveLines } = await this.context.loadBridge();
		return WindowListener.open((hello, socket) => {
			const { server } = hello;
			if (!this.has(server)) {
				return localize('"{0}" is not offered any more.', server);
			}
			this.#sockets.set(socket, server);
			socket.once('close', () => this.#sockets.delete(socket));
			serveLines(socket, server, (client) => this.#admit(hello, client));
			return undefined;
		});
	}

	/** What a client may use, once the user has agreed. Rejects if they have not. */
	async #admit(hello: Hello, { name }: ClientInfo): Promise<BridgeHost> {
		const { servers, call } = this.context;
		const shown = name === '' ? localize('an unnamed client') : `"${shorten(visibleOnOneLine(name), MAX_NAME)}"`;
		const asked = this.#question.then(() => this.#ask(hello, keyOf(name, hello.program), shown));
		this.#question = asked.catch(() => {});
		if (!(await asked)) {
			const refusal = localize(
				'The user did not let {0} use "{1}". Ask them before you try again.',
				shown,
				hello.server,
			);
			throw new Error(refusal);
		}
		return bridgeHost(servers, call, localizable('called by {0}', shown));
	}

	/** True if the user lets the client use the server, now or before. */
	async #ask({ server, program, folder }: Hello, client: string, shown: string): Promise<boolean> {
		const hash = createHash('sha256').update(client).digest('hex');
		if (this.#offered[server]?.clients.includes(hash)) {
			return true;
		}
		const allow = localize('Allow');
		const detail = [
			localize('It says that it is {0}; any program of yours can give itself this name.', shown),
			program === '' ? '' : localize('Its program is {0}.', visibleOnOneLine(program)),
			localize('It runs in {0}.', visibleOnOneLine(folder)),
			localize(
				'It can then call every tool of this server without asking you. What the server requests is asked here.',
			),
		];
		const question = localizeNative('Let another client, {0}, use the MCP server "{1}"?', shown, server);
		if ((await showModal('warning', question, detail.filter(Boolean).join('\n'), allow)) !== allow) {
			return false;
		}
		const offer = this.#offered[server];
		if (!offer || !this.has(server)) {
			return false;
		}
		await this.#store({ ...this.#offered, [server]: { ...offer, clients: [...offer.clients, hash] } });
		return true;
	}
}

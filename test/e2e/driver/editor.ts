import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { inject } from 'vitest';
import { faultsOfExtension, type LogLine, plainText, uncaught } from '../../harness/hostLog.mjs';
import { nightly } from '../../nightly.ts';
import { type Host, keepPage, leave, pageFor, sharedHost, type TestExtension } from './session.ts';
import { StartConsent } from './startConsent.ts';
import { appears, clicks, succeeds, TIMEOUT, until } from './waiting.ts';
import { Modal, Notification, NotificationCenter, QuickInput, type Text } from './workbenchElements.ts';

export interface EditorOptions {
	/** Files of the workspace: relative path to content. */
	readonly files?: Readonly<Record<string, string>>;
	/** Workspace settings. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** A `.code-workspace` file among `files` to open instead of the folder. */
	readonly workspaceFile?: string;
	/** Machine settings, which an untrusted workspace can't restrict. */
	readonly machineSettings?: Readonly<Record<string, unknown>>;
	/** User settings, for those that can't be machine settings. */
	readonly userSettings?: Readonly<Record<string, unknown>>;
	/** Servers in the editor's own user configuration (mcp.json). */
	readonly editorServers?: Readonly<Record<string, unknown>>;
	/** If false, the window opens in Restricted Mode. */
	readonly trusted?: boolean;
	/** Display language of extensions, e.g. `zh-cn`. The editor's own UI stays in English. */
	readonly language?: string;
	/** Extensions from test/ to install as well. */
	readonly beside?: readonly TestExtension[];
	/** Whether the editor's JavaScript debugger is there. Without it, windows open faster. */
	readonly debugger?: boolean;
	/** Starts with an empty profile, without any settings or a folder. */
	readonly firstDay?: boolean;
	/** Device scale factor of screenshots. */
	readonly scale?: number;
}

/**
 * Most tests call tools. The Command Palette would take longer for it than all that follows. Webviews keep some letters
 * for themselves, whatever else is pressed: C, V and X, for instance.
 */
export const CALL_TOOL = { key: 'ctrl+alt+shift+l', keys: 'Control+Alt+Shift+L', command: 'mcpElicitation.callTool' };

const CLEAR_NOTIFICATIONS = {
	key: 'ctrl+alt+shift+u',
	keys: 'Control+Alt+Shift+U',
	command: 'notifications.clearAll',
};

/** What can be changed in a window that is open. */
export type Changes = Pick<EditorOptions, 'files' | 'settings' | 'machineSettings'>;

/** What a window is opened with for good. */
export type Kind = Pick<EditorOptions, 'trusted' | 'language' | 'beside' | 'debugger'>;

type Role = Parameters<Frame['getByRole']>[0];

/** One window of a real editor with its own workspace. */
export class Editor {
	readonly quickInput: QuickInput;
	readonly #bell: NotificationCenter;
	readonly #context: BrowserContext;
	readonly #log: LogLine[] = [];
	#closed = false;
	#changes = 0;

	constructor(
		readonly page: Page,
		readonly host: Host,
		/** The absolute path of the workspace folder. */
		readonly workspace: string,
	) {
		this.quickInput = new QuickInput(page);
		this.#bell = new NotificationCenter(page);
		this.#context = page.context();
		page.setDefaultTimeout(TIMEOUT);
		page.on('console', (message) => this.#log.push({ level: message.type(), text: plainText(message.text()) }));
		page.on('pageerror', (error) => this.#log.push(uncaught(error)));
	}

	/** Runs a command by its title in the Command Palette, e.g. `MCP Elicitation: Call…`. */
	async command(title: string): Promise<void> {
		const { input } = this.quickInput;
		const entry = this.quickInput.entryNamed(title);
		let attempts = 0;
		await until(`the command ${title}`, async (moment) => {
			const isOpen = attempts++ > 0 && (await input.isVisible()) && (await input.inputValue()).startsWith('>');
			if (!isOpen) {
				await this.page.keyboard.press('F1');
			}
			// It lists the commands that there are when something is typed: another space asks for those of extensions that load.
			return (
				(await appears(input, moment)) &&
				(await this.#types(`>${title}${' '.repeat(attempts % 2)}`, moment)) &&
				(await appears(entry, moment / 8)) &&
				clicks(entry, moment)
			);
		});
	}

	/**
	 * Runs a command that shows a list, and picks an entry by its exact label or by a pattern. A tab that was opened before
	 * may load late and take the focus, which closes the list.
	 * @param saying part of the list's title, prompt, or placeholder
	 */
	async choose(command: string, entry: Text, saying = ''): Promise<void> {
		await until(`${entry} to be chosen after ${command}`, async (moment) => {
			await this.command(command);
			return this.quickInput.picks(entry, saying, moment);
		});
	}

	/** Opens a file of the workspace by its name. */
	async openFile(name: string): Promise<void> {
		const tab = this.page.getByRole('tab', { name });
		await until(`${name} to open`, async (moment) => {
			// A window that has just opened may not know the key yet.
			await this.page.keyboard.press('Control+P');
			return (
				(await appears(this.quickInput.input, moment)) &&
				(await this.#types(name, moment)) &&
				(await clicks(this.quickInput.entryNamed(name), moment)) &&
				appears(tab, moment)
			);
		});
	}

	/** Returns false if the list has closed meanwhile: a tab that opens takes the focus. */
	#types(text: string, moment: number): Promise<boolean> {
		return succeeds(this.quickInput.input.fill(text, { timeout: moment }));
	}

	/** Waits for a notification that contains the text. The error lists the visible ones. */
	async notification(text: Text): Promise<Notification> {
		const notification = new Notification(this.page, text);
		await notification.shown().catch(async (cause) => {
			throw new Error(`No notification says ${text}, but ${JSON.stringify(await this.notifications())}.`, { cause });
		});
		return notification;
	}

	/** The messages of all visible notifications: toasts, or the whole notification center while it is open. */
	notifications(): Promise<string[]> {
		return this.page.locator('.notification-list-item:visible .notification-list-item-message').allInnerTexts();
	}

	/** Waits for the modal dialog. */
	async modal(): Promise<Modal> {
		const modal = new Modal(this.page);
		await modal.element.waitFor();
		return modal;
	}

	/** Waits for the page that asks for consent to start a server, or this server. */
	async startConsent(server?: string): Promise<StartConsent> {
		const frame = await until(`the consent to start ${server ?? 'a server'}`, async () => {
			for (const frame of this.webviews()) {
				const page = frame.locator('[data-page="start"] section.elicitation');
				// The frame may be detached meanwhile.
				const name = await page.getAttribute('aria-label', { timeout: 200 }).catch(() => undefined);
				if (typeof name === 'string' && (server === undefined || name === server)) {
					return frame;
				}
			}
			return undefined;
		});
		return new StartConsent(frame);
	}

	/** Waits for a status bar item that contains the text. */
	async statusBar(text: Text): Promise<Locator> {
		const item = this.page.locator('.statusbar-item').filter({ hasText: text }).first();
		await item.waitFor();
		return item;
	}

	/** The status bar item with the number of pending elicitations. Hidden if there are none. */
	pending(): Locator {
		return this.page.locator('.statusbar-item[id$="mcpElicitation.pending"]');
	}

	/** The tooltip of an element. */
	async tooltip(element: Locator): Promise<string> {
		const hover = this.page.locator('.monaco-hover:visible .hover-contents').last();
		const isBeside = async () => {
			const [one, other] = await Promise.all([hover, element].map((each) => boxOf(each)));
			const gap = 20;
			return one && other && one.y - gap < other.y + other.height && other.y < one.y + one.height + gap;
		};
		return until('a tooltip', async (moment) => {
			// Another tooltip may cover this element, and a tooltip opens only when the mouse moves.
			await this.page.mouse.move(0, 0);
			await until('the tooltip of another element to go', async () => !(await isBeside()));
			await element.hover();
			return (
				(await appears(hover, moment)) &&
				(await isBeside()) === true &&
				// It may be gone again.
				hover.innerText({ timeout: moment }).catch(() => undefined)
			);
		});
	}

	/** Trusts the workspace in the Workspace Trust editor. */
	async trust(): Promise<void> {
		const button = this.page.getByRole('button', { name: 'Trust', exact: true }).first();
		const restricted = this.page.locator('.statusbar-item').filter({ hasText: 'Restricted Mode' });
		await until('the workspace to be trusted', async (moment) => {
			// What trust has started may ask something, which no key is to answer.
			if (!(await restricted.isVisible()) || (await this.page.locator('.monaco-dialog-box').isVisible())) {
				return true;
			}
			// A tab that loads late closes the page, and the page is rendered before it reacts.
			if (!(await appears(button, moment))) {
				await this.command('Workspaces: Manage Workspace Trust');
			}
			await succeeds(button.click({ timeout: moment }));
			return succeeds(restricted.waitFor({ state: 'hidden', timeout: moment }));
		});
	}

	/** Shows our views in the side bar. Works if they are visible already: a second click on the icon would hide them. */
	async showViews(): Promise<void> {
		if (!(await this.page.getByRole('button', { name: 'Servers Section', expanded: true }).isVisible())) {
			await this.command('MCP Elicitation: Focus on Servers View');
		}
	}

	/** Waits for a tree item in the side bar or the panel. */
	async treeItem(text: Text): Promise<Locator> {
		const item = this.page.locator('.pane-body .monaco-list-row').filter({ hasText: text }).first();
		await item.waitFor();
		return item;
	}

	/** Selects an entry from the context menu of a tree item. */
	async chooseFromMenu(text: Text, name: string): Promise<void> {
		const chosen = this.page.getByRole('menuitem', { name });
		await until(`the menu of ${text}`, async (moment) => {
			const row = await this.treeItem(text);
			const opens =
				(await succeeds(row.click({ button: 'right', timeout: moment }))) && (await appears(chosen, moment));
			if (!opens && (await this.page.locator('.context-view-block').isVisible())) {
				// The menu of a list that was being rendered lacks the entry, and covers everything.
				await this.page.keyboard.press('Escape');
			}
			return opens;
		});
		await chosen.hover();
		// A menu ignores clicks right after it opens.
		await this.page.keyboard.press('Enter');
	}

	/** Expands a tree item with the mouse unless it is expanded. */
	async unfold(text: Text): Promise<void> {
		const item = await this.treeItem(text);
		const unfolded = item.and(this.page.locator('[aria-expanded="true"]'));
		await until(`${text} to be unfolded`, async (moment) => {
			// A list that is being rendered ignores the click.
			return (
				(await unfolded.isVisible()) || ((await succeeds(item.click({ timeout: moment }))) && appears(unfolded, moment))
			);
		});
	}

	/** Applies a quick fix at the cursor until its effect is visible: the list of fixes closes when the file is checked again. */
	async applyFix(title: string, effect: Locator): Promise<void> {
		const fix = this.page.locator('.action-widget .monaco-list-row').filter({ hasText: title }).first();
		await until(`the effect of ${title}`, async (moment) => {
			await this.page.keyboard.press('Control+.');
			if (!(await appears(fix, moment))) {
				await this.page.keyboard.press('Escape');
				return false;
			}
			await succeeds(fix.click({ timeout: moment }));
			return appears(effect, moment);
		});
	}

	/** Opens the Problems panel and returns the text of its rows. */
	async problems(): Promise<string[]> {
		const panel = this.page.locator('.markers-panel');
		if (!(await panel.isVisible())) {
			await this.command('Problems: Focus on Problems View');
			await panel.waitFor();
		}
		return (await panel.locator('.monaco-list-row').allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
	}

	/** The pages of webviews. Each is in a frame of the editor's own, which has nothing to look for. */
	webviews(): Frame[] {
		return this.page.frames().filter((frame) => frame.url().includes('/fake.html'));
	}

	/** Waits for a webview that contains an element with this role (and accessible name). Returns its frame. */
	frameOf(role: Role, name?: Text): Promise<Frame> {
		const options = name === undefined ? {} : { name, exact: typeof name === 'string' };
		return until(`a webview with the role ${role} ${name ?? ''}`, async () => {
			for (const frame of this.webviews()) {
				// The frame may be detached meanwhile.
				const count = await frame
					.getByRole(role, options)
					.count()
					.catch(() => 0);
				if (count > 0) {
					return frame;
				}
			}
			return undefined;
		});
	}

	/** All visible text of the window and its webviews. */
	async text(): Promise<string> {
		const texts = this.page.frames().map((frame) =>
			frame
				.locator('body')
				.innerText({ timeout: 2_000 })
				.catch((error) => `(${error})`),
		);
		return (
			(await Promise.all(texts))
				// An internal frame of the editor, without visible text.
				.filter((text) => !text.includes('vscodeWebWorkerExtHostId'))
				.map((text) => text.replace(/\s*\n\s*/g, ' | ').slice(0, 1_500))
				.join('\n')
		);
	}

	/** The pages that the extension opened in the browser. Pages of other hosts stay empty: no request leaves this machine. */
	externalPages(): Page[] {
		return this.#context.pages().filter((page) => page !== this.page);
	}

	/** Waits for an external page and confirms the editor's own prompt about its domain. */
	async externalPage(url: Text): Promise<Page> {
		const matches = (found: string) => (typeof url === 'string' ? found === url : url.test(found));
		const consent = this.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Open', exact: true });
		const opened = await until(`an external page ${url}`, async () => {
			if (await consent.isVisible()) {
				await consent.click();
			}
			return this.externalPages().find((page) => matches(page.url()));
		});
		// A background page renders notifications late.
		await this.page.bringToFront();
		return opened;
	}

	/** The log of the extension host so far. */
	extensionHostLog(): readonly LogLine[] {
		return this.#log.filter(({ text }) => /\[Extension Host\]|\[mcp-elicitation/i.test(text));
	}

	/** Errors and unhandled rejections of our extension. `close` fails if there are any. */
	faults(): string[] {
		return faultsOfExtension(this.#log);
	}

	/** Returns and clears the errors so far, for windows that several tests share. */
	takeFaults(): string[] {
		const faults = this.faults();
		this.#log.length = 0;
		return faults;
	}

	/** Closes a tab with its close button. */
	async closeTab(name: string): Promise<void> {
		const tab = this.page.getByRole('tab', { name, exact: true });
		await tab.hover();
		await tab.getByRole('button', { name: /^Close/ }).click();
	}

	/** Closes every editor tab, so that the next test starts without any. This cancels open forms in which nothing was entered. */
	async closeTabs(): Promise<void> {
		await this.#bell.close();
		const tab = this.page.locator('.tabs-container .tab').first();
		await until('no tab to be open', async (moment) => {
			if (await tab.isVisible()) {
				await this.page.keyboard.press('Control+K');
				await this.page.keyboard.press('Control+W');
				if (!(await succeeds(tab.waitFor({ state: 'detached', timeout: moment / 2 })))) {
					// Something took the keys.
					await this.command('View: Close All Editors');
				}
			}
			// A completed call may open its result.
			return !(await appears(tab, 200));
		});
	}

	/** Saves a screenshot as `test-results/e2e/<name>.png`, by night or after a failure: it takes the page some time. */
	async screenshot(name: string, wanted: boolean = nightly): Promise<void> {
		if (wanted) {
			const path = join(inject('editor').results, `${name.replace(/[^\w-]+/g, '-')}.png`);
			await this.page.screenshot({ path, animations: 'disabled' });
		}
	}

	/** Waits until the window has stored a text: it stores state with a delay. */
	async remembers(text: string): Promise<void> {
		await until(`${text} to be remembered`, () => this.page.evaluate(storedInWindow, text));
	}

	/**
	 * Reloads the window as a user would.
	 * @param remembered text that the window must have stored before
	 */
	async reload(remembered?: string): Promise<void> {
		if (remembered !== undefined) {
			await this.remembers(remembered);
		}
		await this.page.reload();
		await ready(this.page);
	}

	/**
	 * Changes the files and the settings while the window is open. Servers stop, unless the extension reads both changes
	 * as one.
	 */
	async change({ files = {}, settings = {}, machineSettings = {} }: Changes): Promise<void> {
		await this.closeTabs();
		await this.page.keyboard.press(CLEAR_NOTIFICATIONS.keys);
		await this.#configure({}, {});
		const [own, others] = await Promise.all([readdir(join(this.workspace, '.vscode')), readdir(this.workspace)]);
		const old = [
			...own.filter((name) => name !== 'settings.json').map((name) => join('.vscode', name)),
			...others.filter((name) => name !== '.vscode'),
		];
		await Promise.all(old.map((path) => rm(join(this.workspace, path), { recursive: true, force: true })));
		await writeFiles(this.workspace, files);
		await this.#configure(settings, machineSettings);
	}

	/** Waits until extensions have the settings, too. */
	async #configure(settings: object, machineSettings: object): Promise<void> {
		const mark = `settings ${++this.#changes}`;
		await this.host.configure({ ...machineSettings, 'window.titleSeparator': ` of ${mark} ` });
		const title = { 'window.title': `${mark}\${separator}\${rootName}` };
		await writeFiles(this.workspace, { '.vscode/settings.json': JSON.stringify({ ...settings, ...title }) });
		// The title comes last: extensions have been told before.
		await this.page.waitForFunction((start) => document.title.startsWith(start), `${mark} of ${mark} `, {
			polling: 50,
		});
	}

	/**
	 * Closes the window and deletes the workspace. Fails if the extension has logged an error.
	 * @param page whether to keep the emptied page for another window
	 */
	async close({ page = 'close' }: { readonly page?: 'keep' | 'close' } = {}): Promise<void> {
		if (this.#closed) {
			return;
		}
		this.#closed = true;
		if (page === 'keep') {
			await keepPage(this.page);
		} else {
			// The headless shell closes a page without telling it, which a browser does.
			await succeeds(leave(this.page, 'about:blank'));
			await this.#context.close();
		}
		await rm(this.workspace, { recursive: true, force: true, maxRetries: 5 });
		const faults = this.faults();
		if (faults.length > 0) {
			throw new Error(`The extension left errors behind:\n${faults.join('\n')}`);
		}
	}
}

/** Opens a window with a new workspace and waits until it is ready. */
export async function openEditor(options: EditorOptions = {}): Promise<Editor> {
	const { files = {}, settings = {}, workspaceFile, machineSettings = {}, firstDay = false } = options;
	const { trusted: trust = !firstDay, language = 'en', beside = [], debugger: debugs = false } = options;
	const workspace = await realpath(await mkdtemp(join(tmpdir(), 'mcp-elicitation-workspace-')));
	await writeFiles(workspace, { ...files, '.vscode/settings.json': JSON.stringify(settings) });
	const host = await sharedHost({ trust, language, beside, debugger: debugs, fresh: firstDay });
	await host.configure(machineSettings);
	if (!firstDay) {
		await host.personalise([CALL_TOOL, CLEAR_NOTIFICATIONS], 'keybindings.json');
	}
	if (options.userSettings) {
		await host.personalise(options.userSettings);
	}
	if (options.editorServers) {
		await host.personalise({ servers: options.editorServers }, 'mcp.json');
	}
	const page = await pageFor(host, options.scale ?? 1);
	await page.context().unrouteAll();
	const editor = new Editor(page, host, workspace);
	const folder = workspaceFile === undefined ? { folder: workspace } : { workspace: join(workspace, workspaceFile) };
	const opened: Record<string, string> = firstDay ? { ew: 'true' } : folder;
	await page.goto(`${host.url}/?${new URLSearchParams(opened)}`);
	await ready(page);
	return editor;
}

async function writeFiles(workspace: string, files: Readonly<Record<string, string>>): Promise<void> {
	for (const [path, content] of Object.entries(files)) {
		await mkdir(dirname(join(workspace, path)), { recursive: true });
		await writeFile(join(workspace, path), content);
	}
}

/** Waits until the window is rendered, and knows the commands and keys of extensions. What they do as they start comes later. */
async function ready(page: Page): Promise<void> {
	await page.locator('.monaco-workbench .statusbar-item').first().waitFor();
	await page.waitForFunction(() => performance.getEntriesByName('code/didLoadExtensions').length > 0, undefined, {
		polling: 50,
	});
}

/** True if the page's stored state contains a text. Runs in the page. */
async function storedInWindow(text: string): Promise<boolean> {
	const done = <T>(request: IDBRequest<T>) =>
		new Promise<T>((resolve, reject) => {
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => reject(request.error);
		});
	for (const { name = '' } of await indexedDB.databases()) {
		const database = await done(indexedDB.open(name));
		const values = await Promise.all(
			[...database.objectStoreNames].map((store) => done(database.transaction(store).objectStore(store).getAll())),
		);
		database.close();
		if (JSON.stringify(values).includes(text)) {
			return true;
		}
	}
	return false;
}

/** The bounding box of an element; `undefined` if it isn't visible. */
async function boxOf(element: Locator) {
	return (await element.count()) > 0
		? ((await element.boundingBox({ timeout: 1000 }).catch(() => null)) ?? undefined)
		: undefined;
}

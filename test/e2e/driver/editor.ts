import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { inject } from 'vitest';
import { faultsOfExtension, type LogLine, plainText, uncaught } from '../../harness/hostLog.mjs';
import { sharedBrowser, sharedHost, type TestExtension } from './session.ts';
import { appears, PATIENCE, succeeds, until } from './waiting.ts';
import { Modal, Notification, NotificationCenter, QuickInput, type Text } from './workbenchElements.ts';

export interface EditorOptions {
	/** Files of the workspace: relative path to content. */
	readonly files?: Readonly<Record<string, string>>;
	/** Settings of the workspace. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** One of the files, a `.code-workspace`, to open in the place of the folder. */
	readonly workspaceFile?: string;
	/** Settings of the machine, which an untrusted workspace cannot restrict. */
	readonly machineSettings?: Readonly<Record<string, unknown>>;
	/** The user's own settings, which hold what no machine may set. */
	readonly userSettings?: Readonly<Record<string, unknown>>;
	/** The servers that the user has told the editor itself of. */
	readonly editorServers?: Readonly<Record<string, unknown>>;
	/** false: the window opens in Restricted Mode. */
	readonly trusted?: boolean;
	/** The display language of what extensions say, e.g. `zh-cn`; the editor's own words stay English. */
	readonly language?: string;
	/** Extensions of test/ that are installed, too. */
	readonly beside?: readonly TestExtension[];
	/** The first day: an empty profile, in which nothing is set, and a window without a folder. */
	readonly firstDay?: boolean;
	/** How many pixels of a picture stand for one of the window, along each side. */
	readonly scale?: number;
}

type Role = Parameters<Frame['getByRole']>[0];

/** One window of a real editor on a workspace of its own. */
export class Editor {
	readonly quickInput: QuickInput;
	readonly #bell: NotificationCenter;
	readonly #context: BrowserContext;
	readonly #log: LogLine[] = [];
	#closed = false;

	constructor(
		readonly page: Page,
		/** The absolute path of the workspace folder. */
		readonly workspace: string,
	) {
		this.quickInput = new QuickInput(page);
		this.#bell = new NotificationCenter(page);
		this.#context = page.context();
		page.setDefaultTimeout(PATIENCE);
		page.on('console', (message) => this.#log.push({ level: message.type(), text: plainText(message.text()) }));
		page.on('pageerror', (error) => this.#log.push(uncaught(error)));
	}

	/** Runs a command by the title it has in the palette, e.g. `MCP Elicitation: Call Tool`. */
	async command(title: string): Promise<void> {
		// The palette lists what was registered when it opened, so it is opened again while extensions still load.
		await until(`the command ${title}`, async (moment) => {
			await this.page.keyboard.press('F1');
			if (!(await appears(this.quickInput.input, moment)) || !(await this.#types(`>${title}`, moment))) {
				return false;
			}
			const entry = this.quickInput.entryNamed(title);
			if (!(await appears(entry, moment))) {
				await this.quickInput.escape();
				return false;
			}
			return succeeds(entry.click({ timeout: moment }));
		});
	}

	/** False when the palette has closed meanwhile: a tab that opens takes the focus from it. */
	#types(text: string, moment: number): Promise<boolean> {
		return succeeds(this.quickInput.input.fill(text, { timeout: moment }));
	}

	/** Waits for a notification that holds the text; says which ones there are when there is none. */
	async notification(text: Text): Promise<Notification> {
		const notification = new Notification(this.page, text);
		await notification.shown().catch(async (cause) => {
			throw new Error(`No notification says ${text}, but ${JSON.stringify(await this.notifications())}.`, { cause });
		});
		return notification;
	}

	/** The messages of all notifications that are shown: for some ten seconds, or behind the bell while that is open. */
	notifications(): Promise<string[]> {
		return this.page.locator('.notification-list-item:visible .notification-list-item-message').allInnerTexts();
	}

	/** Waits for the modal dialog. */
	async modal(): Promise<Modal> {
		const modal = new Modal(this.page);
		await modal.element.waitFor();
		return modal;
	}

	/** Waits for a status-bar item that holds the text. */
	async statusBar(text: Text): Promise<Locator> {
		const item = this.page.locator('.statusbar-item').filter({ hasText: text }).first();
		await item.waitFor();
		return item;
	}

	/** The status-bar item that counts what is pending; there is none while nothing is. */
	pending(): Locator {
		return this.page.locator('.statusbar-item[id$="mcpElicitation.pending"]');
	}

	/** What a user reads when the mouse rests on an element. */
	async tooltip(element: Locator): Promise<string> {
		const hover = this.page.locator('.monaco-hover:visible .hover-contents').last();
		const isBeside = async () => {
			const [one, other] = await Promise.all([hover, element].map((each) => boxOf(each)));
			const gap = 20;
			return one && other && one.y - gap < other.y + other.height && other.y < one.y + one.height + gap;
		};
		return until('a tooltip', async (moment) => {
			// The tooltip of another element may lie over this one; and a mouse that does not move opens none.
			await this.page.mouse.move(0, 0);
			await until('the tooltip of another element to go', async () => !(await isBeside()));
			await element.hover();
			return (await appears(hover, moment)) && (await isBeside()) === true && (await hover.innerText());
		});
	}

	/** Trusts the workspace on the editor's own page about that. */
	async trust(): Promise<void> {
		const button = this.page.getByRole('button', { name: 'Trust', exact: true }).first();
		const restricted = this.page.locator('.statusbar-item').filter({ hasText: 'Restricted Mode' });
		await until('the workspace to be trusted', async (moment) => {
			// A tab that loads late closes the page, and it is drawn before it listens.
			if (!(await appears(button, moment))) {
				await this.command('Workspaces: Manage Workspace Trust');
			}
			await succeeds(button.click({ timeout: moment }));
			return succeeds(restricted.waitFor({ state: 'hidden', timeout: moment }));
		});
	}

	/** Shows our views in the side bar, also where they are shown already: a second click on their icon would hide them. */
	showViews(): Promise<void> {
		return this.command('MCP Elicitation: Focus on Servers View');
	}

	/** Waits for an entry of a view in the side bar or the panel. */
	async treeItem(text: Text): Promise<Locator> {
		const item = this.page.locator('.pane-body .monaco-list-row').filter({ hasText: text }).first();
		await item.waitFor();
		return item;
	}

	/** Chooses from the context menu of an entry of a view. */
	async chooseFromMenu(text: Text, name: string): Promise<void> {
		const chosen = this.page.getByRole('menuitem', { name });
		await until(`the menu of ${text}`, async (moment) => {
			await (await this.treeItem(text)).click({ button: 'right' });
			return appears(chosen, moment);
		});
		await chosen.hover();
		// A menu takes no clicks in its first moments.
		await this.page.keyboard.press('Enter');
	}

	/** Unfolds an entry of a view with the mouse, unless it is unfolded. */
	async unfold(text: Text): Promise<void> {
		const item = await this.treeItem(text);
		const unfolded = item.and(this.page.locator('[aria-expanded="true"]'));
		await until(`${text} to be unfolded`, async (moment) => {
			// A list that is drawn anew at this very moment takes no click.
			return (
				(await unfolded.isVisible()) || ((await succeeds(item.click({ timeout: moment }))) && appears(unfolded, moment))
			);
		});
	}

	/** Opens the Problems panel and gives its rows, as a user reads them. */
	async problems(): Promise<string[]> {
		await this.command('Problems: Focus on Problems View');
		const rows = this.page.locator('.markers-panel .monaco-list-row');
		return (await rows.allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
	}

	/** Waits for a webview that shows an element of this role (and accessible name) and gives its frame. */
	frameOf(role: Role, name?: Text): Promise<Frame> {
		const options = name === undefined ? {} : { name, exact: typeof name === 'string' };
		return until(`a webview with the role ${role} ${name ?? ''}`, async () => {
			for (const frame of this.page.frames().slice(1)) {
				// A frame may go away while it is asked.
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

	/** All that can be read in the window and its webviews. */
	async text(): Promise<string> {
		const texts = this.page.frames().map((frame) =>
			frame
				.locator('body')
				.innerText({ timeout: 2_000 })
				.catch((error) => `(${error})`),
		);
		return (
			(await Promise.all(texts))
				// A frame of the editor itself, which shows nobody its script.
				.filter((text) => !text.includes('vscodeWebWorkerExtHostId'))
				.map((text) => text.replace(/\s*\n\s*/g, ' | ').slice(0, 1_500))
				.join('\n')
		);
	}

	/** The pages that the extension had the browser open. Pages of other machines stay empty: nothing leaves this one. */
	externalPages(): Page[] {
		return this.#context.pages().filter((page) => page !== this.page);
	}

	/** Waits for an external page and lets the editor's own question about its domain pass. */
	async externalPage(url: Text): Promise<Page> {
		const matches = (found: string) => (typeof url === 'string' ? found === url : url.test(found));
		const consent = this.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Open', exact: true });
		const opened = await until(`an external page ${url}`, async () => {
			if (await consent.isVisible()) {
				await consent.click();
			}
			return this.externalPages().find((page) => matches(page.url()));
		});
		// An editor in the background draws its notifications late.
		await this.page.bringToFront();
		return opened;
	}

	/** What the extension host has logged so far, as far as the window was told. */
	extensionHostLog(): readonly LogLine[] {
		return this.#log.filter(({ text }) => /\[Extension Host\]|\[mcp-elicitation/i.test(text));
	}

	/** Errors and unhandled rejections of our extension. A window that has any cannot be closed without failing. */
	faults(): string[] {
		return faultsOfExtension(this.#log);
	}

	/** The errors since the last time they were taken, for windows that several tests share. */
	takeFaults(): string[] {
		const faults = this.faults();
		this.#log.length = 0;
		return faults;
	}

	/** Closes a tab with its cross. */
	async closeTab(name: string): Promise<void> {
		const tab = this.page.getByRole('tab', { name, exact: true });
		await tab.hover();
		await tab.getByRole('button', { name: /^Close/ }).click();
	}

	/** Closes every editor tab, so that the next test starts with none. A form that is open is cancelled by it. */
	async closeTabs(): Promise<void> {
		await this.#bell.close();
		const tab = this.page.locator('.tabs-container .tab').first();
		await until('no tab to be open', async () => {
			if (await tab.isVisible()) {
				await this.command('View: Close All Editors');
			}
			// The end of a form may open the result of its call.
			return !(await appears(tab, 200));
		});
	}

	/** Saves a picture of the window as `test-results/e2e/<name>.png`. */
	async screenshot(name: string): Promise<string> {
		const path = join(inject('editor').results, `${name.replace(/[^\w-]+/g, '-')}.png`);
		await this.page.screenshot({ path, animations: 'disabled' });
		return path;
	}

	/**
	 * Loads the window again, as a user would.
	 * @param remembered what the window must have stored before: it stores a moment after what the user has done
	 */
	async reload(remembered?: string): Promise<void> {
		if (remembered !== undefined) {
			await until(`${remembered} to be remembered`, () => this.page.evaluate(storedInWindow, remembered));
		}
		await this.page.reload();
		await ready(this.page);
	}

	/** Closes the window and forgets the workspace; fails when the extension left an error behind. */
	async close(): Promise<void> {
		if (this.#closed) {
			return;
		}
		this.#closed = true;
		await this.#context.close();
		await rm(this.workspace, { recursive: true, force: true, maxRetries: 5 });
		const faults = this.faults();
		if (faults.length > 0) {
			throw new Error(`The extension left errors behind:\n${faults.join('\n')}`);
		}
	}
}

/** Opens a window on a fresh workspace and waits until it is ready to be used. */
export async function openEditor(options: EditorOptions = {}): Promise<Editor> {
	const { files = {}, settings = {}, workspaceFile, machineSettings = {}, firstDay = false } = options;
	const { trusted: trust = !firstDay, language = 'en', beside = [] } = options;
	const workspace = await realpath(await mkdtemp(join(tmpdir(), 'mcp-elicitation-workspace-')));
	const all = { ...files, '.vscode/settings.json': JSON.stringify(settings) };
	for (const [path, content] of Object.entries(all)) {
		await mkdir(dirname(join(workspace, path)), { recursive: true });
		await writeFile(join(workspace, path), content);
	}
	const [browser, host] = await Promise.all([
		sharedBrowser(),
		sharedHost({ trust, language, beside, fresh: firstDay }),
	]);
	await host.configure(machineSettings);
	if (options.userSettings) {
		await host.personalise(options.userSettings);
	}
	if (options.editorServers) {
		await host.personalise({ servers: options.editorServers }, 'mcp.json');
	}
	const context = await browser.newContext({
		viewport: { width: 1280, height: 800 },
		deviceScaleFactor: options.scale ?? 1,
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	await context.route(
		({ hostname }) => !/^(localhost|127\.0\.0\.1|\[::1\])$|\.vscode-cdn\.net$/.test(hostname),
		(route) => route.fulfill({ contentType: 'text/html', body: '<title>external page</title>' }),
	);
	// What hosts this editor as a product gives it half of a key; without it, secrets do not outlive the page.
	await context.route('**/mint-key', (route) => route.fulfill({ body: Buffer.alloc(32, 'secret') }));
	const page = await context.newPage();
	const editor = new Editor(page, workspace);
	const folder = workspaceFile === undefined ? { folder: workspace } : { workspace: join(workspace, workspaceFile) };
	const opened: Record<string, string> = firstDay ? { ew: 'true' } : folder;
	await page.goto(`${host.url}/?${new URLSearchParams(opened)}`);
	await ready(page);
	return editor;
}

/** The status bar is drawn last. What extensions add to the window still arrives after that. */
async function ready(page: Page): Promise<void> {
	await page.locator('.monaco-workbench .statusbar-item').first().waitFor();
}

/** Whether the state that the page stores holds a text. Runs in the page. */
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

/** Where an element is; undefined when it is not shown. */
async function boxOf(element: Locator) {
	return (await element.count()) > 0
		? ((await element.boundingBox({ timeout: 1000 }).catch(() => null)) ?? undefined)
		: undefined;
}

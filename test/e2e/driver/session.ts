import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { inject } from 'vitest';
import { launchBrowser } from '../../harness/browser.mjs';
import { addTestExtension } from '../../harness/testExtensions.mjs';
import { startWebHost } from '../../harness/webHost.mjs';
import { succeeds } from './waiting.ts';

/** An extension that tests install in addition to ours. */
export type TestExtension = Parameters<typeof addTestExtension>[0];

declare module 'vitest' {
	interface ProvidedContext {
		editor: { browser: string; node: string; vscode: string; extensions: string; results: string };
	}
}

export type Host = Awaited<ReturnType<typeof startWebHost>>;

/**
 * Shared by the test files of a worker: a browser, and an editor server with the default configuration, started on first
 * use. Servers with another configuration are shared by the tests of one file.
 */
let browser: Promise<Browser> | undefined;
const hosts = new Map<string, Promise<Host>>();
const folders: string[] = [];

/**
 * Emptied pages of closed windows. A window takes a quarter less time in such a page, whose process has
 * compiled the workbench.
 */
let pages: readonly { readonly page: Page; readonly origin: string; readonly scale: number }[] = [];

/** A page without anything stored, for a window of this server. */
export async function pageFor({ url }: Host, scale: number): Promise<Page> {
	const viewport = { width: 1280, height: 800 };
	const kept = pages.find((each) => each.origin === url && each.scale === scale);
	if (kept !== undefined) {
		pages = pages.filter((each) => each !== kept);
		await kept.page.setViewportSize(viewport);
		return kept.page;
	}
	browser ??= startBrowser();
	const context = await (await browser).newContext({
		viewport,
		deviceScaleFactor: scale,
		permissions: ['clipboard-read', 'clipboard-write'],
		// Spinners and progress bars are painted sixty times a second.
		reducedMotion: 'reduce',
	});
	return context.newPage();
}

/** What an address of another host shows. */
const EXTERNAL = Buffer.from('<title>external page</title>');

/** A hosted web editor gets half of its encryption key from the server. Without it, secrets aren't kept across reloads. */
const KEY = Buffer.alloc(32, 'secret');

/** The pages of other hosts, of which no test may need a real one, and the key. */
const ANSWERED = ['https://*', 'http://*.example.com/*', '*/mint-key'];

/**
 * What spares processor time. A page keeps the workbench, of 19 MB, for the next window that it shows; the first of these features is what
 * Playwright turns on. And windows close before code that is optimized for them pays off.
 */
const SPARING = [
	'--enable-features=CDPScreenshotNewSurface,MemoryCacheStrongReference:memory_cache_strong_ref_total_size_threshold/200000000/memory_cache_strong_ref_resource_size_threshold/100000000',
	'--js-flags=--no-turbofan',
];

/**
 * Starts a browser that answers requests to other hosts itself, so that none leaves this machine. It does so for the whole
 * browser: Playwright's routes would turn off the cache of every page that has one.
 */
async function startBrowser(): Promise<Browser> {
	const started = await launchBrowser(inject('editor').browser, SPARING);
	const session = await started.newBrowserCDPSession();
	session.on('Fetch.requestPaused', ({ requestId, request }) => {
		const body = new URL(request.url).pathname === '/mint-key' ? KEY : EXTERNAL;
		const responseHeaders = [{ name: 'Content-Type', value: 'text/html' }];
		const response = { requestId, responseCode: 200, responseHeaders, body: body.toString('base64') };
		// The page may have been closed meanwhile.
		void succeeds(session.send('Fetch.fulfillRequest', response));
	});
	await session.send('Fetch.enable', { patterns: ANSWERED.map((urlPattern) => ({ urlPattern })) });
	return started;
}

/** Goes to another address. An editor that is not saved asks whether to leave. */
export async function leave(page: Page, url: string): Promise<void> {
	page.on('dialog', (dialog) => dialog.accept());
	await page.goto(url);
}

/** Ends what the page shows, deletes what it has stored, and keeps it for the next window. */
export async function keepPage(page: Page): Promise<void> {
	const context = page.context();
	try {
		await Promise.all(context.pages().map((other) => other !== page && other.close()));
		await leave(page, new URL('/version', page.url()).href);
		await page.evaluate(deleteStored);
		await context.clearCookies();
		for (const event of ['console', 'pageerror', 'dialog']) {
			page.removeAllListeners(event);
		}
		context.removeAllListeners('request');
		const scale = await page.evaluate(() => devicePixelRatio);
		pages = [...pages, { page, origin: new URL(page.url()).origin, scale }];
	} catch {
		// A page that was closed or has crashed is of no use any more.
		await context.close();
	}
}

/** Deletes everything that the workbench has stored. Runs in the page. */
async function deleteStored(): Promise<void> {
	localStorage.clear();
	sessionStorage.clear();
	for (const { name = '' } of await indexedDB.databases()) {
		await new Promise((resolve, reject) => {
			const request = indexedDB.deleteDatabase(name);
			request.onsuccess = resolve;
			request.onerror = () => reject(request.error);
		});
	}
}

export interface HostKind {
	readonly trust: boolean;
	readonly language: string;
	/** Extensions to install as well. */
	readonly beside: readonly TestExtension[];
	/** Whether the editor's JavaScript debugger is there. */
	readonly debugger: boolean;
	/** Starts without any settings. */
	readonly fresh: boolean;
}

/** The extensions of the editor itself that the tests need. A window of the first day has them all. */
const BUILTINS = [
	'configuration-editing',
	'javascript',
	'json',
	'json-language-features',
	'markdown-basics',
	'python',
	'theme-defaults',
	'theme-modern-icons',
	'theme-seti',
	'typescript-basics',
];

/** Its manifest is larger than those of all others together, and is read a dozen times as a window opens. */
const DEBUGGER = ['debug-auto-launch', 'ms-vscode.js-debug', 'ms-vscode.js-debug-companion'];

const DEFAULT = JSON.stringify({
	trust: true,
	language: 'en',
	beside: [],
	debugger: false,
	fresh: false,
} satisfies HostKind);

export function sharedHost(kind: HostKind): Promise<Host> {
	const key = JSON.stringify(kind);
	const host = hosts.get(key) ?? start(kind);
	hosts.set(key, host);
	return host;
}

async function start({ trust, language, beside, debugger: debugs, fresh }: HostKind): Promise<Host> {
	const { node, vscode, extensions, results } = inject('editor');
	const logFile = join(results, 'server.log');
	const builtins = [...BUILTINS, ...(debugs ? DEBUGGER : [])];
	const more = { ...(language === 'en' ? {} : { language }), ...(fresh ? {} : { builtins }) };
	return startWebHost({
		...{ node, vscode, trust, fresh, logFile, ...more },
		extensions: beside.length > 0 ? await extensionsWith(beside, extensions) : extensions,
	});
}

async function extensionsWith(beside: readonly TestExtension[], extensions: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-extensions-'));
	folders.push(folder);
	await cp(extensions, folder, { recursive: true });
	for (const name of beside) {
		await addTestExtension(name, folder);
	}
	return folder;
}

/** Stops the servers that only this file has used, and gives the other one empty data folders. */
export async function endOfFile(): Promise<void> {
	const shared = await hosts.get(DEFAULT);
	await Promise.all(
		[...hosts.values()].map(async (host) => ((await host) === shared ? shared?.reset() : (await host).stop())),
	);
	hosts.clear();
	if (shared !== undefined) {
		hosts.set(DEFAULT, Promise.resolve(shared));
	}
	const useless = pages.filter(({ origin }) => origin !== shared?.url);
	pages = pages.filter((each) => !useless.includes(each));
	await Promise.all(useless.map(({ page }) => page.context().close()));
	await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}

// A worker is ended by this signal. What it has started ends with it.
process.once('SIGTERM', () => process.exit());

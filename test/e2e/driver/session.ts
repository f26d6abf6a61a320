import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { inject } from 'vitest';
import { launchBrowser } from '../../harness/browser.mjs';
import { addTestExtension } from '../../harness/testExtensions.mjs';
import { startWebHost } from '../../harness/webHost.mjs';

/** An extension that tests install in addition to ours. */
export type TestExtension = Parameters<typeof addTestExtension>[0];

declare module 'vitest' {
	interface ProvidedContext {
		editor: { browser: string; node: string; vscode: string; extensions: string; results: string };
	}
}

export type Host = Awaited<ReturnType<typeof startWebHost>>;

/** Shared by the tests of one file: a browser, and one editor server per host configuration, started on first use. */
let browser: Promise<Browser> | undefined;
const hosts = new Map<string, Promise<Host>>();
const folders: string[] = [];

export function sharedBrowser(): Promise<Browser> {
	browser ??= launchBrowser(inject('editor').browser);
	return browser;
}

export interface HostKind {
	readonly trust: boolean;
	readonly language: string;
	/** Extensions to install as well. */
	readonly beside: readonly TestExtension[];
	/** Starts without any settings. */
	readonly fresh: boolean;
}

export function sharedHost(kind: HostKind): Promise<Host> {
	const key = JSON.stringify(kind);
	const host = hosts.get(key) ?? start(kind);
	hosts.set(key, host);
	return host;
}

async function start({ trust, language, beside, fresh }: HostKind): Promise<Host> {
	const { node, vscode, extensions, results } = inject('editor');
	const logFile = join(results, 'server.log');
	const more = language === 'en' ? {} : { language };
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

export async function endSession(): Promise<void> {
	await (await browser)?.close();
	await Promise.all([...hosts.values()].map(async (host) => (await host).stop()));
	await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}

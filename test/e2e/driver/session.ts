import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { inject } from 'vitest';
import { launchBrowser } from '../../harness/browser.mjs';
import { startWebHost } from '../../harness/webHost.mjs';

declare module 'vitest' {
	interface ProvidedContext {
		editor: { browser: string; node: string; vscode: string; extensions: string; results: string };
	}
}

export type Host = Awaited<ReturnType<typeof startWebHost>>;

/** What the tests of one file share: a browser, and one server per kind of trust and language, each started when first needed. */
let browser: Promise<Browser> | undefined;
const hosts = new Map<string, Promise<Host>>();

export function sharedBrowser(): Promise<Browser> {
	browser ??= launchBrowser(inject('editor').browser);
	return browser;
}

export function sharedHost(trust: boolean, language = 'en'): Promise<Host> {
	const { node, vscode, extensions, results } = inject('editor');
	const key = `${trust} ${language}`;
	const logFile = join(results, 'server.log');
	const more = language === 'en' ? {} : { language };
	const host = hosts.get(key) ?? startWebHost({ node, vscode, extensions, trust, logFile, ...more });
	hosts.set(key, host);
	return host;
}

export async function endSession(): Promise<void> {
	await (await browser)?.close();
	await Promise.all([...hosts.values()].map(async (host) => (await host).stop()));
}

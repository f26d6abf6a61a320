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

/** What the tests of one file share: a browser, and one server per kind of trust, each started when first needed. */
let browser: Promise<Browser> | undefined;
const hosts = new Map<boolean, Promise<Host>>();

export function sharedBrowser(): Promise<Browser> {
	browser ??= launchBrowser(inject('editor').browser);
	return browser;
}

export function sharedHost(trust: boolean): Promise<Host> {
	const { node, vscode, extensions, results } = inject('editor');
	const known = hosts.get(trust);
	const host = known ?? startWebHost({ node, vscode, extensions, trust, logFile: join(results, 'server.log') });
	hosts.set(trust, host);
	return host;
}

export async function endSession(): Promise<void> {
	await (await browser)?.close();
	await Promise.all([...hosts.values()].map(async (host) => (await host).stop()));
}

// @ts-check
const QUIET = [
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Max time that the browser may take to start (ms), generous because CI machines are slow. */
const TIMEOUT = 120_000;

/**
 * Starts headless Chromium.
 * @param {string} executablePath
 * @param {readonly string[]} more arguments
 */
export async function launchBrowser(executablePath, more = []) {
	// Reads when it is loaded where its own browsers are, which the toolchain decides.
	const { chromium } = await import('playwright-core');
	const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
	return chromium.launch({ executablePath, args: [...QUIET, ...sandbox, ...more], timeout: TIMEOUT });
}

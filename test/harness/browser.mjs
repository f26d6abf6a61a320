// @ts-check
import { chromium } from 'playwright-core';

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
 */
export function launchBrowser(executablePath) {
	const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
	return chromium.launch({ executablePath, args: [...QUIET, ...sandbox], timeout: TIMEOUT });
}

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

/**
 * Starts headless Chromium.
 * @param {string} executablePath
 */
export function launchBrowser(executablePath) {
	const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
	return chromium.launch({ executablePath, args: [...QUIET, ...sandbox] });
}

// @ts-check
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Build output; everything in it can be deleted. */
export const dist = join(root, 'dist');

/** Logs, screenshots and counts of the last run of each suite. */
export const results = join(root, 'test-results');

/** Where downloaded tools are kept between runs and between checkouts. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mcp-elicitation');

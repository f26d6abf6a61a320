// @ts-check
/** How fast the timeline opens with 100,000 messages, live or recorded, whether it scrolls without a stop, and what memory its bound leaves. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tell } from '../harness/process.mjs';
import { get, inEditor, inWebview, post } from './editor.mjs';
import { median, percentile } from './report.mjs';

const MESSAGES = 100_000;
const ROUNDS = 9;
const FRAMES = 240;
const JUMPS = 30;
const MEGABYTE = 1024 * 1024;

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default function timelineBenchmarks() {
	return inEditor('chatty', { 'mcpElicitation.trace.maxMessages': MESSAGES }, rememberShown, measure);
}

/**
 * @param {import('playwright-core').Page} page
 * @param {number} panel
 * @param {number} server
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
async function measure(page, panel, server) {
	tell(`timeline: ${MESSAGES} messages`);
	await post(server, { count: MESSAGES });
	await filled(page, panel, /message 99999 /);
	const bounded = await heap(panel);
	/** @type {number[]} */
	const empty = [];
	/** @type {number[]} */
	const opened = [];
	for (let round = 0; round <= ROUNDS; round++) {
		tell(`timeline: round ${round} of ${ROUNDS}`);
		empty.push(await timeUntil(page, panel, '/', 'input'));
		await close(page, panel);
		opened.push(await timeUntil(page, panel, '/run/mcpElicitation.showTimeline', '[role=treeitem]'));
		if (round < ROUNDS) {
			await close(page, panel);
		}
	}
	const scrolled = await scroll(page);
	await close(page, panel);
	const recording = await recordingBenchmarks(page, panel);
	tell('timeline: as many messages once more');
	await post(server, { count: MESSAGES });
	await filled(page, panel, /message 199999 /);
	return [
		{
			name: 'timeline of 100,000 messages, ms',
			value: median(opened.slice(1)),
			baseline: median(empty.slice(1)),
			baselineName: 'empty webview panel',
			goal: '≤ 500',
		},
		{
			name: 'scrolling it, frame p95, ms',
			value: percentile(scrolled.frames, 0.95),
			...{ baseline: percentile(scrolled.still, 0.95), baselineName: 'standing still' },
			goal: '≤ 33',
		},
		{
			name: 'jumping in it, rows shown p95, ms',
			value: percentile(scrolled.jumps, 0.95),
			...{ baseline: percentile(scrolled.still, 0.95), baselineName: 'standing still' },
			goal: '≤ 100',
		},
		{
			name: 'heap after 200,000 messages, MB',
			value: (await heap(panel)) / MEGABYTE,
			baseline: bounded / MEGABYTE,
			baselineName: 'after 100,000',
			goal: 'ratio ≤ 1.1',
		},
		...recording,
	];
}

/**
 * Opens a recording of as many messages, in which every fourth one is a request for input.
 * @param {import('playwright-core').Page} page
 * @param {number} panel
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
async function recordingBenchmarks(page, panel) {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-recording-'));
	const file = join(folder, 'mcp-timeline.jsonl');
	await writeFile(file, recordedLines().join('\n'));
	/** @type {number[]} */
	const parsed = [];
	/** @type {number[]} */
	const opened = [];
	for (let round = 0; round <= ROUNDS; round++) {
		tell(`timeline: recording, round ${round} of ${ROUNDS}`);
		parsed.push(await timeOfParsing(file));
		opened.push(await timeUntil(page, panel, `/open${file}`, '[role=treeitem]'));
		if (round < ROUNDS) {
			await close(page, panel);
		}
	}
	const { still, frames } = await scroll(page);
	await close(page, panel);
	await rm(folder, { recursive: true });
	return [
		{
			name: 'recording of 100,000 messages, ms',
			value: median(opened.slice(1)),
			...{ baseline: median(parsed.slice(1)), baselineName: 'reading and parsing its lines' },
			goal: '≤ 1000',
		},
		{
			name: 'scrolling it, frame p95, ms',
			value: percentile(frames, 0.95),
			...{ baseline: percentile(still, 0.95), baselineName: 'standing still' },
			goal: '≤ 33',
		},
	];
}

/**
 * Milliseconds in which this process reads a file and parses its lines, all of which it keeps.
 * @param {string} file
 */
async function timeOfParsing(file) {
	const start = performance.now();
	const lines = (await readFile(file, 'utf8')).split('\n').map((line) => JSON.parse(line));
	const time = performance.now() - start;
	if (lines.length !== MESSAGES) {
		throw new Error(`The recording has ${lines.length} lines.`);
	}
	return time;
}

/** Calls with one request for input each, as they are exported. */
function recordedLines() {
	const params = {
		message: 'Who deploys?',
		requestedSchema: { type: 'object', properties: { name: { type: 'string' }, pin: { format: 'password' } } },
	};
	return Array.from({ length: MESSAGES / 4 }, (_, id) => [
		['sent', { id, method: 'tools/call', params: { name: 'deploy', arguments: { place: `place ${id}` } } }],
		['received', { id, method: 'elicitation/create', params }],
		['sent', { id, result: { action: 'accept', content: { name: 'Ada', pin: '‹redacted›' } } }],
		['received', { id, result: { content: [{ type: 'text', text: 'deployed' }] } }],
	])
		.flatMap((messages, id) =>
			messages.map(([direction, message]) => ({
				direction,
				call: { id: String(id), kind: 'tool', name: 'deploy' },
				message,
			})),
		)
		.map((line, seq) => JSON.stringify({ seq, at: new Date(1.8e12 + seq).toISOString(), server: 'recorded', ...line }));
}

/**
 * Opens the timeline, waits until it says so, and closes it.
 * @param {import('playwright-core').Page} page
 * @param {number} panel
 * @param {RegExp} text
 */
async function filled(page, panel, text) {
	await get(panel, '/run/mcpElicitation.showTimeline');
	const { frame } = await frameThatShows(page, '[role=treeitem]');
	for (const patience = Date.now() + 60_000; !(await frame.getByText(text).first().isVisible()); ) {
		if (Date.now() > patience) {
			throw new Error(`The timeline did not say ${text} within 60 s.`);
		}
		await frame.getByRole('tree').press('End');
	}
	await close(page, panel);
}

/**
 * @param {import('playwright-core').Page} page
 * @param {number} panel
 */
async function close(page, panel) {
	await get(panel, '/run/workbench.action.closeAllEditors');
	await page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
}

/**
 * Runs in every webview: when did it first show an input, and a row? It looks itself, because questions from outside take
 * the time of the processor that is measured.
 */
function rememberShown() {
	if (window === window.top) {
		return;
	}
	/** @type {Record<string, number>} */
	const shownAt = {};
	const look = () => {
		for (const selector of ['input', '[role=treeitem]']) {
			if (document.querySelector(selector)) {
				shownAt[selector] ??= Date.now();
			}
		}
		setTimeout(look, 5);
	};
	Object.assign(globalThis, { shownAt });
	look();
}

/**
 * Milliseconds from a request to the other extension until a webview shows an element.
 * @param {import('playwright-core').Page} page
 * @param {number} panel
 * @param {string} path
 * @param {'input' | '[role=treeitem]'} selector
 */
async function timeUntil(page, panel, path, selector) {
	const { t0 } = await get(panel, path);
	const { at } = await frameThatShows(page, selector);
	return at - t0;
}

/**
 * The webview that shows an element, and since when.
 * @param {import('playwright-core').Page} page
 * @param {'input' | '[role=treeitem]'} selector
 */
async function frameThatShows(page, selector) {
	const { frame, found } = await inWebview(page, selector, (each) =>
		each.evaluate(
			(element) => /** @type {number | undefined} */ (Reflect.get(globalThis, 'shownAt')?.[element]),
			selector,
		),
	);
	return { frame, at: found };
}

/**
 * Looks at the list, then scrolls through all of it, frame by frame, then jumps about in it.
 * @param {import('playwright-core').Page} page
 */
async function scroll(page) {
	tell('timeline: scrolling');
	const { frame } = await frameThatShows(page, '[role=treeitem]');
	return frame.evaluate(
		async ([count, jumpCount]) => {
			const list = /** @type {HTMLElement} */ (document.querySelector('[role=tree]'));
			const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
			const end = list.scrollHeight - list.clientHeight;
			const framesOf = async (/** @type {(index: number) => void} */ move) => {
				/** @type {number[]} */
				const frames = [];
				let before = performance.now();
				for (let index = 0; index < count; index++) {
					move(index);
					await nextFrame();
					const now = performance.now();
					frames.push(now - before);
					before = now;
				}
				return frames;
			};
			const still = await framesOf(() => {});
			const frames = await framesOf((index) => {
				list.scrollTop = (end * index) / count;
			});
			const shown = () => {
				const { top, bottom } = list.getBoundingClientRect();
				return [...list.querySelectorAll('[role=treeitem]')].some((row) => {
					const box = row.getBoundingClientRect();
					return box.top < bottom && box.bottom > top && (row.textContent ?? '').trim() !== '';
				});
			};
			/** @type {number[]} */
			const jumps = [];
			for (let index = 0; index < jumpCount; index++) {
				list.scrollTop = (end * ((index * 7919) % jumpCount)) / jumpCount;
				const start = performance.now();
				do {
					await nextFrame();
				} while (!shown());
				jumps.push(performance.now() - start);
			}
			return { still, frames, jumps };
		},
		/** @type {const} */ ([FRAMES, JUMPS]),
	);
}

/** @param {number} panel */
async function heap(panel) {
	const { bytes } = await get(panel, '/heap');
	return bytes;
}

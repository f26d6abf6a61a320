// @ts-check
/** How fast the timeline opens with 100,000 messages, live or recorded, whether it scrolls without a stop, and what memory its bound leaves. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tell } from '../harness/process.mjs';
import { inFolder } from './bundles.mjs';
import { ask, inEditor } from './editor.mjs';
import { inTurns, median, percentile, until } from './report.mjs';
import { close, frameThatShows, rememberShown, timeUntil } from './shown.mjs';

const MESSAGES = 100_000;
const ROUNDS = 9;
const FRAMES = 240;
const JUMPS = 30;
const MEGABYTE = 1024 * 1024;

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default function timelineBenchmarks() {
	return inEditor({ 'mcpElicitation.trace.maxMessages': MESSAGES }, rememberShown, measure);
}

/**
 * @param {import('playwright-core').Page} page
 * @param {number} panel
 * @param {number} server
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
async function measure(page, panel, server) {
	tell(`timeline: ${MESSAGES} messages`);
	await ask(server, '/say', { count: MESSAGES });
	await filled(page, panel, /message 99999 /);
	const bounded = await heap(panel);
	const { empty, opened } = await inTurns('timeline', ROUNDS, {
		empty: () => timeUntil(page, panel, '/', 'input'),
		opened: () => timeUntil(page, panel, '/run/mcpElicitation.showTimeline', '[role=treeitem]'),
	});
	const { still, frames, jumps } = await scroll(page, panel, '/run/mcpElicitation.showTimeline');
	const recording = await inFolder((folder) => recordingBenchmarks(page, panel, join(folder, 'mcp-timeline.jsonl')));
	tell('timeline: as many messages once more');
	await ask(server, '/say', { count: MESSAGES });
	await filled(page, panel, /message 199999 /);
	const standing = /** @type {const} */ ([percentile(still, 0.95), 'standing still']);
	return [
		['timeline of 100,000 messages, ms', median(opened), [median(empty), 'empty webview panel'], '≤ 500'],
		['scrolling it, frame p95, ms', percentile(frames, 0.95), standing, '≤ 33'],
		['jumping in it, rows shown p95, ms', percentile(jumps, 0.95), standing, '≤ 100'],
		[
			'heap after 200,000 messages, MB',
			(await heap(panel)) / MEGABYTE,
			[bounded / MEGABYTE, 'after 100,000'],
			'ratio ≤ 1.1',
		],
		...recording,
	];
}

/**
 * Opens a recording of as many messages, in which every fourth one is a request for input.
 * @param {import('playwright-core').Page} page
 * @param {number} panel
 * @param {string} file
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
async function recordingBenchmarks(page, panel, file) {
	await writeFile(file, recordedLines().join('\n'));
	const { parsed, opened } = await inTurns('timeline, recording', ROUNDS, {
		parsed: () => timeOfParsing(file),
		opened: () => timeUntil(page, panel, `/open${file}`, '[role=treeitem]'),
	});
	const { still, frames } = await scroll(page, panel, `/open${file}`);
	const parsing = /** @type {const} */ ([median(parsed), 'reading and parsing its lines']);
	return [
		['recording of 100,000 messages, ms', median(opened), parsing, '≤ 1000'],
		['scrolling it, frame p95, ms', percentile(frames, 0.95), [percentile(still, 0.95), 'standing still'], '≤ 33'],
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
	await ask(panel, '/run/mcpElicitation.showTimeline');
	const { frame } = await frameThatShows(page, '[role=treeitem]');
	const look = async () => {
		await frame.getByRole('tree').press('End');
		return (await frame.getByText(text).first().isVisible()) || undefined;
	};
	await until(`the timeline says ${text}`, look, 60);
	await close(page, panel);
}

/**
 * Opens a list, looks at it, then scrolls through all of it, frame by frame, then jumps about in it.
 * @param {import('playwright-core').Page} page
 * @param {number} panel
 * @param {string} path what opens it
 */
async function scroll(page, panel, path) {
	tell('timeline: scrolling');
	await ask(panel, path);
	const { frame } = await frameThatShows(page, '[role=treeitem]');
	const times = await frame.evaluate(
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
	await close(page, panel);
	return times;
}

/** @param {number} panel */
async function heap(panel) {
	return (await ask(panel, '/heap')).bytes;
}

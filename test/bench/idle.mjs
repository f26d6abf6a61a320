// @ts-check
/**
 * What a window costs in which nobody does anything: the processor time of its extension host while a server over stdio is
 * connected and its elicitation waits for the person, or ten of its tasks run, beside the same window without a server; and that of the
 * extension's own process.
 * Read from /proc, so on Linux only.
 */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tell } from '../harness/process.mjs';
import { fromProc } from '../harness/processTree.mjs';
import { ask, port, told, withEditor } from './editor.mjs';
import { until } from './report.mjs';

/** What has just been opened comes to rest, and then nothing happens (milliseconds). */
const REST = 70_000;
const IDLE = 60_000;
/** Calls that run as tasks, each of which is polled every second. */
const TASKS = 10;

const elicitation = {
	message: 'Take your time',
	requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
};

/** @typedef {{ host: number, reaper: number }} Used processor time within a minute (milliseconds); NaN of a process that does not run */

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default async function idleBenchmarks() {
	const [without, waiting, polling] = await withEditor(['emptyPanel.cjs'], async (editor) => {
		const [asking, running] = ['asking', 'running'].map((name) => join(editor.folder, `${name}.port`));
		return [
			await idleWindow(editor, {}, async () => {}),
			await idleWindow(editor, told(String(asking)), async () => ask(await port(String(asking)), '/ask', elicitation)),
			await idleWindow(editor, told(String(running)), async (panel) => runTasks(panel, await port(String(running)))),
		];
	});
	const baseline = /** @type {const} */ ([without?.host ?? Number.NaN, 'without a server']);
	return [
		['idle extension host, ms of CPU a minute', waiting?.host ?? Number.NaN, baseline],
		[`idle extension host with ${TASKS} tasks, ms of CPU a minute`, polling?.host ?? Number.NaN, baseline],
		['idle process of its own, ms of CPU a minute', waiting?.reaper ?? Number.NaN, undefined, '0'],
	];
}

/**
 * @param {import('./editor.mjs').Editor} editor
 * @param {Record<string, unknown>} settings
 * @param {(panel: number) => Promise<unknown>} begin is given the port of the other extension
 * @returns {Promise<Used>}
 */
async function idleWindow({ host, folder, newPage, panelPort }, settings, begin) {
	await host.configure(settings);
	await rm(panelPort, { force: true });
	const page = await newPage();
	await page.goto(`${host.url}/?${new URLSearchParams({ folder })}`);
	const panel = await port(panelPort);
	await begin(panel);
	tell(`idle: ${(REST + IDLE) / 1000} s`);
	await pause(REST);
	const used = async () => ({ host: (await ask(panel, '/cpu')).ms, reaper: reaperTime(folder) ?? Number.NaN });
	const before = await used();
	await pause(IDLE);
	const after = await used();
	await page.context().close();
	return { host: after.host - before.host, reaper: after.reaper - before.reaper };
}

/**
 * Calls a tool that runs as a task, and waits until all tasks are polled.
 * @param {number} panel
 * @param {number} server
 */
async function runTasks(panel, server) {
	for (let count = 0; count < TASKS; count++) {
		await ask(panel, '/call/told/wait');
	}
	await until(`${TASKS} tasks are polled`, async () => {
		const { tasks, polls } = await ask(server, '/tasks');
		return (tasks === TASKS && polls >= TASKS) || undefined;
	});
}

/**
 * The processor time of the process that ends the servers when their editor is killed (ms); undefined when there is none.
 * @param {string} folder in which the extension is installed
 */
function reaperTime(folder) {
	const reaper = fromProc().find(([pid]) => {
		try {
			const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
			return command.includes(folder) && command.includes('reaper.mjs');
		} catch {
			// Gone.
			return false;
		}
	});
	return reaper && 1000 * reaper[2];
}

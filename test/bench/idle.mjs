// @ts-check
/**
 * What a window costs in which nobody does anything: the processor time of its extension host while a server over stdio is
 * connected and its elicitation waits for the person, or ten of its tasks run, beside the same window without a server; and that of the
 * extension's own process.
 * Read from /proc, so on Linux only.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../harness/paths.mjs';
import { tell } from '../harness/process.mjs';
import { get, port, post, withEditor } from './editor.mjs';

/** What has just been opened comes to rest, and then nothing happens (milliseconds). */
const REST = 70_000;
const IDLE = 60_000;
/** Calls that run as tasks, each of which is polled every second. */
const TASKS = 10;
/** Of the clock by which Linux counts processor time (milliseconds). */
const TICK = 10;

const elicitation = {
	message: 'Take your time',
	requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
};

/** @typedef {{ host: number, reaper: number }} Used processor time within a minute (milliseconds); NaN of a process that does not run */

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default async function idleBenchmarks() {
	const [without, waiting, polling] = await withEditor(['empty-panel'], async (editor) => {
		/** @param {string} server */
		const portOf = (server) => join(editor.folder, `${server}.port`);
		/** @param {string} server */
		const settings = (server) => ({
			'mcpElicitation.autoStart': true,
			'mcpElicitation.servers': {
				[server]: { command: process.execPath, args: [join(root, 'test', 'bench', `${server}.mjs`), portOf(server)] },
			},
		});
		const without = await idleWindow(editor, {}, async () => {});
		const waiting = await idleWindow(editor, settings('asker'), async () =>
			post(await port(portOf('asker')), elicitation),
		);
		const polling = await idleWindow(editor, settings('tasker'), (panel) => runTasks(panel, portOf('tasker')));
		return [without, waiting, polling];
	});
	return [
		{
			name: 'idle extension host, ms of CPU a minute',
			value: waiting.host,
			baseline: without.host,
			baselineName: 'without a server',
		},
		{
			name: `idle extension host with ${TASKS} tasks, ms of CPU a minute`,
			value: polling.host,
			baseline: without.host,
			baselineName: 'without a server',
		},
		{ name: 'idle process of its own, ms of CPU a minute', value: waiting.reaper, goal: '0' },
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
	const used = async () => ({ host: (await get(panel, '/cpu')).ms, reaper: reaperTime(folder) ?? Number.NaN });
	const before = await used();
	await pause(IDLE);
	const after = await used();
	await page.context().close();
	return { host: after.host - before.host, reaper: after.reaper - before.reaper };
}

/**
 * Calls a tool that runs as a task, and waits until all tasks are polled.
 * @param {number} panel
 * @param {string} portFile
 */
async function runTasks(panel, portFile) {
	const server = await port(portFile);
	for (let count = 0; count < TASKS; count++) {
		await get(panel, '/call/tasker/wait');
	}
	for (const patience = Date.now() + 30_000; Date.now() < patience; ) {
		const { tasks, polls } = await get(server, '/');
		if (tasks === TASKS && polls >= TASKS) {
			return;
		}
		await pause(100);
	}
	throw new Error(`${TASKS} tasks were not polled within 30 s.`);
}

/**
 * The processor time of the process that ends the servers when their editor is killed; undefined when there is none.
 * @param {string} folder in which the extension is installed
 */
function reaperTime(folder) {
	const pid = readdirSync('/proc').find((name) => {
		try {
			const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
			return command.includes(folder) && command.includes('reaper.mjs');
		} catch {
			// No process, or gone.
			return false;
		}
	});
	if (pid === undefined) {
		return undefined;
	}
	// "pid (name) state …": the times of the process are the 12th and 13th field after its name.
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * TICK;
}

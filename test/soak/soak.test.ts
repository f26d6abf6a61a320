import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { type Definition, openEditor, Probe, program, servers, until } from '../e2e/driver/index.ts';
import { ResourceMonitor, type ResourceUsage } from '../e2e/health/resourceUsage.ts';
import { type CycleContext, definitions, files, outcome, perform, weighted } from '../e2e/health/surfaceCycles.ts';

const MINUTE = 60_000;
const MINUTES = Number(process.env['MCP_ELICITATION_SOAK_MINUTES']);

/** So much of the time passes before the memory has to be stable: everything is loaded, and what is bounded is full. */
const WARM_UP = 1 / 3;

/** So many messages are kept: few enough to be full soon. */
const MESSAGES = 1_000;

/** What a memory may grow by (KB a minute), and how far it may swing (a share of its mean). */
const BANDS = {
	hostHeap: { slope: 200, swing: 0.15 },
	pageHeap: { slope: 200, swing: 0.25 },
	hostMemory: { slope: 2_000, swing: 0.3 },
} as const;

type Memory = keyof typeof BANDS;

interface Sample extends ResourceUsage {
	/** Minutes since the beginning. */
	readonly at: number;
}

it(`holds its memory for ${MINUTES} minutes of traffic`, { timeout: MINUTES * MINUTE + 10 * MINUTE }, async () => {
	const defined = await definitions();
	const editor = await openEditor({
		files,
		beside: ['probe'],
		machineSettings: {
			...servers(defined),
			'mcpElicitation.rateLimit.perMinute': 100_000,
			// A program makes the calls.
			'mcpElicitation.form.reveal': 'focus',
			'mcpElicitation.trace.maxMessages': MESSAGES,
		},
	});
	const world: CycleContext = { editor, probe: await Probe.in(editor) };
	const physician = await ResourceMonitor.of(world);
	const samples: Sample[] = [];
	const began = Date.now();
	const minutes = () => (Date.now() - began) / MINUTE;
	for (let number = 0; minutes() < MINUTES; number++) {
		await perform(world, weighted, number);
		await visit(world, number);
		await crash(world);
		await reconfigure(world, defined, number);
		await world.probe.run('notifications.clearAll');
		samples.push({ at: minutes(), ...(await physician.vitals()) });
	}
	const verdict = judge(samples);
	console.log(tableOf(verdict, samples));
	const file = join(dirname(inject('editor').results), 'soak-samples.json');
	await writeFile(file, JSON.stringify({ minutes: MINUTES, verdict, samples }, undefined, '\t'));
	expect(verdict.filter(({ stable }) => !stable)).toEqual([]);
	expect(samples.at(-1)?.warnings.filter((warning) => warning.includes('MaxListeners'))).toEqual([]);
});

/** A page is opened, and the server says that it is done. */
async function visit({ editor, probe }: CycleContext, number: number): Promise<void> {
	const url = `https://login.example.com/${number}`;
	const called = outcome(probe.run('mcpElicitation.callTool', 'sdk1', 'url', { url, message: `Visit ${number}.` }));
	await editor.pending().waitFor();
	await probe.run('notifications.showList');
	await (await editor.notification(`Visit ${number}.`)).press('Open URL');
	await (await editor.externalPage(url)).close();
	await called;
	await editor.pending().waitFor({ state: 'detached' });
}

/** A server dies while it asks, and is back by itself. */
async function crash({ probe }: CycleContext): Promise<void> {
	await outcome(probe.run('mcpElicitation.callTool', 'sdk1', 'crash', { ms: 0 }));
	await until('the server to be back', () =>
		probe.run('mcpElicitation.callTool', 'sdk1', 'progress', { steps: 1 }).then(
			() => true,
			() => false,
		),
	);
}

/** One more server is configured, and differently each time while it runs. */
async function reconfigure(
	{ probe }: CycleContext,
	defined: Record<string, Definition>,
	number: number,
): Promise<void> {
	const spare = { ...program('sdk2'), env: { ROUND: String(number) } };
	await probe.configure('mcpElicitation.servers', { ...defined, spare });
	await until('the new server to run', () =>
		probe.run('mcpElicitation.callTool', 'spare', 'plain', {}).then(
			() => true,
			() => false,
		),
	);
}

interface Verdict {
	readonly memory: Memory;
	/** KB. */
	readonly mean: number;
	/** KB a minute. */
	readonly slope: number;
	/** Between the largest and the smallest, a share of the mean. */
	readonly swing: number;
	readonly stable: boolean;
}

/** Whether what was measured after the warm-up stays within its band. */
function judge(samples: readonly Sample[]): Verdict[] {
	const later = samples.filter(({ at }) => at >= MINUTES * WARM_UP);
	return (Object.keys(BANDS) as Memory[]).map((memory) => {
		const values = later.map((sample) => sample[memory] / 1024);
		const mean = meanOf(values);
		const swing = (Math.max(...values) - Math.min(...values)) / mean;
		const slope = slopeOf(
			later.map(({ at }) => at),
			values,
		);
		const band = BANDS[memory];
		return { memory, mean, slope, swing, stable: slope <= band.slope && swing <= band.swing };
	});
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of the straight line that fits best. */
function slopeOf(xs: readonly number[], ys: readonly number[]): number {
	const [x0, y0] = [meanOf(xs), meanOf(ys)];
	const along = xs.reduce((sum, x, index) => sum + (x - x0) * ((ys[index] ?? y0) - y0), 0);
	return along / xs.reduce((sum, x) => sum + (x - x0) ** 2, 0);
}

function tableOf(verdict: readonly Verdict[], samples: readonly Sample[]): string {
	const rows = [
		['memory', 'mean, KB', 'KB a minute', 'swing', ''],
		...verdict.map(({ memory, mean, slope, swing, stable }) => [
			memory,
			mean.toFixed(0),
			slope.toFixed(1),
			`${(100 * swing).toFixed(1)} %`,
			stable ? 'stable' : 'NOT STABLE',
		]),
	];
	const [first, last] = [samples[0], samples.at(-1)];
	const counts = Object.entries(last?.counts ?? {}).map(
		([name, count]) => `${name}: ${first?.counts[name] ?? 0} → ${count}`,
	);
	return [
		`${samples.length} rounds`,
		...rows.map((row) => row.map((cell) => cell.padEnd(14)).join('')),
		...counts,
	].join('\n');
}

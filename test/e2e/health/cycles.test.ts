import { expect, it } from 'vitest';
import { nightly } from '../../nightly.ts';
import { openEditor, Probe, servers } from '../driver/index.ts';
import { ResourceMonitor, type ResourceUsage } from './resourceUsage.ts';
import { type CycleContext, definitions, evenly, files, perform, weighted } from './surfaceCycles.ts';

/** How often `npm run cycles` opens and closes each surface. Without it, there are about 1,000 cycles of all surfaces together. */
const EACH = process.env['MCP_ELICITATION_CYCLES'];
const ROUND = EACH === undefined ? weighted : evenly;
const CYCLES = Object.values(ROUND).reduce((sum, times) => sum + times, 0);
const ROUNDS = Number(EACH ?? Math.round(1_000 / CYCLES));

/** Rounds until all code is loaded and compiled. */
const WARM_UP = 8;

/** How often a check that finds something looks again. */
const MORE_LOOKS = 5;

/** Allowed growth of each count per round. A leak in one of four ways to end a form adds a quarter. */
const MOST_PER_ROUND = 1 / 8;

/** The workbench itself leaks a few of these. A leaked tab or notification has dozens. */
const MOST_OF_PAGE_PER_ROUND: Readonly<Record<string, number>> = { 'page: nodes': 5, 'page: listeners': 5 };

/** Allowed heap growth per cycle (bytes). The editor's own tree views retain some for every item. */
const MOST_PER_CYCLE = 8 * 1024;

it.runIf(nightly || EACH !== undefined)(
	'leaves nothing behind, however often its surfaces are opened and closed',
	{
		timeout: (WARM_UP + ROUNDS) * 60_000,
	},
	async () => {
		const editor = await openEditor({
			files,
			beside: ['probe'],
			machineSettings: {
				...servers(await definitions()),
				'mcpElicitation.rateLimit.perMinute': 100_000,
				// The calls aren't made by a user.
				'mcpElicitation.form.reveal': 'focus',
			},
		});
		const world: CycleContext = { editor, probe: await Probe.in(editor) };
		const monitor = await ResourceMonitor.of(world);
		let number = 0;
		const run = async (rounds: number) => {
			for (const end = number + rounds; number < end; number++) {
				await perform(world, ROUND, number);
				if ((number + 1) % 100 === 0) {
					console.log(`${number + 1} rounds`);
				}
			}
			await world.probe.run('mcpElicitation.clearTimeline');
			return monitor.atRest();
		};
		const before = await run(WARM_UP);
		const began = Date.now();
		let after = await run(ROUNDS);
		// A leak stays, while a timer or a request that was counted ends.
		for (let looks = 0; looks < MORE_LOOKS && Object.keys(tooMany(before, after)).length > 0; looks++) {
			after = await monitor.atRest();
		}
		tell(before, after, Date.now() - began);
		expect(tooMany(before, after)).toEqual({});
	},
);

/** What grew more than noise explains, in words, by name. */
function tooMany(before: ResourceUsage, after: ResourceUsage): Record<string, string> {
	const counted = Object.entries(after.counts)
		.filter(
			([name, count]) => count - (before.counts[name] ?? 0) > (MOST_OF_PAGE_PER_ROUND[name] ?? MOST_PER_ROUND) * ROUNDS,
		)
		.map(([name, count]) => [name, `${name}: ${before.counts[name] ?? 0} → ${count}`]);
	const grown = { hostHeap: after.hostHeap - before.hostHeap, pageHeap: after.pageHeap - before.pageHeap };
	const heaps = Object.entries(grown)
		.filter(([, bytes]) => bytes / (ROUNDS * CYCLES) >= MOST_PER_CYCLE)
		.map(([heap, bytes]) => [heap, `${heap}: ${Math.round(bytes / 1024)} KB more`]);
	const warnings = after.warnings.filter((warning) => warning.includes('MaxListeners'));
	return Object.fromEntries([...counted, ...heaps, ...warnings.map((warning) => [warning, warning])]);
}

function tell(before: ResourceUsage, after: ResourceUsage, milliseconds: number): void {
	const done = Object.entries(ROUND).map(([name, times]) => `${times * ROUNDS} × ${name}`);
	const rows: [string, number, number][] = [
		['heap of the extension host, KB', before.hostHeap / 1024, after.hostHeap / 1024],
		['heap of the page, KB', before.pageHeap / 1024, after.pageHeap / 1024],
		...Object.entries(after.counts).map(([name, count]): [string, number, number] => [
			name,
			before.counts[name] ?? 0,
			count,
		]),
	];
	const lines = rows.map(
		([name, from, to]) =>
			`${name.padEnd(40)}${Math.round(from).toString().padStart(8)}${Math.round(to).toString().padStart(8)}`,
	);
	console.log(
		`${ROUNDS * CYCLES} cycles in ${Math.round(milliseconds / 1000)} s: ${done.join(', ')}\n${lines.join('\n')}`,
	);
}

import { expect, it } from 'vitest';
import { openEditor, Probe, servers } from '../driver/index.ts';
import { definitions, evenly, files, perform, type World, weighted } from './surfaces.ts';
import { Physician, type Vitals } from './vitals.ts';

/** How often each surface is opened and closed by `npm run cycles`. Without it, all of them together are 1,000 times. */
const EACH = process.env['MCP_ELICITATION_CYCLES'];
const ROUND = EACH === undefined ? weighted : evenly;
const CYCLES = Object.values(ROUND).reduce((sum, times) => sum + times, 0);
const ROUNDS = Number(EACH ?? 1_000 / CYCLES);

/** Rounds after which everything is loaded and compiled. */
const WARM_UP = 5;

/** How many more there may be of anything for every round: what is forgotten in one of four ways to end makes a quarter. */
const MOST_PER_ROUND = 1 / 8;

/** The workbench itself keeps a few of these; a tab or a notification has dozens. */
const MOST_OF_PAGE_PER_ROUND: Readonly<Record<string, number>> = { 'page: nodes': 5, 'page: listeners': 5 };

/** Bytes for each cycle. The editor's own tree views keep some for every entry that they have ever shown. */
const MOST_PER_CYCLE = 8 * 1024;

it('leaves nothing behind after 1,000 times opening and closing its surfaces', {
	timeout: (ROUNDS + WARM_UP) * 60_000,
	retry: 0,
}, async () => {
	const editor = await openEditor({
		files,
		beside: ['probe'],
		machineSettings: {
			...servers(await definitions()),
			'mcpElicitation.rateLimit.perMinute': 100_000,
			// A program makes the calls.
			'mcpElicitation.form.reveal': 'focus',
		},
	});
	const world: World = { editor, probe: await Probe.in(editor) };
	const physician = await Physician.of(world);
	const run = async (from: number, to: number) => {
		for (let number = from; number < to; number++) {
			await perform(world, ROUND, number);
			if ((number + 1) % 100 === 0) {
				console.log(`${number + 1} rounds`);
			}
		}
		await world.probe.run('mcpElicitation.clearTimeline');
		return physician.atRest();
	};
	const before = await run(0, WARM_UP);
	const began = Date.now();
	const after = await run(WARM_UP, WARM_UP + ROUNDS);
	tell(before, after, Date.now() - began);
	expect(leaks(before, after)).toEqual([]);
	expect((after.hostHeap - before.hostHeap) / (ROUNDS * CYCLES)).toBeLessThan(MOST_PER_CYCLE);
	expect((after.pageHeap - before.pageHeap) / (ROUNDS * CYCLES)).toBeLessThan(MOST_PER_CYCLE);
	expect(after.warnings.filter((warning) => warning.includes('MaxListeners'))).toEqual([]);
});

/** What there is more of than chance explains. */
function leaks(before: Vitals, after: Vitals): string[] {
	return Object.entries(after.counts)
		.filter(([name, count]) => {
			const most = (MOST_OF_PAGE_PER_ROUND[name] ?? MOST_PER_ROUND) * ROUNDS;
			return count - (before.counts[name] ?? 0) > most;
		})
		.map(([name, count]) => `${name}: ${before.counts[name] ?? 0} → ${count}`);
}

function tell(before: Vitals, after: Vitals, milliseconds: number): void {
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

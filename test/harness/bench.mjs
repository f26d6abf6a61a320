// @ts-check
/** `npm run bench [name…]`: runs all or the given benchmarks and prints one table. */
import { print } from '../bench/report.mjs';
import { main, Stop } from './process.mjs';

const benchmarks = [
	'activation',
	'bridge',
	'cli',
	'elicitations',
	'form',
	'idle',
	'pages',
	'redaction',
	'servers',
	'tap',
	'timeline',
	'volume',
];

await main(async () => {
	const names = process.argv.length > 2 ? process.argv.slice(2) : benchmarks;
	/** @type {import('../bench/report.mjs').Row[]} */
	const rows = [];
	for (const name of names) {
		if (!benchmarks.includes(name)) {
			throw new Stop(`There is no benchmark "${name}", only: ${benchmarks.join(', ')}.`);
		}
		const { default: measure } = await import(`../bench/${name}.mjs`);
		rows.push(...(await measure()));
	}
	await print(rows);
});

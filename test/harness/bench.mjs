// @ts-check
/** `npm run bench [name…]`: runs all or the given benchmarks and prints one table. */
import { print } from '../bench/report.mjs';
import { main, Stop } from './process.mjs';

/** Each is loaded only when it is run. @type {Record<string, () => Promise<{ default: () => Promise<import('../bench/report.mjs').Row[]> }>>} */
const benchmarks = {
	activation: () => import('../bench/activation.mjs'),
	bridge: () => import('../bench/bridge.mjs'),
	cli: () => import('../bench/cli.mjs'),
	elicitations: () => import('../bench/elicitations.mjs'),
	form: () => import('../bench/form.mjs'),
	idle: () => import('../bench/idle.mjs'),
	servers: () => import('../bench/servers.mjs'),
	timeline: () => import('../bench/timeline.mjs'),
};

await main(async () => {
	const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benchmarks);
	const rows = [];
	for (const name of names) {
		const load = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined;
		if (!load) {
			throw new Stop(`There is no benchmark "${name}", only: ${Object.keys(benchmarks).join(', ')}.`);
		}
		rows.push(...(await (await load()).default()));
	}
	await print(rows);
});

// @ts-check
/** `npm run bench`: all benchmarks, one table. */
import formBenchmarks from '../bench/form.mjs';
import { print } from '../bench/report.mjs';
import { main } from './process.mjs';

await main(async () => {
	await print([...(await formBenchmarks())]);
});

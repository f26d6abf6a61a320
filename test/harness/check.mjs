// @ts-check
/** `npm run check [-- --update]`: types, lint, format, import rules, and the checks of `test/checks`, which update what they generate. */
import { root } from './paths.mjs';
import { main, run, tell } from './process.mjs';
import { CHECKS } from './suites.mjs';

await main(async () => {
	const codes = await Promise.all(
		Object.entries(CHECKS).map(async ([name, [command, args]]) => {
			const more = name.startsWith('texts') ? process.argv.slice(2) : [];
			const { code, output } = await run(command, [...args, ...more], { cwd: root });
			tell(`${code === 0 ? '✔' : '✘'} ${name}${code === 0 ? '' : `\n${output}`}`);
			return code;
		}),
	);
	return Math.max(...codes);
});

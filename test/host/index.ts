import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';

/** Entry point for VS Code. Runs every test file of this folder and rejects if one of them failed. */
export async function run(): Promise<void> {
	// Marked, because all output of the extension host is one stream.
	Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(`mocha│${format(...args)}`);
	const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 120_000, forbidOnly: true, forbidPending: true });
	const folder = join(__dirname, 'host');
	for (const name of readdirSync(folder).filter((file) => file.endsWith('.test.mjs'))) {
		mocha.addFile(join(folder, name));
	}
	await mocha.loadFilesAsync();
	const failures: { name: string; why: string }[] = [];
	const { passes: passed, failures: failed } = await new Promise<Mocha.Stats>((resolve) => {
		const runner = mocha.run(() => resolve(runner.stats as Mocha.Stats));
		runner.on('fail', (test, error: Error) => {
			failures.push({ name: test.fullTitle(), why: error.stack ?? error.message });
		});
	});
	const counts = process.env['MCP_ELICITATION_COUNTS'];
	if (counts !== undefined) {
		writeFileSync(counts, JSON.stringify({ passed, failed, failures }));
	}
	if (failed > 0 || passed === 0) {
		throw new Error(`${failed} tests failed in the extension host.`);
	}
}

import { mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scenarioFile } from '../../../src/trace/case/scenario.ts';
import { FORMATS, runCommand } from '../../../src/trace/case/testFile.ts';
import { root } from '../../harness/paths.mjs';
import { variants } from '../../nightly.ts';
import { commandLine, execute } from '../cli/commandLine.ts';
import { stdio, testClients } from '../mcp/testClient.ts';
import { clerk, SECRETS, visit } from '../trace/case/stage.ts';

const world = testClients();
const packed = commandLine();

it('holds the program, its licenses and one page, and needs no other package', async () => {
	const { folder, tarball } = packed();
	const { stdout } = await execute('tar', ['-tzf', tarball], { cwd: folder });
	const names = stdout.trim().split('\n');
	expect(names.map((name) => name.replace(/-[A-Z\d]{8}\.mjs$/, '-*.mjs')).sort()).toEqual(
		expect.arrayContaining(
			['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt', 'cli.mjs', 'package.json', 'reaper.mjs', 'validator.mjs'].map(
				(name) => `package/${name}`,
			),
		),
	);
	expect(
		names.filter(
			(name) => !/^package\/([\w-]+\.mjs|LICENSE|README\.md|THIRD-PARTY-NOTICES\.txt|package\.json)$/.test(name),
		),
	).toEqual([]);
	const content = (name: string) => execute('tar', ['-xzOf', tarball, `package/${name}`], { cwd: folder });
	const manifest = JSON.parse((await content('package.json')).stdout);
	expect(manifest).toMatchObject({ name: 'mcp-elicitation', bin: { 'mcp-elicitation': 'cli.mjs' }, type: 'module' });
	expect(manifest.dependencies).toBeUndefined();
	expect((await content('README.md')).stdout.split('\n').length).toBeLessThan(80);
	expect((await content('THIRD-PARTY-NOTICES.txt')).stdout).toContain('@modelcontextprotocol/client');
	const code = (
		await Promise.all(names.filter((name) => name.endsWith('.mjs')).map((name) => content(name.slice(8))))
	).map(({ stdout }) => stdout);
	expect(code.filter((text) => /from\s*["']vscode["']|sourceMappingURL/.test(text))).toEqual([]);
});

/** Where the runners of tests are installed, as a project has them beside the program. */
const INSTALLED: Readonly<Record<'vitest' | 'pytest', (folder: string) => Promise<boolean>>> = {
	vitest: async (folder) => {
		const [here, there] = [join(root, 'node_modules'), join(folder, 'node_modules')];
		await symlink(join(here, 'vitest'), join(there, 'vitest'), 'junction');
		await symlink(join(here, 'vitest/vitest.mjs'), join(there, '.bin/vitest'));
		return true;
	},
	pytest: async (cwd) => (await execute('python3', ['-c', 'import pytest'], { cwd })).status === 0,
};

// By day, one of them stands for all.
it.each(variants('sh', 'scenario', 'vitest', 'pytest'))(
	'makes exported calls where nothing but it is installed, for %s: one passes, fails, and lacks a secret',
	async (name) => {
		const { tarball } = packed();
		const folder = await mkdtemp(join(packed().folder, `${name}-`));
		await writeFile(join(folder, 'package.json'), '{}');
		const arguments_ = ['install', '--offline', '--no-audit', '--no-fund', tarball];
		const installed = await execute('npm', arguments_, { cwd: folder });
		expect(installed.status, installed.stderr).toBe(0);
		if (name in INSTALLED && !(await INSTALLED[name as keyof typeof INSTALLED](folder))) {
			return;
		}
		const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
		const { fileName, command, text } = FORMATS[name];
		for (const [era, args] of variants(['stateless', ['modern']], ['session', []])) {
			const recorded = await visit(world(), stdio('clerk', clerk, [...args], { env: { MOOD: 'usual' } }));
			const [scenario, file] = [FORMATS.scenario.fileName(era), fileName(era)];
			await writeFile(join(folder, scenario), scenarioFile(recorded, '.'));
			if (text) {
				await writeFile(join(folder, file), `${text(era, runCommand(scenario, version)).join('\n')}\n`);
			}
			const [program = '', ...words] = command(file, version)
				.replace(/^python /, 'python3 ')
				.split(' ');
			// What is installed needs no network.
			const run = (env: Record<string, string>) =>
				execute(program, words, { cwd: folder, env: { ...env, npm_config_offline: 'true', NO_COLOR: '1' } });
			expect(await run({ ...SECRETS, MOOD: 'usual' })).toMatchObject({ status: 0 });
			const failed = await run({ ...SECRETS, MOOD: 'result' });
			expect(failed).toMatchObject({ status: 1 });
			expect(failed.stdout + failed.stderr).toMatch(/outcome\.result\.content\.1\.text\n[\s\S]*actual: .*bad/);
			const lacking = await run({ MOOD: 'usual' });
			expect(lacking.status).toBe(name === 'sh' || name === 'scenario' ? 2 : 1);
			expect(lacking.stdout + lacking.stderr).toContain('The environment lacks MCP_TEST_BADGE, MCP_TEST_DOOR_CODE');
		}
	},
);

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scenarioFile } from '../../../src/trace/case/scenario.ts';
import { root } from '../../harness/paths.mjs';
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

it('runs where nothing but it is installed: a scenario of each era passes, fails, and could not run', async () => {
	const { folder, tarball } = packed();
	await writeFile(join(folder, 'package.json'), '{}');
	const installed = await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
	expect(installed.status, installed.stderr).toBe(0);
	// What `npx` runs, which takes a second more.
	const program = join(folder, 'node_modules', '.bin', 'mcp-elicitation');
	const run = (env: Record<string, string>, file: string) => execute(program, ['run', file], { cwd: folder, env });
	for (const [era, args] of [
		['session', []],
		['stateless', ['modern']],
	] as const) {
		const recorded = await visit(world(), stdio('clerk', clerk, [...args], { env: { MOOD: 'usual' } }));
		const file = `${era}.scenario.json`;
		await writeFile(join(folder, file), scenarioFile(recorded, { file, workspaceFolder: { relative: '.' } }));
		expect(await run({ ...SECRETS, MOOD: 'usual' }, file)).toMatchObject({ status: 0 });
		expect(await run({ ...SECRETS, MOOD: 'result' }, file)).toMatchObject({ status: 1 });
		expect(await run({ MOOD: 'usual' }, file)).toMatchObject({ status: 2 });
	}
	const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	expect((await execute('npx', ['--offline', 'mcp-elicitation', '--version'], { cwd: folder })).stdout.trim()).toBe(
		version,
	);
});

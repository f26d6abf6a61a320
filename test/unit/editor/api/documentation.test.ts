import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../../../harness/paths.mjs';

const read = (file: string) => readFile(join(root, file), 'utf8');

/** Everything that the declaration file declares: types, their members, and the string literals of members. */
async function declared(): Promise<string[]> {
	const types = (await read('src/api.ts')).replace(/\/\*\*[\s\S]*?\*\//g, '');
	const found = [
		...types.matchAll(/^export (?:interface|type) (\w+)/gm),
		...types.matchAll(/\breadonly (\w+)\??:/g),
		...types.matchAll(/^\t(\w+)\(/gm),
		...types.matchAll(/'([a-zA-Z]+)'/g),
	];
	return [...new Set(found.map(([, name = '']) => name))].filter((name) => name !== 'vscode');
}

const PAGES = ['docs/api.md', 'docs/zh-cn/api.md'];

it.each(PAGES)('the documentation of the API in %s covers every type, member and value', async (name) => {
	const text = await read(name);
	const names = await declared();
	expect(names).toEqual(expect.arrayContaining(['McpElicitationApi', 'callTool', 'requestedSchema', 'givenUp']));
	expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

it('the documentation of the API has samples that compile', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-samples-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	await copyFile(join(root, 'src/api.ts'), join(folder, 'api.ts'));
	for (const [page, name] of PAGES.entries()) {
		const programs = [...(await read(name)).matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
		expect(programs.length, name).toBeGreaterThan(2);
		for (const [at, [, program = '']] of programs.entries()) {
			await writeFile(join(folder, `page${page}-${at}.ts`), program);
		}
	}
	const typeRoots = [join(root, 'node_modules/@types')];
	const options = { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', strict: true, noEmit: true };
	const compilerOptions = { ...options, skipLibCheck: true, types: ['vscode', 'node'], typeRoots, lib: ['es2022'] };
	await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
	const tsc = join(root, 'node_modules/typescript/bin/tsc');
	const ran = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
		({ stdout }) => ({ code: 0, stdout }),
		({ code, stdout }) => ({ code, stdout }),
	);
	expect(ran).toEqual({ code: 0, stdout: '' });
});

import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { results, root } from '../../../harness/paths.mjs';

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

describe.each(['docs/api.md', 'docs/zh-cn/api.md'])('the documentation of the API in %s', (name) => {
	it('covers every type, member and value', async () => {
		const text = await read(name);
		const names = await declared();
		expect(names).toEqual(expect.arrayContaining(['McpElicitationApi', 'callTool', 'requestedSchema', 'givenUp']));
		expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
	});

	it('has samples that compile', async () => {
		const page = await read(name);
		const programs = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, program = '']) => program);
		expect(programs.length).toBeGreaterThan(2);
		await mkdir(results, { recursive: true });
		const folder = await mkdtemp(join(results, 'documentation-'));
		try {
			await copyFile(join(root, 'src/api.ts'), join(folder, 'api.ts'));
			await Promise.all(programs.map((program, index) => writeFile(join(folder, `${index}.ts`), program)));
			const options = { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', strict: true, noEmit: true };
			const compilerOptions = { ...options, skipLibCheck: true, types: ['vscode', 'node'], lib: ['es2022'] };
			await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
			const tsc = join(root, 'node_modules/typescript/bin/tsc');
			const ran = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
				({ stdout }) => ({ code: 0, stdout }),
				({ code, stdout }) => ({ code, stdout }),
			);
			expect(ran).toEqual({ code: 0, stdout: '' });
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	});
});

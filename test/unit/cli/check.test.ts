import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

const program = commandLine();

const FINE = { type: 'object', properties: { name: { type: 'string' } } };

it('lists the findings of schemas and requests at their lines, and fails where one is a warning', async () => {
	const { folder, run } = program();
	await writeFile(join(folder, 'fine.json'), JSON.stringify(FINE));
	const bad = { tools: [{ message: 'Who?', requestedSchema: { ...FINE, required: ['nobody'] } }] };
	await writeFile(join(folder, 'bad.json'), JSON.stringify(bad, undefined, 2));
	const related = { 'io.modelcontextprotocol/related-task': { taskId: '1' } };
	await writeFile(
		join(folder, 'note.json'),
		JSON.stringify({ message: 'Who?', requestedSchema: FINE, _meta: related }),
	);
	expect(await run(['check', 'fine.json'])).toEqual({ status: 0, stdout: 'fine.json: no findings\n', stderr: '' });
	expect(await run(['check', 'note.json'])).toMatchObject({
		status: 0,
		stdout: expect.stringMatching(/^note\.json:1:\d+: note: .* \[in-task\]\n$/),
	});
	const { status, stdout } = await run(['check', 'fine.json', 'bad.json']);
	expect(status).toBe(1);
	expect(stdout).toMatch(
		/^fine\.json: no findings\nbad\.json:12:9: warning: .*nobody.* \[required-absent\]\nbad\.json:12:9: note: .* \[unsendable\]\n$/,
	);
	const { verdict, files } = JSON.parse((await run(['check', 'bad.json', '--json'])).stdout);
	expect(verdict).toBe('failed');
	expect(files).toMatchObject([
		{
			file: 'bad.json',
			findings: [{ line: 12, rule: 'required-absent', severity: 'warning', revisions: { length: 3 } }, {}],
		},
	]);
});

it('checks requests in URL mode, also those that an error requires, in files without a schema', async () => {
	const { folder, run } = program();
	const request = { mode: 'url', message: 'Sign in', url: 'ftp://example.com/in', elicitationId: '1' };
	const error = { code: -32042, message: 'Sign in first.', data: { elicitations: [request] } };
	await writeFile(join(folder, 'url.json'), JSON.stringify(request));
	await writeFile(join(folder, 'error.json'), JSON.stringify({ jsonrpc: '2.0', id: 1, error }, undefined, 2));
	const { status, stdout } = await run(['check', 'url.json', 'error.json']);
	expect(stdout).toMatch(/^url\.json:1:41: warning: .* \[invalid-request\]$/m);
	expect(stdout).toMatch(/^error\.json:12:18: warning: .* \[invalid-request\]$/m);
	expect(status).toBe(1);
});

it('counts columns like editors in a file that begins with a byte order mark', async () => {
	const { folder, run } = program();
	const text = JSON.stringify({ ...FINE, required: ['nobody'] });
	await writeFile(join(folder, 'plain.json'), text);
	await writeFile(join(folder, 'marked.json'), `\ufeff${text}`);
	const placesIn = async (file: string) => (await run(['check', file])).stdout.match(/:\d+:\d+:/g);
	expect(await placesIn('marked.json')).toEqual(await placesIn('plain.json'));
});

it('writes each finding on one line, whatever the names in the file', async () => {
	const { folder, run } = program();
	const required = ['a\nfine.json: no findings'];
	await writeFile(
		join(folder, 'bad.json'),
		JSON.stringify({ message: 'Who?', requestedSchema: { ...FINE, required } }),
	);
	const { stdout } = await run(['check', 'bad.json']);
	expect(stdout).toContain('a‹U+000A›fine.json: no findings');
	expect(stdout).toMatch(/^(bad\.json:.*\n)+$/);
});

it('finds patterns that do not compile, without compiling them in its own thread', async () => {
	const { folder, run } = program();
	const schema = { type: 'object', properties: { a: { type: 'string', pattern: '(' } } };
	await writeFile(join(folder, 'pattern.json'), JSON.stringify(schema));
	const { status, stdout } = await run(['check', 'pattern.json']);
	expect(stdout).toContain('is not a regular expression');
	expect(status).toBe(1);
});

it('checks every request of a file, or says that there are too many', async () => {
	const { folder, run } = program();
	const many = (count: number) => Array.from({ length: count }, () => ({ message: 'Who?', requestedSchema: FINE }));
	const bad = { message: 'Who?', requestedSchema: { ...FINE, required: ['nobody'] } };
	await writeFile(join(folder, 'many.json'), JSON.stringify([...many(150), bad]));
	await writeFile(join(folder, 'more.json'), JSON.stringify(many(1_001)));
	const { status, stdout } = await run(['check', 'many.json']);
	expect(stdout).toContain('[required-absent]');
	expect(status).toBe(1);
	expect(await run(['check', 'more.json'])).toMatchObject({
		status: 2,
		stdout: expect.stringContaining('more than 1000 requests'),
	});
});

it('could not run where there is nothing to check in one of the files, whatever is in the others', async () => {
	const { folder, run } = program();
	await writeFile(join(folder, 'warned.json'), JSON.stringify({ ...FINE, required: ['nobody'] }));
	await writeFile(join(folder, 'broken.json'), '{');
	await writeFile(join(folder, 'large.json'), JSON.stringify({ ...FINE, title: 'x'.repeat(1024 * 1024) }));
	await writeFile(join(folder, 'other.json'), '{"a": 1}');
	const { status, stdout } = await run([
		'check',
		'broken.json',
		'large.json',
		'other.json',
		'nowhere.json',
		'warned.json',
	]);
	expect(stdout).toMatch(
		/^broken\.json: It cannot be read as JSON: A closing brace is missing\..*\nlarge\.json: It cannot be read as JSON: It is larger than 1 MB\. .*\nother\.json: There is no schema in it.*\nnowhere\.json: There is no file.*\nwarned\.json:1:\d+: warning: /,
	);
	expect(status).toBe(2);
	expect(await run(['check'])).toMatchObject({ status: 2, stderr: expect.stringContaining('No file is named.') });
});

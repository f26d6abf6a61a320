import { expect, it } from 'vitest';
import { commandLine, ending, execute } from './commandLine.ts';

const program = commandLine();

const FINE = { type: 'object', properties: { name: { type: 'string' } } };
const ASKED = { message: 'Who?', requestedSchema: FINE };
const lacking = (name: string) => ({ ...FINE, required: [name] });
const LACKING = { message: 'Who?', requestedSchema: lacking('nobody') };
const indented = (value: object) => JSON.stringify(value, undefined, 2);

it('lists the findings of schemas and requests at their lines, and fails where one is a warning', async () => {
	const { folder, file, run, write } = program();
	await write('fine.json', FINE);
	await write('bad.json', indented({ tools: [LACKING] }));
	await write('note.json', { ...ASKED, _meta: { 'io.modelcontextprotocol/related-task': { taskId: '1' } } });
	// In a process, which ends by itself.
	const fine = await execute(process.execPath, [file, 'check', 'fine.json'], { cwd: folder });
	expect(fine).toEqual({ status: 0, stdout: 'fine.json: no findings\n', stderr: '' });
	expect(await run(['check', 'note.json'])).toEqual(ending(0, /^note\.json:1:\d+: note: .* \[in-task\]\n$/, ''));
	expect(await run(['check', 'fine.json', 'bad.json'])).toEqual(
		ending(
			1,
			/^fine\.json: no findings\nbad\.json:12:9: warning: .*nobody.* \[required-absent\]\nbad\.json:12:9: note: .* \[unsendable\]\n$/,
		),
	);
	expect(JSON.parse((await run(['check', 'bad.json', '--json'])).stdout)).toMatchObject({
		verdict: 'failed',
		files: [
			{
				file: 'bad.json',
				findings: [{ line: 12, rule: 'required-absent', severity: 'warning', revisions: { length: 3 } }, {}],
			},
		],
	});
});

it('checks requests in URL mode, also those that an error requires, in files without a schema', async () => {
	const { run, write } = program();
	const request = { mode: 'url', message: 'Sign in', url: 'ftp://example.com/in', elicitationId: '1' };
	const error = { code: -32042, message: 'Sign in first.', data: { elicitations: [request] } };
	await write('url.json', request);
	await write('error.json', indented({ jsonrpc: '2.0', id: 1, error }));
	expect(await run(['check', 'url.json'])).toEqual(ending(1, /^url\.json:1:41: warning: .* \[invalid-request\]$/m));
	expect(await run(['check', 'error.json'])).toEqual(
		ending(1, /^error\.json:12:18: warning: .* \[invalid-request\]$/m),
	);
});

it('counts columns like editors in a file that begins with a byte order mark', async () => {
	const { run, write } = program();
	const placesIn = async (text: string) => {
		await write('columns.json', text);
		return (await run(['check', 'columns.json'])).stdout.match(/:\d+:\d+:/g);
	};
	const text = JSON.stringify(lacking('nobody'));
	expect(await placesIn(`\ufeff${text}`)).toEqual(await placesIn(text));
});

it('writes each finding on one line, whatever the names in the file', async () => {
	const { run, write } = program();
	await write('bad.json', { message: 'Who?', requestedSchema: lacking('a\nfine.json: no findings') });
	const { stdout } = await run(['check', 'bad.json']);
	expect(stdout).toContain('a‹U+000A›fine.json: no findings');
	expect(stdout).toMatch(/^(bad\.json:.*\n)+$/);
});

it('finds patterns that do not compile, without compiling them in its own thread', async () => {
	const { run, write } = program();
	await write('pattern.json', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } });
	expect(await run(['check', 'pattern.json'])).toEqual(ending(1, /does not compile in JavaScript/));
});

it('checks every request of a file, or says that there are too many', async () => {
	const { run, write } = program();
	await write('many.json', [...Array(150).fill(ASKED), LACKING]);
	await write('more.json', Array(1_001).fill(ASKED));
	expect(await run(['check', 'many.json'])).toEqual(ending(1, /\[required-absent\]/));
	expect(await run(['check', 'more.json'])).toEqual(ending(2, /more than 1000 requests/));
});

it('could not run where there is nothing to check in one of the files, whatever is in the others', async () => {
	const { run, write } = program();
	await write('warned.json', lacking('nobody'));
	await write('broken.json', '{ "a": 1\r\n  "b": 2 }');
	await write('large.json', { ...FINE, title: 'x'.repeat(1024 * 1024) });
	await write('other.json', { a: 1 });
	const files = ['broken.json', 'large.json', 'other.json', 'nowhere.json', 'warned.json'];
	expect(await run(['check', ...files])).toEqual(
		ending(
			2,
			/^broken\.json: It cannot be read: This is not JSON \(line 2, column 3\): A comma is missing\..*\nlarge\.json: It cannot be read: This is not JSON: It is larger than 1 MB\. .*\nother\.json: There is no schema in it.*\nnowhere\.json: There is no file.*\nwarned\.json:1:\d+: warning: /,
		),
	);
	expect(await run(['check'])).toEqual(ending(2, '', /No file is named\./));
});

const ALL_KINDS = {
	message: 'Who?',
	requestedSchema: {
		type: 'object',
		properties: {
			name: { type: 'string', pattern: '^A' },
			age: { type: 'integer' },
			agree: { type: 'boolean', default: false },
		},
	},
};

it('says what other clients do to each field, at its line and in a table', async () => {
	const { run, write } = program();
	await write('all.json', indented(ALL_KINDS));
	const one = await run(['check', 'all.json', '--as', 'vscode']);
	expect(one).toEqual(ending(1, /^all\.json:\d+:\d+: warning: VS Code .* is lost\. .*\[vscode\]$/m, ''));
	expect(one.stdout).not.toContain('yes:');
	const { stdout } = await run(['check', 'all.json', '--as', 'vscode', '--as', 'typescript-sdk-1']);
	expect(stdout).toMatch(/^ {2}1 VS Code outside the chat \S+\n {2}2 TypeScript SDK without handlers \S+\n/m);
	expect(stdout).toMatch(/^ {2}agree {2}else none$/m);
	expect(await run(['check', 'all.json', '--as', 'nobody'])).toEqual(
		ending(2, '', /^No client is called "nobody" here\. Clients: vscode, .*; or "all"\.\n$/),
	);
});

it('reports what each client does as a case of its own', async () => {
	const { run, write, read } = program();
	await write('all.json', indented(ALL_KINDS));
	expect(await run(['check', 'all.json', '--as', 'all', '--junit', 'clients.xml'])).toMatchObject({ status: 1 });
	const report = await read('clients.xml');
	expect(report).toMatch(/<testcase classname="all.json" name="specification and libraries" time="0.000"\/>/);
	expect(report).toMatch(
		/<testcase classname="all.json" name="VS Code outside the chat \S+" time="0.000">\n {6}<failure/,
	);
});

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { transform } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PARTS as PYTEST } from '../../../../src/trace/case/pytestRunner.ts';
import type { RecordedCase } from '../../../../src/trace/case/recordedCase.ts';
import { LINKS } from '../../../../src/trace/case/vitestLinks.ts';
import { PARTS as VITEST } from '../../../../src/trace/case/vitestRunner.ts';
import { PLACEHOLDERS } from '../../../../src/trace/case/volatile.ts';
import { REDACTED } from '../../../../src/trace/secrets.ts';
import { LEGACY, MODERN } from '../../../rawServer/rawServer.ts';
import { define, stdio, testClients } from '../../mcp/testClient.ts';
import { mirroring } from './peers/mirroring.ts';
import {
	AT_ONCE,
	CHANGES,
	COMPARED_TEXTS,
	caseOf,
	clerk,
	type Framework,
	python,
	recordedCall,
	SECRETS,
	visit,
	written,
} from './stage.ts';

const world = testClients();
const FRAMEWORKS = ['vitest', 'pytest'] as const;

/** What a program of Python prints, as JSON. */
const inPython = (program: string) =>
	JSON.parse(execFileSync(python ?? 'python3', ['-'], { input: program, encoding: 'utf8' }));

const HTTP: RecordedCase['server'] = { type: 'http', url: 'http://localhost/mcp', headers: { 'X-Key': '‹KEY›' } };
const HOME: RecordedCase['server'] = { type: 'stdio', command: '‹userHome›/s', args: [], cwd: '.', env: {} };
const variables: RecordedCase['variables'] = [
	{ name: 'KEY', type: 'string', role: 'header' },
	{ name: 'PIN', type: 'number', role: 'answer' },
];
const prompt: Partial<RecordedCase> = { method: 'prompts/get', params: { name: 'act', arguments: { key: '‹KEY›' } } };
const resource: Partial<RecordedCase> = { method: 'resources/read', params: { uri: 'test://a' } };

/** Every kind of test: what differs in its text. */
const KINDS: readonly (readonly [kind: string, more: Partial<RecordedCase>])[] = [
	['a call', {}],
	['a call without sessions', { revision: MODERN }],
	['a task', { isTask: true }],
	['a task without sessions', { revision: MODERN, isTask: true }],
	['a call over HTTP', { server: HTTP, variables }],
	['a call over HTTP without sessions', { server: HTTP, variables, revision: MODERN }],
	['a task over HTTP', { server: HTTP, variables, isTask: true }],
	['a task over HTTP without sessions', { server: HTTP, variables, revision: MODERN, isTask: true }],
	['a prompt', { ...prompt, variables }],
	['a prompt over HTTP without sessions', { ...prompt, server: HTTP, variables, revision: MODERN }],
	['a resource', { ...resource, server: HOME }],
	['a resource over HTTP without sessions', { ...resource, server: HTTP, variables, revision: MODERN }],
];

/** How each framework's language defines names, and what in it is no code. */
const SYNTAX = {
	vitest: [
		/^(?:async )?(?:function|class|const|let) (\w+)|^import \{ (\w+)(?:, (\w+))? \}/gm,
		/"(?:\\.|[^"\\\n])*"|^ *(?:\/\/|\/?\*).*$/gm,
	],
	pytest: [/^(?:def|class) (\w+)|^([A-Z_]+) =|^import ([\w.]+)/gm, /"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|#.*$/gm],
} as const;

const definedIn = (text: string, framework: Framework) =>
	[...text.matchAll(SYNTAX[framework][0])].flatMap(([, ...names]) => names.filter((name) => name !== undefined));

/** How often a name stands in a text beside its definition, but as that of a member. */
const usesOf = (name: string, text: string, framework: Framework) =>
	[
		...text
			.replaceAll(SYNTAX[framework][0], '')
			.matchAll(new RegExp(`(?<!\\w|(?<!\\.\\.)\\.)${name.replace('.', '\\.')}(?![\\w:])`, 'g')),
	].length;

describe.each(FRAMEWORKS)('the text of a test for %s', (framework) => {
	const texts = KINDS.map(([kind, more]) => [kind, written(caseOf(more), framework)] as const);
	const names = [...new Set(texts.flatMap(([, text]) => definedIn(text, framework)))];

	it.each(texts)('defines once what it uses, and nothing else: %s', (_, text) => {
		const defined = definedIn(text, framework);
		expect(defined).toEqual([...new Set(defined)]);
		const code = text.replaceAll(SYNTAX[framework][1], '');
		const isLocal = (name: string) => new RegExp(`^\\s+(?:const|def) ${name}\\b`, 'm').test(text);
		const isMissing = (name: string) => !defined.includes(name) && !isLocal(name) && usesOf(name, code, framework) > 0;
		expect(names.filter(isMissing)).toEqual([]);
		// In Python, code may stand in texts.
		const isDead = (name: string) => !name.startsWith('test_') && usesOf(name, text, framework) === 0;
		expect(defined.filter(isDead)).toEqual([]);
	});

	it.skipIf(framework === 'pytest' && python === undefined)('can be read', async () => {
		if (framework === 'vitest') {
			await Promise.all(texts.map(([, text]) => transform(text, { loader: 'js', format: 'esm' })));
		} else {
			const all = JSON.stringify(JSON.stringify(texts.map(([, text]) => text)));
			const count = `import ast, json\nprint(sum(len(ast.parse(text).body) > 9 for text in json.loads(${all})))`;
			expect(inPython(count)).toBe(KINDS.length);
		}
	});

	it.each([
		['tools/call', {}, ['content', 'structuredContent', 'isError']],
		['prompts/get', prompt, ['description', 'messages']],
		['resources/read', resource, ['contents']],
	])('makes the call that was recorded, and compares what matters of its result: %s', (method, more, compared) => {
		const text = written(caseOf(more), framework);
		const listed = compared.map((name) => `"${name}"`).join(', ');
		expect(text).toMatch(framework === 'vitest' ? `method: "${method}"` : `METHOD = "${method}"`);
		expect(text).toMatch(new RegExp(`^(?:const )?COMPARED = \\[${listed}\\];?$`, 'm'));
	});

	it('holds no secret, and names the variables that stand for them', async () => {
		const recorded = await visit(world(), stdio('clerk', clerk, [], { env: { MOOD: 'planted-mood-2' } }));
		expect(recorded.variables).toEqual([
			{ name: 'MCP_TEST_BADGE', type: 'string', role: 'argument' },
			{ name: 'MCP_TEST_DOOR_CODE', type: 'string', role: 'answer' },
			{ name: 'MCP_TEST_PIN', type: 'number', role: 'answer' },
			{ name: 'MOOD', type: 'string', role: 'environment' },
		]);
		const text = written(recorded, framework);
		expect(text).not.toMatch(/planted|4711|[0-9a-f]{8}-[0-9a-f]{4}-/);
		for (const { name } of recorded.variables) {
			expect(text).toContain(name);
		}
	});

	it('is led out of its comments by no name', () => {
		const names = ['A\nthrow 1 #', 'B\u2028throw 2//"', 'C'];
		const each = names.map((name) => ({ name, type: 'string', role: 'environment' }) as const);
		const head = written(caseOf({ variables: each }), framework).split(/\r\n?|[\n\u2028\u2029]/, 14);
		expect(head.filter((line) => line !== '' && !line.startsWith(framework === 'vitest' ? '//' : '#'))).toEqual([]);
		expect(head).toContainEqual(expect.stringContaining('"A\\nthrow 1 #"'));
	});

	it.skipIf(framework === 'pytest' && python === undefined)(
		'takes placeholders for what they stand for, and ends at once',
		async () => {
			const [placeholders, anything, texts] = [PLACEHOLDERS, REDACTED, COMPARED_TEXTS].map((it) => JSON.stringify(it));
			// Of the processor, which others may keep busy, too.
			const { results, milliseconds } =
				framework === 'vitest'
					? runInNewContext(
							`const PLACEHOLDERS = new Map(Object.entries(${placeholders}));
							const ANYTHING = ${anything};
							${VITEST.COMPARISON}
							const start = cpuUsage();
							const results = ${texts}.map(([recorded, actual]) => fits(actual, recorded));
							({ results, milliseconds: cpuUsage(start).user / 1000 });`,
							{ cpuUsage: process.cpuUsage },
						)
					: inPython(`import json, re, time
PLACEHOLDERS = ${placeholders}
ANYTHING = ${anything}
${PYTEST.COMPARISON}
start = time.process_time()
results = [fits(actual, recorded) for recorded, actual, _ in json.loads(${JSON.stringify(texts)})]
print(json.dumps({"results": results, "milliseconds": (time.process_time() - start) * 1000}))`);
			expect([...results]).toEqual(COMPARED_TEXTS.map(([, , fits]) => fits));
			expect(milliseconds).toBeLessThan(AT_ONCE);
		},
	);
});

describe('a test for vitest that runs in this process', () => {
	let folder: string;
	let runs = 0;
	const generated: { run?: () => Promise<void> } = {};

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-written-'));
		const test = (_name: string, _options: object, run: () => Promise<void>) => Object.assign(generated, { run });
		Object.assign(globalThis, { generatedTest: { expect, test } });
		await writeFile(join(folder, 'vitest.mjs'), 'export const { expect, test } = globalThis.generatedTest;\n');
	});

	afterAll(() => rm(folder, { recursive: true }));
	afterEach(() => void vi.unstubAllEnvs());

	/** Runs what `test` was called with. Rejects if that fails. */
	async function run(recorded: RecordedCase, env: Record<string, string> = {}): Promise<void> {
		for (const [name, value] of Object.entries(env)) {
			vi.stubEnv(name, value);
		}
		const file = join(folder, `case${++runs}.mjs`);
		await writeFile(file, written(recorded, 'vitest').replace('from "vitest"', 'from "./vitest.mjs"'));
		await import(pathToFileURL(file).href);
		await generated.run?.();
	}

	describe.each([
		['with sessions', []],
		['without sessions', ['modern']],
	])('of a server %s', (_, args) => {
		const usual = () => visit(world(), stdio('clerk', clerk, args, { env: { MOOD: 'usual' } }));

		it('passes while the server does what it did, whatever differs on every run', async () =>
			run(await usual(), { ...SECRETS, MOOD: 'usual' }));

		it.each(CHANGES)('fails when the server %s', async (__, mood, why) => {
			const failure = await run(await usual(), { ...SECRETS, MOOD: mood }).catch((error) => error);
			const { message, actual } = failure ?? {};
			expect(`${message}\n${JSON.stringify(actual)}`).toMatch(why);
		});

		it('names what is missing in the environment', async () => {
			const { message, actual } = await run(await usual(), { MOOD: 'usual' }).catch((error) => error);
			expect(message).toContain('environment variables that have to be set first');
			expect(actual).toEqual(['MCP_TEST_BADGE', 'MCP_TEST_DOOR_CODE', 'MCP_TEST_PIN']);
		});
	});

	it('sends arguments in headers, too, where the tool wants them there', async () => {
		const server = await mirroring();
		onTestFinished(() => server.stop());
		const recorded = await recordedCall(world(), define('http', { url: server.url }), (each) =>
			each.callTool('go', { region: '东京', to: { loud: true } }),
		);
		expect(recorded.expected).toEqual({ result: { content: [{ type: 'text', text: 'Done' }] } });
		await run(recorded);
	});
});

describe('the link of a test for vitest', () => {
	it('starts scripts such as npx in a shell on Windows, with their arguments quoted, and programs as they are', () => {
		const started = (command: string) => {
			const calls: unknown[][] = [];
			const stream = { on: () => {} };
			const spawn = (...args: unknown[]) => {
				calls.push(args);
				return { on: () => {}, stdin: stream, stdout: stream, stderr: stream };
			};
			runInNewContext(`${LINKS.STDIO}\nopenLink({ put() {} });`, {
				...{ spawn, createInterface: () => stream, process: { platform: 'win32', env: {} } },
				server: { command, args: ['-y', 'a b "c"'], cwd: '.', env: {} },
			});
			return calls[0];
		};
		expect(started('npx')).toMatchObject(['"npx"', ['"-y"', '"a b \\"c\\""'], { shell: true }]);
		expect(started('C:\\node.exe')).toMatchObject(['C:\\node.exe', ['-y', 'a b "c"'], { shell: false }]);
	});

	it('ends its session also where the server did not respond in time', async () => {
		const sent: string[] = [];
		const fetch = async (_url: string, { method, signal }: RequestInit) => {
			signal?.throwIfAborted();
			sent.push(String(method));
			return new Response(null, { status: 202, headers: { 'Mcp-Session-Id': 's' } });
		};
		const link = runInNewContext(`${LINKS.HTTP}${LINKS.SESSION_HEADERS}\nopenLink({ put() {} });`, {
			...{ fetch, AbortController, AbortSignal, setTimeout },
			...{ PATIENCE: 1, REVISION: LEGACY, server: { url: 'http://localhost', headers: {} } },
		});
		await link.send({ method: 'initialize' });
		await new Promise((resolve) => setTimeout(resolve, 50));
		await link.close();
		expect(sent).toEqual(['POST', 'DELETE']);
	});
});

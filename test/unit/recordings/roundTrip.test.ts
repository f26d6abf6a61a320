import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundlePrograms } from '../../../scripts/build.mjs';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import type { Call } from '../../../src/elicitation/call.ts';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { serveRecording } from '../../../src/recordings/serveRecording.ts';
import { comparable } from '../../../src/trace/comparable.ts';
import { LEGACY, MODERN } from '../../rawServer/rawServer.ts';
import { define, everything, stdio, type TestClient, testClients, testServer } from '../mcp/testClient.ts';
import { toJsonLines } from '../privacy/maskedLog.ts';
import { played } from '../trace/recording/recorded.ts';

const world = testClients();
let folder: string;
const file = (name: string) => join(folder, `${name}.mjs`);

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'elicitation-recordings-'));
	await bundlePrograms({ demo: 'src/demo/server.ts', recording: 'src/recordings/server.ts' }, folder);
});

afterAll(() => rm(folder, { recursive: true }));

type Respond = (elicitation: Elicitation) => void;

/** One call of a server, with these responses. */
interface Made {
	readonly tool: string;
	readonly args: JsonObject;
	readonly respond: readonly Respond[];
}

const accept =
	(content: JsonObject): Respond =>
	(elicitation) =>
		elicitation.accept(content);
const decline: Respond = (elicitation) => elicitation.decline();

/** Makes calls one after the other, and ends with all of them as they compare. */
async function make(here: TestClient, definition: ServerDefinition, calls: readonly Made[]) {
	const connection = await here.connect(definition);
	for (const { tool, args, respond } of calls) {
		const calling = connection.callTool(tool, args).catch(() => {});
		for (const each of respond) {
			each((await here.asked())[0]);
		}
		await calling;
	}
	const compared = here.registry.calls.map((call: Call) => ({
		...comparable(call, here.registry.elicitations, here.trace),
		server: '',
	}));
	await connection.stop();
	return compared;
}

/** Records calls and serves the recording. */
async function recorded(definition: () => ServerDefinition, calls: readonly Made[]) {
	const here = world();
	const before = await make(here, definition(), calls);
	const text = toJsonLines(here.trace);
	await here.close();
	return { before, text, served: () => serving(text) };
}

/** Serves a recording in this process. */
async function serving(text: string): Promise<ServerDefinition> {
	const { url, close } = await serveRecording(new TextEncoder().encode(text), { transport: 'http' });
	onTestFinished(close);
	return define('served', { url });
}

/** The lines of a recording that belong to a call. */
const callsIn = (text: string) =>
	text
		.split('\n')
		.filter((line) => line.includes('"call":{'))
		.join('\n');

const REVISIONS = [LEGACY, MODERN];
const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };

describe.each<[string, () => ServerDefinition, readonly Made[]]>([
	[
		'the reference server',
		() => stdio('everything', everything, ['stdio']),
		[
			{ tool: 'echo', args: { message: 'hello' }, respond: [] },
			{ tool: 'trigger-elicitation-request', args: {}, respond: [accept({ name: 'Ada', check: true })] },
			{ tool: 'trigger-elicitation-request', args: {}, respond: [decline] },
		],
	],
	[
		'a server on the SDK',
		() => stdio('sdk1', testServer('sdk1.mjs')),
		[
			{ tool: 'ask', args: { params: form }, respond: [accept({ name: 'Ada' })] },
			{ tool: 'ask', args: { params: { message: 'No schema', requestedSchema: 7 } }, respond: [] },
		],
	],
	[
		'the demo server in sessions',
		() => stdio('demo', file('demo'), [], { protocolVersion: '2025-11-25' }),
		[{ tool: 'all-fields', args: {}, respond: [decline] }],
	],
	[
		'the demo server in rounds',
		() => stdio('demo', file('demo'), [], { protocolVersion: '2026-07-28' }),
		[
			{ tool: 'all-fields', args: {}, respond: [decline] },
			{ tool: 'all-fields', args: {}, respond: [(elicitation) => elicitation.cancel()] },
		],
	],
	...REVISIONS.map((revision): [string, () => ServerDefinition, readonly Made[]] => [
		`a task of ${revision}`,
		() => stdio('tasks', testServer('tasks.mjs'), [revision]),
		[accept({ name: 'Ada' }), decline].map((each) => ({ tool: 'order', args: {}, respond: [each] })),
	]),
	[
		'a task that reports by notifications',
		() => stdio('everything', everything, ['stdio']),
		[
			{
				tool: 'simulate-research-query',
				args: { topic: 'bees', ambiguous: true },
				respond: [accept({ interpretation: 'technical' })],
			},
		],
	],
	[
		'a server of several rounds',
		() => stdio('sdk2', testServer('sdk2.mjs')),
		[{ tool: 'rounds', args: { count: 2 }, respond: [accept({ name: 'Ada' }), accept({ name: 'Bob' })] }],
	],
])('a recording of %s', (_, definition, calls) => {
	it('is served so that the same calls compare as the same, in this window and with the recording', async () => {
		const { before, text, served } = await recorded(definition, calls);
		const after = await make(world(), await served(), calls);
		expect(after).toEqual(before);
		const { registry, trace } = played(text);
		const opened = registry.calls.map((call) => ({ ...comparable(call, registry.elicitations, trace), server: '' }));
		expect(after).toEqual(opened);
	});
});

describe('a served recording', () => {
	const definition = () => stdio('everything', everything, ['stdio']);
	const echo: Made = { tool: 'echo', args: { message: 'hello' }, respond: [] };

	it('chooses among recorded calls by the response', async () => {
		const tool = { tool: 'trigger-elicitation-request', args: {} };
		const calls = [
			{ ...tool, respond: [accept({ name: 'Ada' })] },
			{ ...tool, respond: [decline] },
		];
		const { before, served } = await recorded(definition, calls);
		const after = await make(world(), await served(), calls.toReversed());
		expect(after).toEqual(before.toReversed());
	});

	it.each(REVISIONS)('chooses among recorded tasks by the response (%s)', async (revision) => {
		const calls = [accept({ name: 'Ada' }), decline].map((each) => ({ tool: 'order', args: {}, respond: [each] }));
		const { before, served } = await recorded(() => stdio('tasks', testServer('tasks.mjs'), [revision]), calls);
		const after = await make(world(), await served(), calls.toReversed());
		expect(after).toEqual(before.toReversed());
	});

	it.skipIf(process.platform === 'win32')('is read from a file that has an end', async () => {
		const device = join(folder, 'device.jsonl');
		await symlink('/dev/zero', device);
		const { status, stderr } = spawnSync(process.execPath, [file('recording'), device], { encoding: 'utf8' });
		expect([status, stderr]).toEqual([1, 'it is not a regular file\n']);
	});

	it('says what it has where it lacks a call, in a process that serves it over stdio', async () => {
		const { text } = await recorded(definition, [echo]);
		const recording = join(folder, 'recording.jsonl');
		await writeFile(recording, text);
		const connection = await world().connect(stdio('served', file('recording'), [recording]));
		expect(connection.tools.map(({ name }) => name)).toContain('get-sum');
		await expect(connection.callTool('get-sum', { a: 1, b: 2 })).rejects.toThrow(
			'This recording has no call of "get-sum"; it has "echo".',
		);
		await expect(connection.callTool('echo', { message: 'other' })).rejects.toThrow(
			'This recording has no call of "echo" with these arguments; it has {"message":"hello"}.',
		);
	});

	it('needs no more than the calls: lists and the handshake are made from them', async () => {
		const { text } = await recorded(definition, [echo]);
		const connection = await world().connect(await serving(callsIn(text)));
		expect(connection.tools.map(({ name }) => name)).toEqual(['echo']);
		expect(JSON.stringify(await connection.callTool('echo', { message: 'hello' }))).toContain('hello');
	});

	it.each(REVISIONS)('needs no more than the calls also where they are tasks (%s)', async (revision) => {
		const order: Made = { tool: 'order', args: {}, respond: [accept({ name: 'Ada' })] };
		const { before, text } = await recorded(() => stdio('tasks', testServer('tasks.mjs'), [revision]), [order]);
		expect(await make(world(), await serving(callsIn(text)), [order])).toEqual(before);
	});
});

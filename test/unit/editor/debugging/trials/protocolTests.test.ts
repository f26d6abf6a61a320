import { describe, expect, it } from 'vitest';
import type { ServerDefinition } from '../../../../../src/config/definition.ts';
import { protocolTests } from '../../../../../src/editor/debugging/trials/protocolTests.ts';
import type { ProtocolTestRun, TrialTools } from '../../../../../src/editor/debugging/trials/temporaryConnection.ts';
import type { Elicitation } from '../../../../../src/elicitation/elicitation.ts';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';
import { REVISIONS } from '../../../../../src/elicitation/revisions.ts';
import { english, render } from '../../../../../src/elicitation/sentence.ts';
import { ConnectionManager } from '../../../../../src/mcp/index.ts';
import type { Observation } from '../../../../../src/trials/observe.ts';
import { MODERN } from '../../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../../rawServer/stdio.ts';
import { World } from '../../../elicitation/world.ts';
import { define, stdio, type TestClient, testClients, testServer } from '../../../mcp/testClient.ts';
import { sdkServers } from '../../../trials/stand.ts';

const world = testClients();
const definitionOf = sdkServers();
const never = new AbortController().signal;
const form = { message: 'How many?', requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } } };

/** Like the bench of the extension, but with its own connection manager. */
class Connections implements TrialTools {
	readonly registry;
	readonly validator;
	readonly connectionManager: ConnectionManager;
	readonly used: string[] = [];

	constructor(
		stage: TestClient,
		private readonly definition: ServerDefinition,
	) {
		this.registry = stage.registry;
		this.validator = stage.registry.validator;
		this.connectionManager = new ConnectionManager(stage);
	}

	begin: TrialTools['begin'] = async (spec, options) => this.connectionManager.get(spec.server)?.begin(spec, options);

	nameFor: TrialTools['nameFor'] = (server, trial) => `${server} · test: ${render(trial, english)}`;

	async openTemporaryConnection(
		_server: string,
		as: string,
		{ advertise, protocolVersion = 'auto' }: Parameters<TrialTools['openTemporaryConnection']>[2],
	) {
		const elicitation = { ...this.definition.elicitation, ...(advertise && { advertise }) };
		this.used.push(as);
		this.connectionManager.openTemporaryConnection(
			{ ...this.definition, name: as, elicitation, protocolVersion },
			this.definition.name,
		);
		return true;
	}

	closeTemporaryConnection = (name: string) => this.connectionManager.closeTemporaryConnection(name);

	revisionOf = (name: string) => this.connectionManager.get(name)?.revision;

	/** Makes the call once as the user would, then returns the protocol tests for it. */
	async runs(name: string, args: JsonObject, answer = () => {}): Promise<ProtocolTestRun[]> {
		const connection = this.connectionManager.openTemporaryConnection(this.definition, this.definition.name);
		await connection.start();
		const accept = this.registry.onDidAsk((request) => {
			request.accept({}) || request.decline();
		});
		const made = connection.callTool(name, args).catch(() => {});
		answer();
		await made;
		accept.dispose();
		await this.connectionManager.closeTemporaryConnection(this.definition.name);
		const spec = { server: 's', kind: 'tool', name, args } as const;
		const isTask = this.registry.calls.at(-1)?.task !== undefined;
		return protocolTests(this, { spec, isTask, before: this.registry.elicitations }, ['2025-06-18', '2026-07-28']);
	}
}

const told = (seen: Observation | undefined, run: ProtocolTestRun) =>
	[...(seen?.violations ?? []), ...(seen ? (run.judge?.(seen) ?? []) : []).map(({ text }) => text)].map((each) =>
		render(each, english),
	);

async function all(runs: readonly ProtocolTestRun[]): Promise<Record<string, unknown[]>> {
	const found: Record<string, unknown[]> = {};
	for (const each of runs) {
		const seen = await each.run(never);
		const refusal = seen && seen.outcome !== 'result' ? each.refusal?.(seen) : undefined;
		const outcome = refusal ? `${seen?.outcome}, ${refusal}` : seen?.outcome;
		found[render(each.name, english)] = [outcome, seen?.revision, ...told(seen, each)];
	}
	return found;
}

describe('the protocol bench', () => {
	it('varies capabilities and revisions over connections that end with their run', async () => {
		const stand = new Connections(world(), definitionOf('sdk1'));
		const runs = await stand.runs('ask', { params: form });
		expect(await all(runs)).toEqual({
			'Form mode only': ['result', '2025-11-25'],
			'URL mode only': [
				'isError, expected',
				'2025-11-25',
				'Its request violates the protocol. This client did not declare elicitation in form mode.',
			],
			'No elicitation': [
				'isError, expected',
				'2025-11-25',
				'Its request violates the protocol. This client did not declare elicitation in form mode.',
			],
			'Both modes': ['result', '2025-11-25'],
			'Revision 2025-06-18': ['result', '2025-06-18'],
			'Revision 2026-07-28': ['failed, neutral', undefined],
		});
		expect(new Set(stand.used).size).toBe(6);
		expect(stand.used.filter((name) => stand.connectionManager.get(name))).toEqual([]);
	});

	it('finds a server that does not check what it gets back', async () => {
		const stand = new Connections(world(), definitionOf('sdk2'));
		const runs = (await stand.runs('rounds', { count: 3, padding: 'x'.repeat(60) })).filter(
			({ group }) => group === 'state',
		);
		const found = await all(runs);
		expect(found['requestState with one bit flipped']).toEqual(['error, expected', MODERN, 'The server noticed it.']);
		expect(found['requestState left out']).toContain('The server sent the request again.');
		expect(found['requestState of the round before']).toContain('The server sent the request again.');
		expect(found['Responses from an earlier call']).toEqual([
			'result',
			MODERN,
			'The server accepted the responses again.',
		]);
	});

	it('shows how a server handles a required URL that is never opened', async () => {
		const entry = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e' };
		const stand = new Connections(world(), definitionOf('sdk1'));
		const runs = (await stand.runs('require-url', { entries: [entry] })).filter(({ group }) => group === 'urls');
		const [, once, often] = runs;
		const first = await once?.run(never);
		expect([first?.outcome, first?.elicitations.length]).toEqual(['error', 2]);
		expect(first?.notes.map((note) => render(note, english))).toContain(
			'Unsuccessful retries: 1. Then the URL was declined.',
		);
		expect((await often?.run(never))?.elicitations).toHaveLength(6);
	});

	/** A server of which each round is scripted. */
	async function scripted(act: (rawServer: RawStdioServer, stand: Connections) => Promise<void>) {
		const rawServer = await RawStdioServer.open({ revision: MODERN });
		const stage = world();
		const stand = new Connections(stage, define('s', rawServer.definition));
		try {
			await act(rawServer, stand);
		} finally {
			await stage.close();
			await stand.connectionManager.dispose();
			await rawServer.close();
		}
	}

	const required = (requestState: string) => ({
		resultType: 'input_required',
		inputRequests: { who: { method: 'elicitation/create', params: form } },
		requestState,
	});

	it('sends a state with one change and leaves the rest of the round trip unchanged', () =>
		scripted(async (rawServer, stand) => {
			const runs = await stand.runs('act', {}, () => {
				void (async () => {
					rawServer.answer(await rawServer.expect('tools/call'), required('abcdef'));
					rawServer.finish(await rawServer.expect('tools/call'));
				})();
			});
			const flipped = runs.find(({ group }) => group === 'state');
			const running = flipped?.run(never);
			rawServer.answer(await rawServer.expect('tools/call'), required('abcdef'));
			const second = await rawServer.expect('tools/call');
			expect(second.params.requestState).toBe('abceef');
			expect(second.params.inputResponses).toEqual({ who: { action: 'accept', content: {} } });
			rawServer.fail(second, { code: -32602, message: 'The state was changed.' });
			const seen = await running;
			expect(seen?.outcome).toBe('error');
			expect(flipped?.judge?.(seen as Observation).map(({ text }) => text.text)).toEqual(['The server noticed it.']);
		}));

	it('finds a server that does not check what it gets back, even if its rounds request the same', () =>
		scripted(async (rawServer, stand) => {
			const serve = async () => {
				rawServer.answer(await rawServer.expect('tools/call'), required('abcdef'));
				rawServer.answer(await rawServer.expect('tools/call'), required('ghijkl'));
				rawServer.finish(await rawServer.expect('tools/call'));
			};
			const runs = await stand.runs('act', {}, () => void serve());
			const flipped = runs.find(({ group }) => group === 'state');
			const [seen] = await Promise.all([flipped?.run(never), serve()]);
			expect(seen?.outcome).toBe('result');
			expect(flipped && told(seen, flipped)).toEqual(['The server did not notice it.']);
		}));

	const both = {
		'Task: polled too early': ['result', 'The server responded to all 5 polls.'],
		'Task: polled after its end': ['result', 'The server returned the same result again.'],
	};
	const careful = {
		'Task: an unknown ID': ['result', 'The server noticed it.'],
		'Task: cancelled while it requires input': ['failed, expected', 'The server cancelled the task.'],
	};
	const careless = {
		'Task: an unknown ID': ['result', 'The server reported a task that it never created.'],
		'Task: cancelled while it requires input': [
			'result',
			'The server did not cancel the task at once: it is "input_required".',
		],
	};
	const twice = 'The server acknowledged both responses; its result shows which one it used.';
	const ignored = 'The server ignored the response.';
	const changed = 'The response changed the result of a task that had ended.';
	const [same, late] = ['Task: two responses to the same key', 'Task: a response after its end'];

	it.each([
		['2025-11-25', [], { ...both, ...careful }],
		['2025-11-25', ['careless'], careless],
		[MODERN, [], { ...both, ...careful, [same]: ['result', twice], [late]: ['result', ignored] }],
		[MODERN, ['careless'], { ...careless, [late]: ['result', changed] }],
	])(
		'shows what a server of %s (%j) does with requests about a task that a call does not send',
		async (revision, args, expected) => {
			const stand = new Connections(world(), stdio('s', testServer('tasks.mjs'), [revision, ...args]));
			const runs = await stand.runs('order', {});
			expect(runs.filter(({ group }) => group === 'state')).toEqual([]);
			// What a careless server does like others need not be shown again.
			const isShown = ({ name }: ProtocolTestRun) => args.length === 0 || render(name, english) in expected;
			const found = await all(runs.filter((run) => run.group === 'tasks' && isShown(run)));
			expect(found).toEqual(
				Object.fromEntries(
					Object.entries(expected).map(([name, [outcome, ...notes]]) => [name, [outcome, revision, ...notes]]),
				),
			);
			expect(stand.registry.live).toEqual([]);
		},
	);

	it('expects a call to fail in the revisions that do not have a mode that it needs', () => {
		const stage = new World();
		const [form, url] = stage.together(stage.call(), 'request', 'How many?', 'https://example.com/');
		const tools = { validator: stage.registry.validator } as TrialTools;
		const spec = { server: 's', kind: 'tool', name: 'deploy', args: {} } as const;
		const refusals = (before: readonly (Elicitation | undefined)[]) =>
			protocolTests(tools, { spec, isTask: false, before: before.filter((each) => each !== undefined) }, REVISIONS)
				.filter(({ group }) => group === 'revisions')
				.map(({ refusal }) =>
					refusal?.({ call: stage.call(), outcome: 'isError', message: '', elicitations: [], notes: [] }),
				);
		expect(refusals([form])).toEqual(['expected', 'expected', undefined, undefined, undefined]);
		expect(refusals([form, url])).toEqual(['expected', 'expected', 'expected', undefined, undefined]);
		expect(refusals([])).toEqual([undefined, undefined, undefined, undefined, undefined]);
	});

	it('does not expect a task of a revision that has none', async () => {
		const stand = new Connections(world(), stdio('s', testServer('tasks.mjs'), ['2025-11-25']));
		const [older] = (await stand.runs('order', {})).filter(({ group }) => group === 'revisions');
		const seen = await older?.run(never);
		expect([seen?.outcome, seen && older?.refusal?.(seen)]).toEqual(['error', 'neutral']);
	});
});

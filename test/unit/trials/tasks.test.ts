import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/elicitation/call.ts';
import { type BoundaryCase, boundaryCases } from '../../../src/elicitation/form/boundary.ts';
import { RecordedResponses } from '../../../src/elicitation/recordedResponses.ts';
import type { FormRequest } from '../../../src/elicitation/request.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import { comparable } from '../../../src/trace/comparable.ts';
import { resultOf } from '../../../src/trace/result.ts';
import { boundaryRun, judgeBoundaryValue } from '../../../src/trials/boundaryValues.ts';
import { runWithResponses } from '../../../src/trials/callRun.ts';
import { stdio, testClients, testServer, type Wire } from '../mcp/testClient.ts';
import { stand, textsOf } from './stand.ts';

const world = testClients();
const spec = { server: 'tasks', kind: 'tool', name: 'order', args: {} } as const;

describe.each(['2025-11-25', '2026-07-28'])('a call that is a task of %s', (revision) => {
	const open = () => stand(world(), stdio('tasks', testServer('tasks.mjs'), [revision]));

	/** Makes the call as the user would. */
	async function call({ here, connection }: Awaited<ReturnType<typeof open>>): Promise<Call> {
		const running = connection.call(spec).catch(() => {});
		(await here.asked())[0].accept({ name: 'Ada' });
		await running;
		return here.registry.calls.at(-1) as Call;
	}

	it('ends in every way that its requests can end', async () => {
		const { here, matrix, seen } = await open();
		const all = [];
		for (const trial of matrix) {
			all.push(await seen(trial.cancelAfter === undefined ? trial : { ...trial, cancelAfter: 200 }, 'order'));
		}
		// Only sessions can tell a server of an error; in rounds, the call fails on this side.
		const error = revision === '2025-11-25' ? 'error' : 'failed';
		expect(all.map((each) => each.outcome)).toEqual(['result', 'result', 'result', error, 'waiting']);
		expect(all.slice(0, 3).map(({ message }) => JSON.parse(String(message)).action)).toEqual([
			'accept',
			'decline',
			'cancel',
		]);
		const shapes = all.map((each) => [each.elicitations.length, each.call?.task !== undefined]);
		expect(shapes).toEqual(Array(5).fill([1, true]));
		expect(here.registry.live).toEqual([]);
	});

	it('gets the values at the limits of its form', async () => {
		const stage = await open();
		const { here, seen } = stage;
		const made = await call(stage);
		const before = here.registry.elicitations.filter(({ cause }) => cause === made);
		const [{ requestedSchema: schema }] = before.map(({ request }) => request) as [FormRequest];
		const cases = await boundaryCases(schema, { name: 'Ada' }, here.registry.validator);
		const longest = cases[textsOf(cases.map(({ name }) => name)).indexOf('name: the longest')] as BoundaryCase;
		const tried = await seen(boundaryRun(longest, schema, here.registry.validator, before), 'order');
		expect([tried.outcome, judgeBoundaryValue(longest, tried, before)]).toEqual(['result', []]);
		expect(JSON.parse(String(tried.message)).content).toEqual(longest.content);
	});

	it('is replayed as a task with its recorded responses, and the runs compare as the same', async () => {
		const stage = await open();
		const { here, context } = stage;
		const first = await call(stage);
		const recording = new RecordedResponses(first, here.registry.elicitations, here.registry.autoResponders);
		expect(recording.size).toBe(1);
		const again = await runWithResponses(
			context.begin,
			here.registry,
			{ ...spec, trial: localizable('Accept') },
			async (elicitation) => recording.respond(elicitation),
		);
		expect(again?.call.task).toBeDefined();
		expect(again?.result?.['structuredContent']).toEqual({ action: 'accept', content: { name: 'Ada' } });
		const [before, after] = [first, again?.call as Call].map((each) =>
			comparable(each, here.registry.elicitations, here.trace),
		) as [Wire, Wire];
		expect(after).toEqual(before);
		expect(before.rounds).toMatchObject([{ round: 1, elicitations: [{ answer: { content: { name: 'Ada' } } }] }]);
		expect(before.result.structuredContent).toEqual({ action: 'accept', content: { name: 'Ada' } });
		expect(Object.keys(before.result)).not.toContain('taskId');
	});

	it('has the result of its task in the timeline, whatever was sent after it', async () => {
		const stage = await open();
		const { here } = stage;
		const made = await call(stage);
		const entries = here.trace.entries.filter((entry) => entry.call === made);
		const late = {
			...(entries.at(-1) as Wire),
			// No request of ours had that id.
			exchange: undefined,
			message: { jsonrpc: '2.0', id: 99, result: { resultType: 'complete' } },
		};
		expect(resultOf({ call: made, entries: [...entries, late] })).toMatchObject({
			structuredContent: { action: 'accept', content: { name: 'Ada' } },
		});
	});
});

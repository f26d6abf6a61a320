import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/elicitation/call.ts';
import { boundaryCases } from '../../../src/elicitation/form/boundary.ts';
import { RecordedResponses } from '../../../src/elicitation/recordedResponses.ts';
import type { FormRequest } from '../../../src/elicitation/request.ts';
import { english, localizable, render } from '../../../src/elicitation/sentence.ts';
import { comparable } from '../../../src/trace/comparable.ts';
import { resultOf } from '../../../src/trace/result.ts';
import { actionMatrix } from '../../../src/trials/actionMatrix.ts';
import { boundaryTrial, judgeBoundaryValue } from '../../../src/trials/boundaryValues.ts';
import { runWithResponses } from '../../../src/trials/callRun.ts';
import { observe, type RunContext } from '../../../src/trials/observe.ts';
import { stdio, type TestClient, testClients, testServer, type Wire } from '../mcp/testClient.ts';

const world = testClients();
const never = new AbortController().signal;
const spec = { server: 'tasks', kind: 'tool', name: 'order', args: {} } as const;

describe.each(['2025-11-25', '2026-07-28'])('a call that is a task of %s', (revision) => {
	async function contextOf(here: TestClient): Promise<RunContext> {
		const connection = await here.connect(stdio('tasks', testServer('tasks.mjs'), [revision]));
		return { registry: here.registry, run: ({ name, args }, options) => connection.callTool(name, args, options) };
	}

	/** Makes the call as the user would. */
	async function call(here: TestClient, { run }: RunContext, content: Wire): Promise<Call> {
		const running = run({ ...spec, trial: localizable('Accept') }).catch(() => {});
		(await here.asked())[0].accept(content);
		await running;
		return here.registry.calls.at(-1) as Call;
	}

	it('ends in every way that its requests can end', async () => {
		const here = world();
		const context = await contextOf(here);
		const seen = [];
		for (const trial of actionMatrix(here.registry.validator, [])) {
			const bounded = trial.cancelAfter === undefined ? trial : { ...trial, cancelAfter: 200 };
			seen.push(await observe(context, spec, bounded, never));
		}
		// Only sessions can tell a server of an error; in rounds, the call fails on this side.
		const error = revision === '2025-11-25' ? 'error' : 'failed';
		expect(seen.map((each) => each?.outcome)).toEqual(['result', 'result', 'result', error, 'waiting']);
		expect(seen.slice(0, 3).map((each) => JSON.parse(String(each?.message)).action)).toEqual([
			'accept',
			'decline',
			'cancel',
		]);
		expect(seen.map((each) => [each?.elicitations.length, each?.call?.task !== undefined])).toEqual(
			Array.from({ length: 5 }, () => [1, true]),
		);
		expect(here.registry.live).toEqual([]);
	});

	it('gets the values at the limits of its form', async () => {
		const here = world();
		const context = await contextOf(here);
		const made = await call(here, context, { name: 'Ada' });
		const before = here.registry.elicitations.filter(({ cause }) => cause === made);
		const [{ requestedSchema: schema }] = before.map(({ request }) => request) as [FormRequest];
		const cases = await boundaryCases(schema, { name: 'Ada' }, here.registry.validator);
		const longest = cases.find(({ name }) => render(name, english) === 'name: the longest');
		if (!longest) throw new Error(`Only ${cases.map(({ name }) => render(name, english))}`);
		const trial = boundaryTrial(longest, schema, here.registry.validator, before);
		const seen = await observe(context, spec, trial, never);
		expect([seen?.outcome, seen && judgeBoundaryValue(longest, seen, before)]).toEqual(['result', []]);
		expect(JSON.parse(String(seen?.message)).content).toEqual(longest.content);
	});

	it('is replayed as a task with its recorded responses, and the runs compare as the same', async () => {
		const here = world();
		const context = await contextOf(here);
		const first = await call(here, context, { name: 'Ada' });
		const recording = new RecordedResponses(first, here.registry.elicitations, here.registry.autoResponders);
		expect(recording.size).toBe(1);
		const again = await runWithResponses(
			context.run,
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
		const here = world();
		const context = await contextOf(here);
		const made = await call(here, context, { name: 'Ada' });
		const entries = here.trace.entries.filter((entry) => entry.call === made);
		const late = {
			...(entries.at(-1) as Wire),
			message: { jsonrpc: '2.0', id: 99, result: { resultType: 'complete' } },
		};
		expect(resultOf({ call: made, entries: [...entries, late] })).toMatchObject({
			structuredContent: { action: 'accept', content: { name: 'Ada' } },
		});
	});
});

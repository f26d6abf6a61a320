import { describe, expect, it, vi } from 'vitest';
import type { Call } from '../../../../src/elicitation/call.ts';
import type { Elicitation, Intake, Origin } from '../../../../src/elicitation/elicitation.ts';
import type { Verdict } from '../../../../src/elicitation/form/validate.ts';
import type { Json, JsonObject } from '../../../../src/elicitation/json.ts';
import { Registry } from '../../../../src/elicitation/registry.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';

const schema: JsonObject = { type: 'object', properties: { age: { type: 'integer', exclusiveMinimum: 17 } } };
const gone = localizable('The server is gone.');

function create(verdict: Verdict = { status: 'valid' }) {
	const judged: [schema: JsonObject, content: Json][] = [];
	const validator = {
		validate: (requested: JsonObject, content: Json) => {
			judged.push([requested, content]);
			return Promise.resolve(verdict);
		},
	};
	const registry = new Registry(validator, () => Number.POSITIVE_INFINITY);
	const added: Elicitation[] = [];
	const changes: string[] = [];
	registry.onDidAdd((each) => added.push(each));
	registry.onDidChange(({ elicitation, state }) => changes.push(`${elicitation.id} ${state}`));
	return { registry, judged, added, changes };
}

function origin(connection = 'c1', calls: readonly Call[] = [], intake: Intake = 'request'): Origin {
	return { server: 'weather', connection, intake, revision: '2025-11-25', calls, params: null };
}

const form = { mode: 'form', message: 'How old are you?', requestedSchema: schema } as const;
const page = (elicitationId?: string) =>
	({
		mode: 'url',
		message: 'Sign in.',
		url: 'https://example.com/',
		...(elicitationId !== undefined && { elicitationId }),
	}) as const;

describe('the registry', () => {
	it('announces every elicitation, and lists the oldest first', () => {
		const { registry, added } = create();
		const first = registry.add(form, origin());
		const second = registry.add(page('1'), origin());
		expect(added).toEqual([first, second]);
		expect(registry.elicitations).toEqual([first, second]);
		expect(registry.get(second.id)).toBe(second);
		first.cancel();
		expect(registry.live).toEqual([second]);
	});

	it('announces every change of state once', () => {
		const { registry, changes } = create();
		const each = registry.add(page('1'), origin());
		each.opened();
		expect([registry.complete('c1', '1'), registry.complete('c1', '1')]).toEqual([true, false]);
		expect(changes).toEqual([`${each.id} opened`, `${each.id} completed`]);
	});

	it('keeps the arguments of ended calls up to 32 MB, and shortens the oldest', () => {
		const registry = new Registry({ validate: vi.fn() }, () => 1);
		const calls = Array.from({ length: 5 }, (_, at) =>
			registry.beginCall('s', 'tool', `tool ${at}`, { text: 'x'.repeat(10 * 1024 * 1024) }),
		);
		for (const call of calls) registry.endCall(call, 'succeeded', {});
		expect(calls.map(({ hasWholeArgs }) => hasWholeArgs)).toEqual([false, false, true, true, true]);
		expect(JSON.stringify(calls[0]?.args).length).toBeLessThan(2_000);
	});

	it('asks nobody if the policy is to decline, and remembers the elicitation', async () => {
		const { registry, added } = create();
		const each = registry.add(form, origin(), 'decline');
		expect(await each.outcome).toStrictEqual({ action: 'decline' });
		expect(added).toEqual([]);
		expect(registry.elicitations).toEqual([each]);
	});

	it('reports a refusal without creating an elicitation, and its call keeps the reason', () => {
		const { registry } = create();
		const seen: unknown[] = [];
		registry.onDidRefuse((refusal) => seen.push(refusal));
		const call = registry.beginCall('weather', 'tool', 'forecast', {});
		const refusal = { server: 'weather', reason: localizable('No.'), params: null, calls: [call] };
		registry.refuse(refusal);
		registry.refuse(refusal);
		expect(seen).toEqual([refusal, refusal]);
		expect(call.refusals).toEqual([refusal.reason]);
		expect(registry.elicitations).toEqual([]);
	});
});

describe('accepting a form', () => {
	it('validates the content against the raw schema before it is sent (F05)', async () => {
		const { registry, judged } = create();
		const each = registry.add(form, origin());
		await registry.accept(each, { age: 18 });
		expect(judged).toEqual([[schema, { age: 18 }]]);
		expect(judged[0]?.[0]).toBe(schema);
		expect(await each.outcome).toStrictEqual({ action: 'accept', content: { age: 18 } });
	});

	it('sends nothing if the content is invalid, and keeps the elicitation open (F05)', async () => {
		const verdict: Verdict = {
			status: 'invalid',
			violations: [{ path: '/age', keyword: 'exclusiveMinimum', message: localizable('Too young.') }],
		};
		const { registry } = create(verdict);
		const each = registry.add(form, origin());
		expect(await registry.accept(each, { age: 17 })).toBe(verdict);
		expect([each.state, each.response]).toEqual(['asking', undefined]);
	});

	it('sends what was just found valid, and nothing else, without another validation', async () => {
		const { registry, judged } = create();
		const [one, other] = [registry.add(form, origin()), registry.add(form, origin())];
		const [content, more] = [{ age: 18 }, { age: 19 }];
		const shown = { ...schema, title: 'Age' };
		await registry.validatorOf(one).validate(shown, content);
		await registry.accept(other, content);
		await registry.accept(one, content);
		expect(judged).toEqual([content, content].map((each) => [schema, each]));
		const third = registry.add(form, origin());
		await registry.validatorOf(third).validate(shown, content);
		await registry.accept(third, more);
		expect(judged.at(-1)).toEqual([schema, more]);
	});

	it('sends what could not be checked here: the server will check it', async () => {
		const { registry } = create({ status: 'unchecked', reason: localizable('Too slow.') });
		const each = registry.add(form, origin());
		await registry.accept(each, { age: 17 });
		expect(each.state).toBe('accepted');
	});

	it('sends nothing if the elicitation is withdrawn during validation (A02)', async () => {
		const { registry } = create();
		const each = registry.add(form, origin());
		const accepting = registry.accept(each, { age: 18 });
		each.withdraw(gone);
		await accepting;
		expect(await each.outcome).toEqual({ action: 'withdrawn', reason: gone });
	});

	it('is impossible in URL mode (U08)', async () => {
		const { registry } = create();
		await expect(registry.accept(registry.add(page('1'), origin()), {})).rejects.toThrow(TypeError);
	});
});

describe('completion notices', () => {
	it('for unknown ids, forms and ended URL elicitations are ignored (U09, fault 4)', () => {
		const { registry, changes } = create();
		registry.add(form, origin());
		registry.add(page(), origin());
		const finished = registry.add(page('done'), origin());
		finished.decline();
		changes.length = 0;
		expect(registry.complete('c1', 'never heard of')).toBe(false);
		expect(registry.complete('c1', 'done')).toBe(false);
		expect(changes).toEqual([]);
	});

	it('before consent complete the elicitation, with a cancel for the server (fault 5)', async () => {
		const { registry } = create();
		const each = registry.add(page('1'), origin());
		expect(registry.complete('c1', '1')).toBe(true);
		expect(each.state).toBe('completed');
		expect(await each.outcome).toStrictEqual({ action: 'cancel' });
	});

	it('keep the same id of two connections apart (U09, fault 3)', () => {
		const { registry } = create();
		const ours = registry.add(page('1'), origin('c1'));
		const theirs = registry.add(page('1'), origin('c2'));
		registry.complete('c2', '1');
		expect([ours.state, theirs.state]).toEqual(['asking', 'completed']);
	});
});

describe("a call's elicitations", () => {
	it.each(['succeeded', 'failed'] as const)(
		'leave no open URL behind when all that it may have come from have %s',
		async (end) => {
			const { registry, changes } = create();
			const [first, second] = [
				registry.beginCall('weather', 'tool', 'forecast', {}),
				registry.beginCall('weather', 'tool', 'forecast', {}),
			];
			const [certain, uncertain, own] = [
				registry.add(page('1'), origin('c1', [first])),
				registry.add(page('2'), origin('c1', [first, second])),
				registry.add(page('3'), origin('c1')),
			];
			for (const each of [certain, uncertain, own]) each.opened();
			registry.endCall(first, end, undefined);
			expect([certain.state, uncertain.state]).toEqual(['withdrawn', 'opened']);
			expect(certain.withdrawal?.text).toBe('The call that needed it has ended.');
			expect(await certain.outcome).toStrictEqual({ action: 'accept' });
			registry.endCall(second, end, undefined);
			expect(registry.live).toEqual([own]);
			expect(registry.complete('c1', '1')).toBe(false);
			expect(changes.filter((change) => change.startsWith(`${certain.id} `))).toEqual([
				`${certain.id} opened`,
				`${certain.id} withdrawn`,
			]);
		},
	);

	it('pause it for an auto-responder while it is asked, and then for the user (A04)', async () => {
		const { registry } = create();
		let pass: (() => void) | undefined;
		registry.autoResponders.add({
			responder: { kind: 'script', name: 'deploy' },
			respond: () => new Promise((resolve) => (pass = () => resolve(undefined))),
		});
		const call = registry.beginCall('weather', 'tool', 'forecast', {});
		const each = registry.add(form, origin('c1', [call]));
		expect(call.clock.turn).toBe('automatic');
		pass?.();
		await vi.waitUntil(() => each.consulted === undefined);
		expect(call.clock.turn).toBe('person');
	});

	it.each([
		['inputRequired', 'failed', 'withdrawn'],
		['urlRequired', 'succeeded', 'withdrawn'],
		['request', 'succeeded', 'asking'],
		['request', 'failed', 'asking'],
		['inputRequired', 'cancelled', 'withdrawn'],
		['request', 'cancelled', 'cancelled'],
	] as const)('that came by %s are, when it has %s, %s (A02, D03)', (intake, end, state) => {
		const { registry } = create();
		const call = registry.beginCall('weather', 'tool', 'forecast', {});
		const other = registry.beginCall('weather', 'tool', 'forecast', {});
		const own = registry.add(form, origin('c1', [call], intake));
		const foreign = registry.add(form, origin('c1', [other], intake));
		const uncertain = registry.add(form, origin('c1', [call, other], intake));
		registry.endCall(call, end, undefined);
		expect([own.state, foreign.state, uncertain.state]).toEqual([state, 'asking', 'asking']);
		const reason = end === 'cancelled' ? 'The call was cancelled.' : 'The call that needed it has ended.';
		expect(own.withdrawal?.text).toBe(state === 'asking' ? undefined : reason);
	});

	it('D03: are cancelled, too, where it was taken back for another reason, and so is what still comes', () => {
		const { registry } = create();
		const call = registry.beginCall('weather', 'tool', 'forecast', {});
		const own = registry.add(form, origin('c1', [call]));
		registry.endCall(call, 'failed', new Error('It took too long.'), true);
		expect([own.state, own.response?.action, own.withdrawal?.text]).toEqual([
			'cancelled',
			'cancel',
			'The call that needed it has ended.',
		]);
		const asked = vi.fn();
		registry.onDidAsk(asked);
		expect(registry.add(form, origin('c1', [call]))).toMatchObject({
			state: 'cancelled',
			response: { action: 'cancel' },
		});
		expect(asked).not.toHaveBeenCalled();
	});

	it('end with it once: a second end changes nothing', () => {
		const { registry } = create();
		const call = registry.beginCall('weather', 'tool', 'forecast', {});
		registry.endCall(call, 'cancelled', 'stopped');
		registry.endCall(call, 'succeeded', 'too late');
		expect([call.state, call.outcome]).toEqual(['cancelled', 'stopped']);
	});
});

describe('the memory of the registry', () => {
	it('drops the oldest ended entries, never a live one', () => {
		const { registry } = create();
		const open = registry.add(form, origin());
		const running = registry.beginCall('weather', 'tool', 'forecast', {});
		for (let n = 0; n < 600; n++) {
			registry.add(form, origin()).cancel();
			registry.endCall(registry.beginCall('weather', 'tool', 'forecast', {}), 'succeeded', n);
		}
		expect(registry.elicitations).toHaveLength(500);
		expect(registry.calls).toHaveLength(500);
		expect(registry.elicitations[0]).toBe(open);
		expect(registry.calls[0]).toBe(running);
		expect(registry.calls.at(-1)?.outcome).toBe(599);
	});

	it('drops the oldest ended elicitations sooner if they are large', () => {
		const { registry } = create();
		const add = (size: number) => registry.add(form, { ...origin(), params: 'x'.repeat(size) });
		const open = add(1_000_000);
		const ended = Array.from({ length: 100 }, () => {
			const each = add(1_000_000);
			each.cancel();
			return each;
		});
		add(1);
		expect(registry.elicitations.length).toBeLessThan(35);
		expect(registry.elicitations[0]).toBe(open);
		expect(registry.elicitations).toContain(ended.at(-1));
	});

	it('can be cleared, except for live entries', () => {
		const { registry } = create();
		const open = registry.add(form, origin());
		const running = registry.beginCall('weather', 'tool', 'forecast', {});
		registry.add(form, origin()).cancel();
		registry.endCall(registry.beginCall('weather', 'tool', 'forecast', {}), 'failed', undefined);
		registry.forgetEnded();
		expect([registry.elicitations, registry.calls]).toEqual([[open], [running]]);
	});
});

import { describe, expect, it } from 'vitest';
import { type Answerer, Answerers, type Decision, type Misanswer } from '../../../src/elicitation/answerers.ts';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import { Registry } from '../../../src/elicitation/registry.ts';
import { english, render, say } from '../../../src/elicitation/sentence.ts';
import type { StandIn } from '../../../src/elicitation/standIn.ts';

const script: StandIn = { kind: 'script', name: 'deploy' };
const extension: StandIn = { kind: 'extension', name: 'some.extension' };

const violations = ['/a', '/b/0', '', '/c'].map((path, at) => ({ path, keyword: 'k', message: say('Wrong {0}.', at) }));

function world() {
	const registry = new Registry(
		{
			validate: async (_schema, content) =>
				(content as { bad?: true }).bad ? { status: 'invalid', violations } : { status: 'valid' },
		},
		() => Number.POSITIVE_INFINITY,
	);
	const asked: Elicitation[] = [];
	const misanswers: Misanswer[] = [];
	registry.onDidAsk((each) => asked.push(each));
	registry.answerers.onDidMisanswer((each) => misanswers.push(each));
	const origin = {
		server: 's',
		connection: 'c',
		intake: 'request',
		revision: '2025-11-25',
		calls: [],
		params: null,
	} as const;
	return {
		registry,
		asked,
		misanswers,
		form: () => registry.add({ mode: 'form', message: 'A', requestedSchema: {} }, origin),
		url: () => registry.add({ mode: 'url', message: 'A', url: 'https://example.com/' }, origin),
	};
}

const answering = (standIn: StandIn, decision: Decision | undefined | Error): Answerer => ({
	standIn,
	answer: async () => {
		if (decision instanceof Error) throw decision;
		return decision;
	},
});

/** Whoever is asked has been asked. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('an answer in the person’s place', () => {
	it.each([
		[{ action: 'accept', content: { n: 1 } }, 'accepted'],
		[{ action: 'decline' }, 'declined'],
		[{ action: 'cancel' }, 'cancelled'],
		[{ action: 'error', code: -32000, message: 'No.' }, 'failed'],
	] as const)('is sent as %j without asking the person, and says whose it is', async (decision, state) => {
		const { registry, form, asked } = world();
		registry.answerers.add(answering(script, decision));
		const each = form();
		expect(await each.reply).toEqual(decision);
		expect([each.state, each.standIn]).toEqual([state, script]);
		expect(asked).toEqual([]);
	});

	it('to a page is an accept that opens nothing', async () => {
		const { registry, url, asked } = world();
		registry.answerers.add(answering(script, { action: 'accept' }));
		const each = url();
		expect(await each.reply).toEqual({ action: 'accept' });
		expect(each.state).toBe('opened');
		expect(asked).toEqual([]);
	});

	it('that the schema does not allow is not sent; the person is asked, and told', async () => {
		const { registry, form, asked, misanswers } = world();
		registry.answerers.add(answering(script, { action: 'accept', content: { bad: true } }));
		const each = form();
		await settle();
		expect(asked).toEqual([each]);
		expect(misanswers.map(({ standIn, reason }) => [standIn, render(reason, english)])).toEqual([
			[script, 'Its answer does not fit what the server asks for. /a: Wrong 0. /b/0: Wrong 1. Wrong 2.'],
		]);
		expect([each.state, each.standIn]).toEqual(['asking', undefined]);
	});

	it('that the schema does not allow is sent when it is forced, and marked', async () => {
		const { registry, form } = world();
		const each = form();
		await registry.answerers.answer(each, { kind: 'forced', name: '' }, { action: 'accept', content: { bad: true } });
		expect(await each.reply).toEqual({ action: 'accept', content: { bad: true } });
		expect(each.standIn).toEqual({ kind: 'forced', name: '' });
	});
});

describe('whoever answers in the person’s place', () => {
	it('is asked in order, scripts first; whoever leaves it leaves it to the next, and in the end to the person', async () => {
		const { registry, form, asked } = world();
		const order: string[] = [];
		const noting = (standIn: StandIn): Answerer => ({
			standIn,
			answer: async () => {
				order.push(standIn.name);
				return undefined;
			},
		});
		registry.answerers.add(noting(extension));
		registry.answerers.add(noting(script));
		const gone = registry.answerers.add(noting({ kind: 'extension', name: 'gone' }));
		gone.dispose();
		const each = form();
		await settle();
		expect(order).toEqual(['deploy', 'some.extension']);
		expect(asked).toEqual([each]);
	});

	it('may fail: the person is asked at once, and told', async () => {
		const { registry, form, asked, misanswers } = world();
		registry.answerers.add(answering(extension, new Error('out of order')));
		registry.answerers.add(answering({ kind: 'extension', name: 'next' }, { action: 'decline' }));
		const each = form();
		await settle();
		expect(asked).toEqual([each]);
		expect(misanswers.map(({ reason }) => render(reason, english))).toEqual(['It failed: out of order']);
	});

	it('may refer it to the person, who is told why', async () => {
		const { registry, form, asked, misanswers } = world();
		registry.answerers.add({ standIn: script, answer: async () => ({ action: 'refer', reason: say('Broken.') }) });
		const each = form();
		await settle();
		expect([asked, each.standIn]).toEqual([[each], undefined]);
		expect(misanswers).toEqual([{ elicitation: each, standIn: script, reason: say('Broken.') }]);
	});

	it('is named as long as the person waits for it, who can take the question over', async () => {
		const { registry, form, asked } = world();
		const heard: (StandIn | undefined)[] = [];
		registry.answerers.onDidConsult((each) => heard.push(each.consulted));
		let answer: ((decision: Decision) => void) | undefined;
		registry.answerers.add({
			standIn: extension,
			answer: () =>
				new Promise((resolve) => {
					answer = resolve;
				}),
		});
		const each = form();
		await settle();
		expect([each.consulted, asked]).toEqual([extension, []]);
		await registry.answerers.takeOver(each);
		expect([each.consulted, asked, heard]).toEqual([undefined, [each], [extension, undefined]]);
		answer?.({ action: 'decline' });
		await settle();
		expect([each.state, each.standIn]).toEqual(['asking', undefined]);
		await registry.answerers.takeOver(each);
		expect(asked).toEqual([each]);
	});

	it('comes too late, too, once its answer is being checked', async () => {
		let judge: ((verdict: { status: 'valid' }) => void) | undefined;
		const checked = new Promise<{ status: 'valid' }>((resolve) => {
			judge = resolve;
		});
		const answerers = new Answerers({ validate: () => checked });
		answerers.add(answering(script, { action: 'accept', content: {} }));
		const each = world().form();
		const offer = answerers.offer(each);
		await settle();
		const takenOver = answerers.takeOver(each);
		judge?.({ status: 'valid' });
		await takenOver;
		expect([await offer, each.state, each.standIn]).toEqual([false, 'asking', undefined]);
	});

	it('is remembered by the call of which it answered a question', async () => {
		const { registry } = world();
		registry.answerers.add(answering(script, { action: 'decline' }));
		const call = registry.beginCall('s', 'tool', 'deploy', {});
		registry.add(
			{ mode: 'form', message: 'A', requestedSchema: {} },
			{ server: 's', connection: 'c', intake: 'request', revision: '2025-11-25', calls: [call], params: null },
		);
		await settle();
		expect(call.standIn).toEqual(script);
	});

	it('hears when the question is over, and comes too late then', async () => {
		const { registry, form, asked } = world();
		let answer: ((decision: Decision) => void) | undefined;
		let heard: AbortSignal | undefined;
		registry.answerers.add({
			standIn: extension,
			answer: (_each, signal) => {
				heard = signal;
				return new Promise((resolve) => {
					answer = resolve;
				});
			},
		});
		const each = form();
		each.withdraw(say('Gone.'));
		await settle();
		expect(heard?.aborted).toBe(true);
		answer?.({ action: 'decline' });
		await settle();
		expect([each.state, each.standIn, asked]).toEqual(['withdrawn', undefined, []]);
	});
});

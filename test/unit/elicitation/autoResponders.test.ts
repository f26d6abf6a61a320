import { describe, expect, it } from 'vitest';
import { type AutoResponder, AutoResponders } from '../../../src/elicitation/autoResponders.ts';
import type { ElicitationResponse } from '../../../src/elicitation/elicitation.ts';
import type { ResponderInfo } from '../../../src/elicitation/responderInfo.ts';
import { english, localizable, render } from '../../../src/elicitation/sentence.ts';
import { World } from './world.ts';

const script: ResponderInfo = { kind: 'script', name: 'deploy' };
const extension: ResponderInfo = { kind: 'extension', name: 'some.extension' };

const violations = ['/a', '/b/0', '', '/c'].map((path, at) => ({
	path,
	keyword: 'k',
	message: localizable('Wrong {0}.', at),
}));

/** A world whose validator rejects content with a member `bad`. */
function world() {
	const made = new World(Number.POSITIVE_INFINITY, async (_schema, content) =>
		(content as { bad?: true }).bad ? { status: 'invalid', violations } : { status: 'valid' },
	);
	return { ...made, form: () => made.form('A'), url: () => made.url() };
}

const responders = (responder: ResponderInfo, decision: ElicitationResponse | undefined | Error): AutoResponder => ({
	responder,
	respond: async () => {
		if (decision instanceof Error) throw decision;
		return decision;
	},
});

/** Waits until the auto-responders have been asked. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a response of an auto-responder', () => {
	it.each([
		[{ action: 'accept', content: { n: 1 } }, 'accepted'],
		[{ action: 'decline' }, 'declined'],
		[{ action: 'cancel' }, 'cancelled'],
		[{ action: 'error', code: -32000, message: 'No.' }, 'failed'],
	] as const)('is sent as %j without asking the user, and names the auto-responder', async (decision, state) => {
		const { registry, form, asked } = world();
		registry.autoResponders.add(responders(script, decision));
		const each = form();
		expect(await each.outcome).toEqual(decision);
		expect([each.state, each.responder]).toEqual([state, script]);
		expect(asked).toEqual([]);
	});

	it('to a URL elicitation is an accept that opens nothing', async () => {
		const { registry, url, asked } = world();
		registry.autoResponders.add(responders(script, { action: 'accept' }));
		const each = url();
		expect(await each.outcome).toEqual({ action: 'accept' });
		expect(each.state).toBe('opened');
		expect(asked).toEqual([]);
	});

	it('that violates the schema is not sent; the user is told and asked', async () => {
		const { registry, form, asked, rejected } = world();
		registry.autoResponders.add(responders(script, { action: 'accept', content: { bad: true } }));
		const each = form();
		await settle();
		expect(asked).toEqual([each]);
		expect(rejected.map(({ responder, reason }) => [responder, render(reason, english)])).toEqual([
			[script, "Its response does not match the server's schema. /a: Wrong 0. /b/0: Wrong 1. Wrong 2."],
		]);
		expect([each.state, each.responder]).toEqual(['asking', undefined]);
	});

	it('that violates the schema is sent if it is forced, and is marked', async () => {
		const { registry, form } = world();
		const each = form();
		await registry.autoResponders.respond(
			each,
			{ kind: 'forced', name: '' },
			{ action: 'accept', content: { bad: true } },
		);
		expect(await each.outcome).toEqual({ action: 'accept', content: { bad: true } });
		expect(each.responder).toEqual({ kind: 'forced', name: '' });
		expect(each.schemaViolation && render(each.schemaViolation, english)).toContain('/a: Wrong 0.');
	});
});

describe('an auto-responder', () => {
	it('is asked in order, scripts first; if it passes, the next one is asked, and finally the user', async () => {
		const { registry, form, asked } = world();
		const order: string[] = [];
		const noting = (responder: ResponderInfo): AutoResponder => ({
			responder,
			respond: async () => {
				order.push(responder.name);
				return undefined;
			},
		});
		registry.autoResponders.add(noting(extension));
		registry.autoResponders.add(noting(script));
		const gone = registry.autoResponders.add(noting({ kind: 'extension', name: 'gone' }));
		gone.dispose();
		const each = form();
		await settle();
		expect(order).toEqual(['deploy', 'some.extension']);
		expect(asked).toEqual([each]);
	});

	it('that is gone responds to nothing more, and takes no other one with it', async () => {
		const { registry, form, asked } = world();
		const gone = registry.autoResponders.add(responders(script, { action: 'decline' }));
		gone.dispose();
		expect(registry.autoResponders.isEmpty).toBe(true);
		registry.autoResponders.add(responders(extension, { action: 'cancel' }));
		gone.dispose();
		const each = form();
		expect(await each.outcome).toEqual({ action: 'cancel' });
		expect([each.responder, asked]).toEqual([extension, []]);
	});

	it('that another one has replaced is too late, also if both were assigned at the same time', async () => {
		const { registry, form } = world();
		const each = form();
		const answers: ((decision: ElicitationResponse) => void)[] = [];
		const slow = (): AutoResponder => ({
			responder: { kind: 'forced', name: '' },
			respond: () => new Promise((resolve) => answers.push(resolve)),
		});
		void registry.autoResponders.assign(each, slow());
		void registry.autoResponders.assign(each, slow());
		await settle();
		await registry.autoResponders.takeOver(each);
		for (const answer of answers) answer({ action: 'decline' });
		await settle();
		expect([each.consulted, each.state, answers.length]).toEqual([undefined, 'asking', 2]);
	});

	it('may fail: the user is told and asked at once', async () => {
		const { registry, form, asked, rejected } = world();
		registry.autoResponders.add(responders(extension, new Error('out of order')));
		registry.autoResponders.add(responders({ kind: 'extension', name: 'next' }, { action: 'decline' }));
		const each = form();
		await settle();
		expect(asked).toEqual([each]);
		expect(rejected.map(({ reason }) => render(reason, english))).toEqual(['It failed: out of order']);
	});

	it.each([Object.create(null), { toString: 1, valueOf: 1 }, Object.assign(new Error(), { message: { toString: 1 } })])(
		'may fail with something that is no text: the user is asked all the same',
		async (error) => {
			const { registry, form, asked, rejected } = world();
			registry.autoResponders.add({ responder: extension, respond: () => Promise.reject(error) });
			const each = form();
			await settle();
			expect(asked).toEqual([each]);
			expect(rejected.map(({ reason }) => render(reason, english))).toEqual(['It failed: object']);
		},
	);

	it('may refer the elicitation to the user, who is told why', async () => {
		const { registry, form, asked, rejected } = world();
		registry.autoResponders.add({
			responder: script,
			respond: async () => ({ action: 'refer', reason: localizable('Broken.') }),
		});
		const each = form();
		await settle();
		expect([asked, each.responder]).toEqual([[each], undefined]);
		expect(rejected).toEqual([{ elicitation: each, responder: script, reason: localizable('Broken.') }]);
	});

	it('is named while the user waits for it and can take over', async () => {
		const { registry, form, asked } = world();
		const heard: (ResponderInfo | undefined)[] = [];
		registry.autoResponders.onDidConsult((each) => heard.push(each.consulted));
		let answer: ((decision: ElicitationResponse) => void) | undefined;
		registry.autoResponders.add({
			responder: extension,
			respond: () =>
				new Promise((resolve) => {
					answer = resolve;
				}),
		});
		const each = form();
		await settle();
		expect([each.consulted, asked]).toEqual([extension, []]);
		await registry.autoResponders.takeOver(each);
		expect([each.consulted, asked, heard]).toEqual([undefined, [each], [extension, undefined]]);
		answer?.({ action: 'decline' });
		await settle();
		expect([each.state, each.responder]).toEqual(['asking', undefined]);
		await registry.autoResponders.takeOver(each);
		expect(asked).toEqual([each]);
	});

	it('is also too late while its response is validated', async () => {
		let judge: ((verdict: { status: 'valid' }) => void) | undefined;
		const checked = new Promise<{ status: 'valid' }>((resolve) => {
			judge = resolve;
		});
		const autoResponders = new AutoResponders({ validate: () => checked });
		autoResponders.add(responders(script, { action: 'accept', content: {} }));
		const each = world().form();
		const offer = autoResponders.offer(each);
		await settle();
		const takenOver = autoResponders.takeOver(each);
		judge?.({ status: 'valid' });
		await takenOver;
		expect([await offer, each.state, each.responder]).toEqual([false, 'asking', undefined]);
	});

	it('is remembered by the call whose elicitation it responded to', async () => {
		const { registry } = world();
		registry.autoResponders.add(responders(script, { action: 'decline' }));
		const call = registry.beginCall('s', 'tool', 'deploy', {});
		registry.add(
			{ mode: 'form', message: 'A', requestedSchema: {} },
			{ server: 's', connection: 'c', intake: 'request', revision: '2025-11-25', calls: [call], params: null },
		);
		await settle();
		expect(call.responder).toEqual(script);
	});

	it('is notified when the elicitation ends, and is too late then', async () => {
		const { registry, form, asked } = world();
		let answer: ((decision: ElicitationResponse) => void) | undefined;
		let heard: AbortSignal | undefined;
		registry.autoResponders.add({
			responder: extension,
			respond: (_each, signal) => {
				heard = signal;
				return new Promise((resolve) => {
					answer = resolve;
				});
			},
		});
		const each = form();
		each.withdraw(localizable('Gone.'));
		await settle();
		expect(heard?.aborted).toBe(true);
		answer?.({ action: 'decline' });
		await settle();
		expect([each.state, each.responder, asked]).toEqual(['withdrawn', undefined, []]);
	});
});

it('thousands of scripts are registered in proportion to their number', () => {
	let looks = 0;
	const counting: AutoResponder = {
		get responder() {
			looks++;
			return script;
		},
		respond: async () => undefined,
	};
	const { registry } = world();
	for (let count = 0; count < 1_000; count++) {
		registry.autoResponders.add(counting);
	}
	expect(looks).toBeLessThan(5_000);
});

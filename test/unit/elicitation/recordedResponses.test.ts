import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/elicitation/call.ts';
import type { ElicitationResponse } from '../../../src/elicitation/elicitation.ts';
import { FORCED_RESPONDER } from '../../../src/elicitation/forced.ts';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { RecordedResponses } from '../../../src/elicitation/recordedResponses.ts';
import type { ElicitationRequest } from '../../../src/elicitation/request.ts';
import { english, localizable, render } from '../../../src/elicitation/sentence.ts';
import { World } from './world.ts';

const schema = (...names: string[]): JsonObject => ({
	type: 'object',
	properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

const form = (message: string, requestedSchema = schema('a')): ElicitationRequest => ({
	mode: 'form',
	message,
	requestedSchema,
});

const page: ElicitationRequest = { mode: 'url', message: 'Sign in', url: 'https://example.com/' };

/** A registry whose validator rejects content with a member `bad`, and a call whose responses are recorded. */
function world() {
	const made = new World(Number.POSITIVE_INFINITY, async (_schema, content) =>
		Object.hasOwn(content as object, 'bad')
			? { status: 'invalid', violations: [{ path: '/bad', keyword: 'k', message: localizable('Wrong.') }] }
			: { status: 'valid' },
	);
	const { registry } = made;
	const call = () => made.call();
	const asked = (request: ElicitationRequest, ...calls: Call[]) => made.add(request, { calls });
	const first = call();
	const answered = async (request: ElicitationRequest, decision: ElicitationResponse) => {
		const elicitation = asked(request, first);
		await registry.autoResponders.respond(elicitation, FORCED_RESPONDER, decision);
		return elicitation;
	};
	const again = call();
	const replay = async (...requests: ElicitationRequest[]) => {
		const recording = new RecordedResponses(first, registry.elicitations, registry.autoResponders);
		const answers = [];
		for (const request of requests) {
			const answer = await recording.respond(asked(request, again));
			answers.push(answer?.action === 'refer' ? render(answer.reason, english) : answer);
		}
		return answers;
	};
	return { registry, first, asked, answered, replay, again };
}

describe('the responses of a replayed call', () => {
	it('are repeated for the same requests in the same order', async () => {
		const { answered, replay } = world();
		const contents = ['one', 'two'].map((a): ElicitationResponse => ({ action: 'accept', content: { a } }));
		for (const content of contents) {
			await answered(form('Next?'), content);
		}
		await answered(form('Sure?', schema('b', 'c')), { action: 'decline' });
		await answered(page, { action: 'cancel' });
		await answered(form('Error'), { action: 'error', code: -32000, message: 'No.' });
		expect(await replay(page, form('Sure?', schema('c', 'b')), form('Next?'), form('Error'), form('Next?'))).toEqual([
			{ action: 'cancel' },
			{ action: 'decline' },
			contents[0],
			{ action: 'error', code: -32000, message: 'No.' },
			contents[1],
		]);
	});

	it('are not used for other requests: other messages, other fields, or one too many', async () => {
		const { answered, replay } = world();
		await answered(form('Next?'), { action: 'decline' });
		const unknown = 'The replayed call did not get this request.';
		expect(await replay(form('Now?'), form('Next?', schema('b')), form('Next?'), form('Next?'))).toEqual([
			unknown,
			unknown,
			{ action: 'decline' },
			unknown,
		]);
	});

	it('never accept a URL elicitation', async () => {
		const { answered, replay } = world();
		await answered(page, { action: 'accept' });
		expect(await replay(page)).toEqual([undefined]);
	});

	it('leave a URL to the user that was opened and never completed, or completed before they decided', async () => {
		const { registry, first, asked, replay } = world();
		asked(page, first).opened();
		asked({ ...page, message: 'Pay' }, first).complete();
		registry.endCall(first, 'succeeded', {});
		expect(registry.elicitations.map(({ state }) => state)).toEqual(['withdrawn', 'completed']);
		expect(new RecordedResponses(first, registry.elicitations, registry.autoResponders).size).toBe(1);
		expect(await replay(page, { ...page, message: 'Pay' })).toEqual([
			undefined,
			'The replayed call got this request, but it was never answered.',
		]);
	});

	it('are left to the user where there was none, and where the protocol did not tell whose elicitation it was', async () => {
		const { registry, first, again, asked, replay } = world();
		asked(form('Withdrawn'), first).withdraw(localizable('Gone.'));
		asked(form('Whose?'), first, again).decline();
		expect(registry.elicitations).toHaveLength(2);
		expect(await replay(form('Withdrawn'), form('Whose?'))).toEqual([
			'The replayed call got this request, but it was never answered.',
			'The replayed call did not get this request.',
		]);
	});

	it('are left to the user where they no longer fit, but not where they never did on purpose', async () => {
		const { first, asked, answered, replay } = world();
		asked(form('Changed'), first).accept({ bad: 1 });
		const forced = await answered(form('Forced'), { action: 'accept', content: { bad: 2 } });
		expect(forced.schemaViolation && render(forced.schemaViolation, english)).toContain('/bad: Wrong.');
		expect(await replay(form('Changed'), form('Forced'))).toEqual([
			expect.stringMatching(/^The earlier response is not sent again\. .*\/bad: Wrong\.$/),
			{ action: 'accept', content: { bad: 2 } },
		]);
	});
});

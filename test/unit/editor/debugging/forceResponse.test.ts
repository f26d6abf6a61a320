import { describe, expect, it, onTestFinished } from 'vitest';
import { forceResponse } from '../../../../src/editor/debugging/forceResponse.ts';
import { WholeResponseForms } from '../../../../src/editor/elicitations/form/wholeResponseForms.ts';
import type { Presenters } from '../../../../src/editor/elicitations/presenters.ts';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import type { FromForm, ToForm } from '../../../../src/protocol.ts';
import { World } from '../../elicitation/world.ts';
import { messages, notices, pages, settled, textsOf } from '../surfaces.ts';
import { fakeVscode } from '../vscode.ts';

const shown = messages();
const waiting = notices();
const { panels, extensionUri } = pages<ToForm, FromForm>();
let seconds: string | undefined;
fakeVscode({ window: { showInputBox: async () => seconds } });

/** A window in which the user writes the whole response to a request. */
async function write(ask: (world: World) => Elicitation = (world) => world.form('How many?')) {
	const world = new World(undefined, async () => ({
		status: 'invalid',
		violations: [{ path: '/n', keyword: 'maximum', message: localizable('At most 9.') }],
	}));
	const { registry } = world;
	const servers = { get: () => undefined };
	const userFocus = { watch: () => ({ dispose() {} }), markHandled() {} };
	const forms = new WholeResponseForms(extensionUri, registry, servers as never, userFocus as never);
	onTestFinished(() => forms.dispose());
	const writeResponse: Presenters['writeResponse'] = (...asked) => forms.write(...asked);
	const force = () => forceResponse({ registry, presenters: { writeResponse } as never }, elicitation);
	const elicitation = ask(world);
	void force();
	await settled();
	const page = panels[0] as NonNullable<(typeof panels)[0]>;
	const send = async (...sent: readonly FromForm[]) => {
		for (const message of sent) {
			page.send(message);
			await settled();
		}
	};
	const submit = (text: string) => send({ type: 'submitJson', revision: 1, text });
	return { force, elicitation, page, send, submit };
}

const LATER = [{ type: 'json', revision: 1, text: '{"action": "decline"}' }, { type: 'later' }] as const;

describe('a forced response', () => {
	it('is written in one page, whose templates are reviewed like what is written', async () => {
		const { force, page } = await write();
		expect(page.title).toBe('Response to s');
		expect(page.last('show')?.model.templates?.[0]?.text).toBe('{\n  "action": "accept",\n  "content": {}\n}');
		expect(page.last('jsonReview')).toMatchObject({
			revision: 0,
			problems: [{ text: '/n: At most 9.' }],
			refused: false,
		});
		await force();
		expect([panels.length, page.revealed]).toEqual([1, 1]);
	});

	it.each<[string, string, object, string | undefined]>([
		[
			'content that its schema does not allow',
			'{"action": "accept", "content": {"n": 99}}',
			{ action: 'accept', content: { n: 99 } },
			'At most 9.',
		],
		[
			'what is no response',
			'{"action": "perhaps"}',
			{ action: 'malformed', result: { action: 'perhaps' } },
			'What was sent is no response to this request.',
		],
		['an error', '{"error": {"code": 7, "message": "m"}}', { action: 'error', code: 7, message: 'm' }, undefined],
	])('sends %s, marked as forced, and closes', async (_what, text, response, violation) => {
		const { elicitation, page, submit } = await write();
		await submit(text);
		expect(elicitation.response).toEqual(response);
		expect(elicitation.responder?.kind).toBe('forced');
		expect(JSON.stringify(elicitation.schemaViolation ?? '')).toContain(violation ?? '');
		expect(page.closed).toBe(true);
	});

	it('accepts a URL without opening it', async () => {
		const { elicitation, submit } = await write((world) => world.url());
		await submit('{"action": "accept"}');
		expect([elicitation.state, elicitation.consented]).toEqual(['opened', false]);
	});

	it('is not sent while it cannot be, and says why', async () => {
		const { elicitation, page, submit } = await write();
		await submit('[');
		expect([elicitation.response, page.closed]).toEqual([undefined, false]);
		expect(page.last('jsonReview')).toMatchObject({ refused: true });
	});

	it('comes after a delay or never, which a notification says and can end', async () => {
		const { elicitation, page, send } = await write();
		seconds = undefined;
		await send(...LATER);
		expect([page.closed, elicitation.consulted]).toEqual([false, undefined]);
		seconds = '3600';
		await send({ type: 'later' });
		expect([page.closed, elicitation.consulted?.kind]).toEqual([true, 'forced']);
		expect(waiting.map(({ text }) => text)).toEqual(['s is answered only after 3600 s.']);
		elicitation.cancel();
		const other = await write();
		panels.at(-1)?.send({ type: 'never' });
		await settled();
		expect(waiting.at(-1)?.text).toBe('s gets no response until you give one.');
		expect(other.elicitation.undecided).toBe(true);
		other.elicitation.cancel();
	});

	it('that is too late keeps what was written, and says so', async () => {
		const { elicitation, page, send } = await write();
		await send({ type: 'json', revision: 1, text: '{"action": 7}' });
		elicitation.withdraw(localizable('Gone.'));
		await settled();
		expect(page.posted.at(-1)).toEqual({ type: 'withdrawn', reason: 'Gone.', cancelled: false });
		await send({ type: 'submitJson', revision: 2, text: '{}' });
		expect([page.closed, elicitation.response, textsOf(shown)]).toEqual([false, undefined, []]);
	});

	it('is given up where the request was answered elsewhere, or its page is closed', async () => {
		const { elicitation, page } = await write();
		elicitation.decline();
		await settled();
		expect([page.closed, elicitation.responder]).toEqual([true, undefined]);
		panels.length = 0;
		const other = await write();
		await other.send({ type: 'cancel' });
		expect([other.page.closed, other.elicitation.undecided]).toEqual([true, true]);
	});
});

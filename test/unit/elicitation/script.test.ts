import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAnswers } from '../../../src/config/answers.ts';
import type { RejectedResponse } from '../../../src/elicitation/autoResponders.ts';
import type { Call, CallKind } from '../../../src/elicitation/call.ts';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { Registry } from '../../../src/elicitation/registry.ts';
import type { ResponderInfo } from '../../../src/elicitation/responderInfo.ts';
import { ScriptAutoResponder } from '../../../src/elicitation/script.ts';
import { english, localizable, render } from '../../../src/elicitation/sentence.ts';
import { tableRows } from '../../tableRows.ts';

const rows = tableRows(import.meta.url);

interface Asking {
	readonly server?: string;
	readonly message?: string;
	readonly schema?: JsonObject;
	readonly calls?: readonly Call[];
}

/** A registry with the scripts of a file. */
class Stage {
	/** How long the validation of a response takes. */
	validated = Promise.resolve();
	readonly scripts: ScriptAutoResponder[] = [];
	readonly registry = new Registry(
		{
			validate: async (_schema, content) => {
				await this.validated;
				return (content as JsonObject).bad === true
					? {
							status: 'invalid',
							violations: [{ path: '/bad', keyword: 'const', message: localizable('Must not be true.') }],
						}
					: { status: 'valid' };
			},
		},
		() => Number.POSITIVE_INFINITY,
	);
	readonly asked: Elicitation[] = [];
	readonly rejected: RejectedResponse[] = [];
	/** Whether scripts may respond. */
	allowed: () => Promise<boolean> = async () => true;

	constructor(raw: unknown) {
		this.registry.onDidAsk((each) => this.asked.push(each));
		this.registry.autoResponders.onDidReject((each) => this.rejected.push(each));
		for (const [at, answer] of readAnswers(raw).answers.entries()) {
			const responder: ResponderInfo = { kind: 'script', name: String(at + 1) };
			const script = new ScriptAutoResponder(responder, answer, () => this.allowed());
			this.scripts.push(script);
			this.registry.autoResponders.add(script);
		}
	}

	call(name = 'deploy', kind: CallKind = 'tool'): Call {
		return this.registry.beginCall('raw', kind, name, {});
	}

	form({ message = 'Deploy?', schema = {}, ...more }: Asking = {}): Elicitation {
		return this.registry.add({ mode: 'form', message, requestedSchema: schema }, this.#origin(more));
	}

	url({ message = 'Sign in.', ...more }: Asking = {}): Elicitation {
		return this.registry.add({ mode: 'url', message, url: 'https://example.com/' }, this.#origin(more));
	}

	#origin({ server = 'raw', calls = [] }: Asking) {
		return { server, connection: 'c', intake: 'request', revision: '2025-11-25', calls, params: null } as const;
	}
}

/** Waits for responses without a delay. */
const settled = () => vi.advanceTimersByTimeAsync(0);

/** Which script responded, or that the user is asked. */
async function who(stage: Stage, each: Elicitation): Promise<string> {
	await settled();
	return stage.asked.includes(each) ? 'person' : (each.responder?.name ?? 'nobody');
}

beforeEach(() => {
	vi.useFakeTimers();
});

afterEach(() => {
	vi.useRealTimers();
});

describe('a scripted answer', () => {
	it.each<[object, string]>(rows('matches'))(
		'applies to elicitations that match all of its members: %j',
		async (match, answered) => {
			const stage = new Stage([{ ...match, action: 'decline' }]);
			expect(await who(stage, stage.form({ calls: [stage.call()] }))).toBe(answered);
		},
	);

	it('for a message of several lines is found by any of them', async () => {
		const stage = new Stage([{ message: '*second*', action: 'decline' }]);
		expect(await who(stage, stage.form({ message: 'first\nsecond\nthird' }))).toBe('1');
	});

	it('for a tool is not for what a server asks by itself, for a prompt, or perhaps for another tool', async () => {
		const stage = new Stage([{ tool: 'deploy', action: 'decline' }]);
		expect(await who(stage, stage.form())).toBe('person');
		expect(await who(stage, stage.form({ calls: [stage.call('deploy', 'prompt')] }))).toBe('person');
		expect(await who(stage, stage.form({ calls: [stage.call(), stage.call('other')] }))).toBe('person');
		expect(await who(stage, stage.form({ calls: [stage.call(), stage.call()] }))).toBe('1');
	});

	it('is the first one that matches', async () => {
		const stage = new Stage([
			{ message: 'b*', action: 'decline' },
			{ message: 'a*', action: 'cancel' },
			{ message: '*', action: 'decline' },
		]);
		const answered = ['abc', 'bcd', 'cde'].map((message) => who(stage, stage.form({ message })));
		expect(await Promise.all(answered)).toEqual(['2', '1', '3']);
	});

	it('is used as often as it says, whatever comes at the same time; then the next one is', async () => {
		const stage = new Stage([
			{ action: 'decline', times: 2 },
			{ action: 'cancel', times: 1 },
		]);
		const answered = Array.from({ length: 4 }, () => who(stage, stage.form()));
		expect(await Promise.all(answered)).toEqual(['1', '1', '2', 'person']);
	});

	it('is used for an elicitation that another one has just declined, in the same call (A01)', async () => {
		const stage = new Stage([{ action: 'decline', times: 1 }, { action: 'accept' }]);
		const calls = [stage.call()];
		expect(await who(stage, stage.form({ calls }))).toBe('1');
		expect(await who(stage, stage.form({ calls }))).toBe('2');
	});

	it('waits for its delay, and does not count until it is sent', async () => {
		const stage = new Stage([{ action: 'decline', delayMs: 1000, times: 1 }]);
		const gone = stage.form();
		await vi.advanceTimersByTimeAsync(999);
		expect([gone.state, gone.consulted?.name]).toEqual(['asking', '1']);
		gone.withdraw(localizable('Gone.'));
		await settled();
		expect(vi.getTimerCount()).toBe(0);
		const each = stage.form();
		await vi.advanceTimersByTimeAsync(1000);
		expect([each.state, each.responder?.name]).toEqual(['declined', '1']);
	});

	it('is not used if the user takes over meanwhile', async () => {
		const stage = new Stage([{ action: 'decline', delayMs: 1000 }]);
		const each = stage.form();
		await settled();
		await stage.registry.autoResponders.takeOver(each);
		expect(stage.asked).toEqual([each]);
		expect(vi.getTimerCount()).toBe(0);
	});

	it('that is not allowed passes the elicitation on to the next one, or to the user', async () => {
		const stage = new Stage([{ action: 'decline', times: 1 }]);
		stage.allowed = async () => false;
		expect(await who(stage, stage.form())).toBe('person');
		stage.allowed = async () => true;
		expect(await who(stage, stage.form())).toBe('1');
	});

	it('that is no longer allowed after its delay is not sent', async () => {
		const stage = new Stage([{ action: 'decline', delayMs: 1000, times: 1 }]);
		const each = stage.form();
		await vi.advanceTimersByTimeAsync(500);
		stage.allowed = async () => false;
		await vi.advanceTimersByTimeAsync(500);
		expect(await who(stage, each)).toBe('person');
	});

	it('is not offered while another elicitation has used it up', async () => {
		const stage = new Stage([{ action: 'decline', times: 1 }]);
		let agree: ((allowed: boolean) => void) | undefined;
		const agreed = new Promise<boolean>((resolve) => {
			agree = resolve;
		});
		stage.allowed = () => agreed;
		const [first, second] = [stage.form(), stage.form()];
		await settled();
		agree?.(true);
		expect([await who(stage, first), await who(stage, second)]).toEqual(['1', 'person']);
	});

	it('does not count if the user takes over while it is not yet known to be allowed', async () => {
		const stage = new Stage([{ action: 'decline', times: 1 }]);
		let agree: ((allowed: boolean) => void) | undefined;
		const agreed = new Promise<boolean>((resolve) => {
			agree = resolve;
		});
		stage.allowed = () => agreed;
		const first = stage.form();
		await settled();
		await stage.registry.autoResponders.takeOver(first);
		agree?.(true);
		expect([await who(stage, first), await who(stage, stage.form())]).toEqual(['person', '1']);
	});

	it('that is invalid leaves matching elicitations to the user, who is told', async () => {
		const stage = new Stage([
			{ message: 'Delete*', action: 'declin' },
			{ message: '*', action: 'accept' },
		]);
		expect(await who(stage, stage.form({ message: 'Delete everything?' }))).toBe('person');
		expect(stage.rejected.map(({ responder, reason }) => [responder.name, render(reason, english)])).toEqual([
			['1', 'It cannot be used as written: see the Problems panel.'],
		]);
		expect(await who(stage, stage.form({ message: 'Go on?' }))).toBe('2');
	});

	it('that violates the schema is left to the user, with the violations', async () => {
		const stage = new Stage([{ action: 'accept', content: { bad: true } }, { action: 'decline' }]);
		expect(await who(stage, stage.form())).toBe('person');
		expect(stage.rejected.map(({ reason }) => render(reason, english))).toEqual([
			"Its response does not match the server's schema. /bad: Must not be true.",
		]);
	});

	it('that violates the schema does not count', async () => {
		const stage = new Stage([{ action: 'accept', content: { value: 1 }, times: 1 }]);
		const { validate } = stage.registry.validator;
		stage.registry.validator.validate = async () => ({
			status: 'invalid',
			violations: [{ path: '', keyword: 'type', message: localizable('Wrong.') }],
		});
		expect(await who(stage, stage.form())).toBe('person');
		stage.registry.validator.validate = validate;
		expect(await who(stage, stage.form())).toBe('1');
		expect(await who(stage, stage.form())).toBe('person');
	});

	it('is not sent, and does not count, if the script is stopped while it is validated', async () => {
		const stage = new Stage([{ action: 'accept', times: 1 }]);
		let validated = () => {};
		stage.validated = new Promise((resolve) => {
			validated = resolve;
		});
		const first = stage.form();
		await settled();
		stage.scripts[0]?.release();
		validated();
		expect([await who(stage, first), await who(stage, stage.form())]).toEqual(['person', '1']);
	});
});

describe('what a script sends', () => {
	const schema = {
		type: 'object',
		properties: {
			replicas: { type: 'integer', default: 0 },
			region: { type: 'string', enum: ['eu', 'us'], default: 'us' },
			dry: { type: 'boolean', default: false },
			kind: { const: 'web' },
			note: { type: 'string' },
			owner: { type: ['string', 'null'] },
		},
		required: ['owner'],
	};

	it("is its content merged over the form's defaults, and nothing else (F12, F13)", async () => {
		const stage = new Stage([{ action: 'accept', content: { region: 'eu', extra: [1] } }]);
		expect(await stage.form({ schema }).outcome).toEqual({
			action: 'accept',
			content: { replicas: 0, region: 'eu', dry: false, kind: 'web', owner: null, extra: [1] },
		});
	});

	it('is an empty content where nothing is asked', async () => {
		const stage = new Stage([{ action: 'accept' }]);
		expect(await stage.form().outcome).toEqual({ action: 'accept', content: {} });
	});

	it('for a URL elicitation is an accept without content (U08)', async () => {
		const stage = new Stage([{ action: 'accept', content: { a: 1 } }]);
		const each = stage.url();
		expect(await each.outcome).toEqual({ action: 'accept' });
		expect(each.state).toBe('opened');
	});

	it.each([
		[{ action: 'decline' }, { action: 'decline' }],
		[{ action: 'cancel' }, { action: 'cancel' }],
		[
			{ action: 'error', error: { code: -32000, message: 'No.' } },
			{ action: 'error', code: -32000, message: 'No.' },
		],
	])('is, for %j, exactly that in both modes', async (script, reply) => {
		const stage = new Stage([script]);
		expect(await stage.form().outcome).toEqual(reply);
		expect(await stage.url().outcome).toEqual(reply);
	});

	it('never throws, whatever is written and asked', async () => {
		await fc.assert(
			fc.asyncProperty(fc.jsonValue(), fc.object(), fc.string(), async (raw, asked, message) => {
				const stage = new Stage([raw, { action: 'accept', content: { x: raw } }]);
				const each = stage.form({ message, schema: asked as JsonObject });
				await settled();
				const failed = stage.rejected.map(({ reason }) => reason.text).filter((text) => text.startsWith('It failed'));
				expect(failed).toEqual([]);
				expect(stage.asked.includes(each) || each.state !== 'asking').toBe(true);
			}),
		);
	});
});

import { describe, expect, it } from 'vitest';
import { Masks } from '../../../src/elicitation/form/masks.ts';
import { type Json, own } from '../../../src/elicitation/json.ts';
import type { TraceLog } from '../../../src/trace/log.ts';
import { REDACTED } from '../../../src/trace/secrets.ts';
import { maskedLog, toJsonLines } from './maskedLog.ts';

const SECRET = 'hunter2-planted';
const PASSWORD = { type: 'string', format: 'password' };
const TEXT = { type: 'string' };

class Wire {
	readonly log: TraceLog = maskedLog(() => 100);

	received(message: object): void {
		this.log.add({ server: 's', direction: 'received', message: { jsonrpc: '2.0', ...message } });
	}

	sent(message: object): void {
		this.log.add({ server: 's', direction: 'sent', message: { jsonrpc: '2.0', ...message } });
	}

	asked(id: number, answer: object, more = {}): void {
		const requestedSchema = { type: 'object', properties: { answer, color: TEXT } };
		this.received({ id, method: 'elicitation/create', params: { message: 'm', requestedSchema, ...more } });
	}

	answered(id: number, answer = SECRET): void {
		this.sent({ id, result: { action: 'accept', content: { answer, color: 'blue' } } });
	}

	get exported(): string {
		return toJsonLines(this.log);
	}
}

describe('what was entered masked', () => {
	it('is hidden by the schema of its request, and nothing else is', () => {
		const wire = new Wire();
		wire.asked(1, PASSWORD);
		wire.answered(1);
		expect(wire.exported).not.toContain(SECRET);
		expect(wire.exported).toContain('blue');
	});

	it('is hidden with all that it holds where the server repeats it, also if its request is unknown', () => {
		const wire = new Wire();
		wire.sent({ id: 1, result: { action: 'accept', content: { answer: SECRET, more: [{ pin: 47_110_815 }] } } });
		wire.received({ id: 2, result: { content: [{ type: 'text', text: `You said ${SECRET}, 47110815.` }] } });
		expect(wire.exported).not.toMatch(/planted|47110815/);
		expect(wire.exported).toContain('You said');
	});

	it.each([2, 3])(
		'is hidden if %d requests have one id, all but the first of which are refused (fault 2)',
		(requests) => {
			const wire = new Wire();
			wire.asked(1, PASSWORD);
			for (let refused = 1; refused < requests; refused++) {
				wire.asked(1, TEXT);
				wire.sent({ id: 1, error: { code: -32600, message: 'Duplicate id' } });
			}
			wire.answered(1);
			expect(wire.exported).not.toContain(SECRET);
		},
	);

	it('is hidden in the result of a task, and nothing else is, whatever had its id before (K05)', () => {
		const wire = new Wire();
		wire.sent({ id: 0, method: 'initialize', params: {} });
		wire.asked(3, TEXT);
		wire.answered(3, 'green');
		wire.sent({ id: 0, method: 'initialize', params: {} });
		wire.asked(0, PASSWORD, { task: { ttl: 60_000 } });
		wire.sent({ id: 0, result: { task: { taskId: 't' } } });
		wire.received({ id: 3, method: 'tasks/result', params: { taskId: 't' } });
		wire.answered(3);
		expect(wire.exported).not.toContain(SECRET);
		expect(wire.exported).toContain('green');
		expect(wire.exported).toContain('blue');
	});

	it('is hidden by its own schema, whatever an earlier session left open or the server has asked under its id', () => {
		const wire = new Wire();
		wire.sent({ id: 0, method: 'initialize', params: {} });
		wire.asked(1, TEXT);
		wire.sent({ id: 0, method: 'initialize', params: {} });
		wire.asked(1, PASSWORD);
		wire.answered(1);
		wire.asked(1, TEXT);
		wire.answered(1, 'green');
		expect(wire.exported).not.toContain(SECRET);
		expect(wire.exported).toContain('green');
		expect(wire.exported.match(/blue/g)).toHaveLength(2);
	});

	it('is hidden in the responses of a round by the schemas of its requests, and whole where these are unknown', () => {
		const wire = new Wire();
		const requestedSchema = { type: 'object', properties: { answer: PASSWORD, color: TEXT } };
		const login = { method: 'elicitation/create', params: { message: 'm', requestedSchema } };
		wire.received({ id: 1, result: { resultType: 'input_required', inputRequests: { login } } });
		const response = (answer: string, color: string) => ({ action: 'accept', content: { answer, color } });
		const [known, unknown] = [response(SECRET, 'blue'), response('unknown', 'orange')];
		const inputResponses = { login: known, other: unknown, refused: { action: 'decline' } };
		wire.sent({ id: 2, method: 'tools/call', params: { name: 't', inputResponses } });
		expect(wire.exported).not.toMatch(/hunter2|unknown|orange/);
		expect(wire.exported.match(/blue/g)).toHaveLength(1);
		expect(wire.exported).toContain('"refused":{"action":"decline"}');
	});

	it('is hidden in the result of a task that nobody knows', () => {
		const wire = new Wire();
		wire.received({ id: 3, method: 'tasks/result', params: { taskId: 't' } });
		wire.answered(3);
		expect(wire.exported).not.toContain(SECRET);
	});

	it('is hidden where the result of a prompt repeats its argument', () => {
		const wire = new Wire();
		const args = { api_key: SECRET, color: 'blue' };
		wire.sent({ id: 1, method: 'prompts/get', params: { name: 'p', arguments: args } });
		const content = { type: 'text', text: `You said ${SECRET} and blue` };
		wire.received({ id: 1, result: { messages: [{ role: 'user', content }] } });
		expect(wire.exported).not.toContain(SECRET);
		expect(wire.exported.match(/blue/g)).toHaveLength(2);
	});

	it('is hidden in requests for suggestions, where a part of it hides nothing else', () => {
		const wire = new Wire();
		const complete = (argument: object, args = {}) =>
			wire.sent({
				id: 1,
				method: 'completion/complete',
				params: { ref: { type: 'ref/prompt', name: 'p' }, argument, context: { arguments: args } },
			});
		complete({ name: 'api_key', value: SECRET.slice(0, 7) });
		complete({ name: 'color', value: 'hunter2' }, { api_key: SECRET });
		expect(wire.exported).not.toContain(SECRET);
		expect(wire.exported.match(/hunter2/g)).toHaveLength(1);
	});
});

it('a schema whose references would take too long is left without any proposal', () => {
	const count = 1_000;
	const names = Array.from({ length: count }, (_, index) => index);
	const schema = {
		properties: Object.fromEntries(names.map((at) => [`p${at}`, { $ref: `#/$defs/d${at}`, default: 'proposed' }])),
		$defs: Object.fromEntries(names.map((at) => [`d${at}`, { $ref: `#/$defs/d${(at + 1) % count}` }])),
	};
	const told = new Masks(schema as Json).withoutProposals(REDACTED);
	const proposals = Object.values(own(told, 'properties') as Record<string, Json>).map((each) => own(each, 'default'));
	expect(new Set(proposals)).toEqual(new Set([REDACTED]));
});

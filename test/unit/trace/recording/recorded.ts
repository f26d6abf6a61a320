import type { JsonObject } from '../../../../src/elicitation/json.ts';
import { Redactor } from '../../../../src/privacy/redactor.ts';
import { Secrets } from '../../../../src/privacy/secrets.ts';
import { jsonLines } from '../../../../src/trace/export.ts';
import { type Recording, readRecording } from '../../../../src/trace/recording/readRecording.ts';
import { playRecording } from '../../../../src/trace/recording/recordedTimeline.ts';
import { Timeline } from '../../../../src/trace/timeline.ts';
import { MODERN } from '../../../rawServer/rawServer.ts';

export const CALL = { id: '7', kind: 'tool', name: 'deploy' };

/** A recorded message, and the call that it belongs to, which is the only one without. */
export type Line = readonly ['sent' | 'received', object, object?];

/** A recording of one server: each message is sent or received a second after the one before. */
export function recording(...messages: readonly Line[]): string {
	return messages
		.map(([direction, message, call = CALL], at) => {
			const moment = new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString();
			return `${JSON.stringify({ seq: at, at: moment, server: 's', direction, call, message })}\n`;
		})
		.join('');
}

export const META = { 'io.modelcontextprotocol/protocolVersion': MODERN };
export const DONE = { content: [{ type: 'text', text: 'done' }] };
/** The params of a form; its field `door` is masked. */
export const FORM = {
	message: 'Who?',
	requestedSchema: {
		type: 'object',
		properties: { name: { type: 'string' }, door: { type: 'string', format: 'password' } },
	},
};

/** The params of a call. */
export const deploy = (more: object = {}): JsonObject => ({ name: 'deploy', arguments: { place: 'here' }, ...more });
export const called = (id: number, more: object = {}, call: object = CALL): Line => [
	'sent',
	{ jsonrpc: '2.0', id, method: 'tools/call', params: deploy(more) },
	call,
];
/** The server responds; without a result, the call is done. */
export const ended = (id: number, result: object | null = DONE, more: object = {}): Line => [
	'received',
	{ id, result, ...more },
];
export const failed = (id: number, error: object, call: object = CALL): Line => ['received', { id, error }, call];
export const elicits = (params: object = FORM) => ({ method: 'elicitation/create', params });
export const asked = (id: number | string, params?: object): Line => [
	'received',
	{ jsonrpc: '2.0', id, ...elicits(params) },
];
export const accepts = (content: JsonObject = { name: 'Ada' }) => ({ action: 'accept', content });
export const answered = (id: number | string, answer: object = accepts()): Line => ['sent', { id, result: answer }];
export const told = (method: string, params: object): Line => ['received', { method, params }];
/** The client asks about the task `t`, or responds to it. */
export const aboutTask = (id: number, method: string, more: object = {}): Line => [
	'sent',
	{ id, method: `tasks/${method}`, params: { taskId: 't', ...more } },
];

const encoder = new TextEncoder();

/** Reads a recording with this text. */
export function read(text: string): Recording {
	return readRecording(encoder.encode(text));
}

/** The timeline of a recording with this text. */
export function played(text: string): Timeline {
	const steps = playRecording(encoder.encode(text), new Secrets());
	for (;;) {
		const { done, value } = steps.next();
		if (done) {
			return new Timeline(value.recorded.registry, value.recorded.trace, true);
		}
	}
}

/** Everything that a timeline exports. */
export function exportOf({ trace }: Timeline): string {
	return [...jsonLines(trace.entries, new Redactor(trace))].join('');
}

import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { Playback } from '../../../src/recordings/playback.ts';
import { RecordedServer } from '../../../src/recordings/recordedServer.ts';
import { readRecording } from '../../../src/trace/recording/readRecording.ts';
import { recording } from '../trace/recording/recorded.ts';

it.each<[recorded: object, made: JsonObject]>([
	[{ arguments: {} }, {}],
	[{}, { arguments: {} }],
])('a call without arguments is one with none: recorded with %j, made with %j', async (recorded, made) => {
	const { messages } = readRecording(
		recording(
			['sent', { id: 1, method: 'tools/call', params: { name: 'deploy', ...recorded } }],
			['received', { id: 1, result: { content: [] } }],
		),
	);
	const sent: JsonObject[] = [];
	const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'deploy', ...made } };
	await new Playback(new RecordedServer('s', messages)).receive(call, (message) => sent.push(message));
	expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, result: { content: [] } }]);
});

it('a response of which the recording has a shortened form is an error that says so', async () => {
	const text = recording(
		['sent', { id: 1, method: 'tools/call', params: { name: 'deploy' } }],
		['received', { id: 1, result: { content: [{ type: 'image', data: 'AAAA…‹+2000000›', mimeType: 'image/png' }] } }],
	);
	const { messages } = readRecording(text.replace('"direction":"received"', '"direction":"received","abridged":true'));
	const sent: JsonObject[] = [];
	const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'deploy' } };
	await new Playback(new RecordedServer('s', messages)).receive(call, (message) => sent.push(message));
	expect(sent).toMatchObject([{ id: 1, error: { message: expect.stringContaining('a shortened form') } }]);
});

import { describe, expect, it } from 'vitest';
import { formatServers, resultTexts } from '../../../../../src/editor/agentMode/languageModel/tools.ts';
import type { ServerEntry } from '../../../../../src/editor/common/serverEntry.ts';

describe('a tool result for a model', () => {
	it('contains text content verbatim', () => {
		const content = [
			{ type: 'text', text: 'One' },
			{ type: 'text', text: '{"two": 2}' },
		];
		expect(resultTexts({ content })).toEqual(['One', '{"two": 2}']);
	});

	it('starts with an error if the tool failed', () => {
		expect(resultTexts({ content: [{ type: 'text', text: 'No.' }], isError: true })).toEqual([
			'{"isError":true}',
			'No.',
		]);
	});

	it('contains structured content once', () => {
		const structuredContent = { n: 1, list: [true, null] };
		expect(resultTexts({ content: [], structuredContent })).toEqual(['{"n":1,"list":[true,null]}']);
		const text = JSON.stringify(structuredContent, undefined, 2);
		expect(resultTexts({ content: [{ type: 'text', text }], structuredContent })).toEqual([text]);
	});

	it('describes other content and replaces images and audio by their size', () => {
		const content = [
			{ type: 'image', mimeType: 'image/png', data: 'AAAA' },
			{ type: 'resource_link', uri: 'file:///a', name: 'a' },
			{ type: 'resource', resource: { uri: 'test://a', mimeType: 'a/b', blob: 'AAAAAA==' } },
			{ type: 'resource', resource: { uri: 'test://b', text: 'Long' } },
			{ type: 'unheard-of', text: 'x' },
			null,
		];
		expect(resultTexts({ content })).toEqual([
			'{"type":"image","mimeType":"image/png","data":"<3 bytes>"}',
			'{"type":"resource_link","uri":"file:///a","name":"a"}',
			'{"type":"resource","resource":{"uri":"test://a","mimeType":"a/b","blob":"<4 bytes>"}}',
			'{"type":"resource","resource":{"uri":"test://b","text":"Long"}}',
			'{"type":"unheard-of","text":"x"}',
			'null',
		]);
	});

	it('may be malformed', () => {
		expect(resultTexts({})).toEqual([]);
		expect(resultTexts({ content: 'text', isError: 'true', structuredContent: null })).toEqual(['null']);
	});
});

describe('the server list for a model', () => {
	it('is JSON whatever the names and descriptions contain', () => {
		const description = 'Ignore "everything"\n\n# and say\n```json';
		const tool = { name: 'echo', description, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
		const entries = [
			{ configured: { name: 'a' }, state: 'stopped' },
			{ configured: { name: 'b' }, state: 'running', connection: { tools: [tool] } },
		] as unknown as ServerEntry[];
		expect(JSON.parse(formatServers(entries))).toEqual({
			servers: [
				{ name: 'a', state: 'stopped', tools: [] },
				{ name: 'b', state: 'running', tools: [{ name: 'echo', description, inputSchema: { type: 'object' } }] },
			],
		});
	});
});

// @ts-check
/**
 * The features that the server scenarios of the official conformance suite use, over stdio, on the official SDK 1.x, under
 * the names that the scenarios expect.
 *
 *   node conformance.mjs
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { tool } from './content.mjs';

/** A red pixel and a silent sound. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

/** Delay between progress notifications (ms). */
const PAUSE = 50;

/** @param {string} words */
const text = (words) => ({ type: /** @type {const} */ ('text'), text: words });
const image = { type: /** @type {const} */ ('image'), data: png, mimeType: 'image/png' };
const audio = { type: /** @type {const} */ ('audio'), data: wav, mimeType: 'audio/wav' };
/** @param {string} uri @param {string} words */
const embedded = (uri, words, mimeType = 'text/plain') => ({
	type: /** @type {const} */ ('resource'),
	resource: { uri, mimeType, text: words },
});

/**
 * Results of tools without side effects. @type {Record<string,
 * import('@modelcontextprotocol/sdk/types.js').CallToolResult>}
 */
const results = {
	test_simple_text: { content: [text('This is a simple text response for testing.')] },
	test_image_content: { content: [image] },
	test_audio_content: { content: [audio] },
	test_embedded_resource: { content: [embedded('test://embedded-resource', 'This is an embedded resource content.')] },
	test_multiple_content_types: {
		content: [
			text('Multiple content types test:'),
			image,
			embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
		],
	},
	test_error_handling: { isError: true, content: [text('This tool intentionally returns an error for testing')] },
};

/** A schema with keywords that are new in JSON Schema 2020-12. */
const modern = {
	name: 'json_schema_2020_12_tool',
	description: 'Tool with JSON Schema 2020-12 features',
	inputSchema: {
		$schema: 'https://json-schema.org/draft/2020-12/schema',
		type: /** @type {const} */ ('object'),
		$defs: {
			address: {
				$anchor: 'addressDef',
				type: 'object',
				properties: { street: { type: 'string' }, city: { type: 'string' } },
			},
		},
		properties: {
			name: { type: 'string' },
			address: { $ref: '#/$defs/address' },
			contactMethod: { type: 'string', enum: ['phone', 'email'] },
			phone: { type: 'string' },
			email: { type: 'string' },
		},
		allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
		if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
		// biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so.
		then: { required: ['phone'] },
		else: { required: ['email'] },
		additionalProperties: false,
	},
};

/** @param {string} name */
const required = (name) => ({ name, required: true });

/**
 * Prompts and their messages. @type {Record<string, { args: string[], say: (args: Record<string, string>) =>
 * types.ContentBlock[] }>}
 */
const prompts = {
	test_simple_prompt: { args: [], say: () => [text('This is a simple prompt for testing.')] },
	test_prompt_with_arguments: {
		args: ['arg1', 'arg2'],
		say: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
	},
	test_prompt_with_embedded_resource: {
		args: ['resourceUri'],
		say: ({ resourceUri = '' }) => [
			embedded(resourceUri, 'Embedded resource content for testing.'),
			text('Please process the embedded resource above.'),
		],
	},
	test_prompt_with_image: { args: [], say: () => [image, text('Please analyze the image above.')] },
};

/** @type {Record<string, { mimeType: string, text: string } | { mimeType: string, blob: string }>} */
const resources = {
	'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
	'test://static-binary': { mimeType: 'image/png', blob: png },
};

/** @param {string} uri */
function read(uri) {
	const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
	if (id !== undefined) {
		return {
			mimeType: 'application/json',
			text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
		};
	}
	const found = Object.hasOwn(resources, uri) ? resources[uri] : undefined;
	if (!found) {
		throw new types.McpError(-32002, 'Resource not found', { uri });
	}
	return found;
}

const server = new Server(
	{ name: 'conformance', version: '1.0.0' },
	{ capabilities: { tools: {}, prompts: {}, resources: {} } },
);

server.setRequestHandler(types.ListToolsRequestSchema, () => ({
	tools: [
		...[...Object.keys(results), 'test_tool_with_progress'].map((name) => tool(name, 'What a scenario calls.')),
		modern,
	],
}));
server.setRequestHandler(types.CallToolRequestSchema, async ({ params: { name } }, { _meta, sendNotification }) => {
	const result = Object.hasOwn(results, name) ? results[name] : undefined;
	if (result) {
		return result;
	}
	const progressToken = _meta?.progressToken;
	for (const progress of [0, 50, 100]) {
		if (progressToken !== undefined) {
			await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
		}
		await wait(PAUSE);
	}
	return { content: [text('Done.')] };
});
server.setRequestHandler(types.ListPromptsRequestSchema, () => ({
	prompts: Object.entries(prompts).map(([name, { args }]) => ({
		name,
		description: 'What a scenario gets.',
		arguments: args.map(required),
	})),
}));
server.setRequestHandler(types.GetPromptRequestSchema, ({ params: { name, arguments: args = {} } }) => {
	const prompt = Object.hasOwn(prompts, name) ? prompts[name] : undefined;
	if (!prompt) {
		throw new types.McpError(-32602, `Unknown prompt: ${name}`);
	}
	return { messages: prompt.say(args).map((content) => ({ role: /** @type {const} */ ('user'), content })) };
});
server.setRequestHandler(types.ListResourcesRequestSchema, () => ({
	resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
}));
server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({
	resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
}));
server.setRequestHandler(types.ReadResourceRequestSchema, ({ params: { uri } }) => ({
	contents: [{ uri, ...read(uri) }],
}));

await server.connect(new StdioServerTransport());

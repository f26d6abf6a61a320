// @ts-check
/** Content that the test servers return. */

/**
 * A tool result with `value` as text and as structured content.
 * @param {object} value
 */
export function shown(value, isError = false) {
	return {
		content: [{ type: /** @type {const} */ ('text'), text: JSON.stringify(value) }],
		structuredContent: /** @type {Record<string, unknown>} */ (value),
		...(isError ? { isError } : {}),
	};
}

/** A red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A result with one content block of every common type. */
export const mixedContent = {
	content: [
		{ type: /** @type {const} */ ('text'), text: 'A text with **markup** that is to be shown as it is.' },
		{ type: /** @type {const} */ ('image'), data: png, mimeType: 'image/png' },
		{
			type: /** @type {const} */ ('resource_link'),
			uri: 'test://linked',
			name: 'linked',
			description: 'A link.',
			mimeType: 'text/plain',
		},
		{
			type: /** @type {const} */ ('resource'),
			resource: { uri: 'test://embedded', mimeType: 'text/plain', text: 'An embedded resource.' },
		},
	],
	structuredContent: { count: 4 },
};

/** Prompts and resources of the test servers. All of them elicit input, except for `files`. */
export const prompts = [
	{ name: 'greet', description: 'Asks whom to greet.', arguments: [{ name: 'language', required: true }] },
];
export const resources = [
	{ uri: 'test://greeting', name: 'greeting', description: 'Asks whom to greet.', mimeType: 'application/json' },
	{ uri: 'test://files/pixel.png', name: 'pixel', mimeType: 'image/png' },
	{ uri: 'test://files/page.html', name: 'page', mimeType: 'text/html' },
	{ uri: 'test://files/data.bin', name: 'data', mimeType: 'application/octet-stream' },
];
export const resourceTemplates = [
	{
		uriTemplate: 'test://greetings/{language}{?formal}',
		name: 'greetings',
		description: 'Asks whom to greet in that language.',
	},
];

/** @type {Record<string, { text: string } | { blob: string }>} */
const bodies = {
	'test://files/pixel.png': { blob: png },
	'test://files/page.html': { text: '<h1 onclick="alert(1)">A page</h1>\n<script>alert(1)</script>' },
	'test://files/data.bin': { blob: Buffer.from([0, 1, 2, 255]).toString('base64') },
};

/**
 * The content of a resource that needs no elicitation; `undefined` for all others.
 * @param {string} uri
 */
export function file(uri) {
	const body = Object.hasOwn(bodies, uri) ? bodies[uri] : undefined;
	const mimeType = resources.find((resource) => resource.uri === uri)?.mimeType;
	return body && { contents: [{ uri, ...(mimeType && { mimeType }), ...body }] };
}

/** How prompts and resources return a response verbatim. */
export const told = {
	/** @param {object} value */
	prompt: (value) => ({
		description: 'A greeting.',
		messages: [
			{
				role: /** @type {const} */ ('user'),
				content: { type: /** @type {const} */ ('text'), text: JSON.stringify(value) },
			},
			{
				role: /** @type {const} */ ('assistant'),
				content: { type: /** @type {const} */ ('text'), text: 'A pleasure to meet you.' },
			},
		],
	}),
	/** @param {string} uri @param {object} value */
	resource: (uri, value) => ({ contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }] }),
};

/**
 * A tool that passes its arguments on unchanged.
 * @param {string} name
 * @param {string} description
 * @param {Record<string, Record<string, any>>} [properties]
 */
export function tool(name, description, properties = {}) {
	return { name, description, inputSchema: { type: /** @type {const} */ ('object'), properties } };
}

/** Command line flags: `--http 0` becomes `{ http: '0' }`. */
export function flags() {
	/** @type {Record<string, string>} */
	const found = {};
	for (let at = 2; at + 1 < process.argv.length; at += 2) {
		found[String(process.argv[at]).replace(/^--/, '')] = String(process.argv[at + 1]);
	}
	return found;
}

/**
 * Listens on loopback and prints the URL: `listening http://127.0.0.1:1234/mcp`.
 * @param {import('node:http').Server} server
 * @param {string} port 0 for any
 * @param {string} path
 */
export function listen(server, port, path) {
	server.listen(Number(port), '127.0.0.1', () => {
		const address = /** @type {import('node:net').AddressInfo} */ (server.address());
		console.log(`listening http://127.0.0.1:${address.port}${path}`);
	});
}

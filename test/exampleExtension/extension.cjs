// @ts-check
/**
 * An extension that uses the API of MCP Elicitation. With the demo server configured under the name `example`, its command
 * calls a tool that asks whether to go on, and its answerer says yes in the person's place.
 */
const vscode = require('vscode');

// In an extension of your own, import the types from a copy of `dist/api.d.ts`, which comes with MCP Elicitation.
/** @typedef {import('../../src/api.ts').McpElicitationApi} McpElicitationApi */

const SERVER = 'example';

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
	/** @type {vscode.Extension<McpElicitationApi> | undefined} */
	const extension = vscode.extensions.getExtension('mcp-elicitation.mcp-elicitation');
	const api = await extension?.activate();
	if (api?.apiVersion !== 1) {
		throw new Error('This extension needs version 1 of the API of MCP Elicitation.');
	}
	context.subscriptions.push(
		vscode.commands.registerCommand('exampleAnswerer.confirm', () => confirm(api)),
		api.registerAnswerer({ id: context.extension.id, servers: [SERVER], answer }),
	);
}

/**
 * Calls a tool; the person sees the call, and what it asks.
 * @param {McpElicitationApi} api
 */
async function confirm(api) {
	const abort = new AbortController();
	setTimeout(() => abort.abort(), 60_000).unref();
	const result = await api.callTool(
		SERVER,
		'confirm',
		{},
		{ signal: abort.signal, onProgress: ({ message }) => console.log(message) },
	);
	return result.structuredContent;
}

/**
 * Accepts what has nothing to fill in, and leaves everything else to the person.
 * @param {import('../../src/api.ts').ElicitationInfo} elicitation
 * @returns {import('../../src/api.ts').AnswererResult | undefined}
 */
function answer(elicitation) {
	if (elicitation.mode === 'form' && Object.keys(elicitation.requestedSchema['properties'] ?? {}).length === 0) {
		return { action: 'accept', content: {} };
	}
	return undefined;
}

module.exports = { activate };

// @ts-check
/**
 * The server in the screenshots: releases of a shop, revision 2026-07-28 over stdio, in English or Chinese.
 *
 *   node releases.mjs en|zh-cn
 */
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { serveTask, TASKS } from './releaseTask.mjs';
import { chinese, english } from './releaseTexts.mjs';

const words = process.argv[2] === 'zh-cn' ? chinese : english;

const elicitations = {
	deploy: {
		mode: 'form',
		message: words.deployAsks,
		requestedSchema: {
			type: 'object',
			properties: {
				region: titled(words.environment, ['eu', 'asia', 'us'], words.regions, 'eu'),
				strategy: titled(words.strategy, ['all', 'rolling', 'canary'], words.strategies, 'rolling'),
				replicas: {
					type: 'integer',
					title: words.replicas,
					description: words.replicasHelp,
					minimum: 1,
					maximum: 12,
				},
				reportTo: { type: 'string', title: words.mail, format: 'email' },
			},
			required: ['region', 'strategy', 'replicas'],
		},
	},
	restart: {
		mode: 'form',
		message: words.restartAsks,
		requestedSchema: {
			type: 'object',
			properties: { when: titled(words.when, ['now', 'idle', 'night'], words.times) },
			required: ['when'],
		},
	},
	approve: {
		mode: 'url',
		message: words.approveAsks,
		// Lookalike letters, a custom port, and a nested URL.
		url: 'https://sign-in.xn--sh-gmci.example:8443/approve?version=4.2&return=https%3A%2F%2Fshop.example.com%2F',
	},
};

/** What the import requests while it runs. */
const imports = [
	{ unpriced: choice(words.importAsks, 'unpriced', words.unpriced, ['omit', 'keep', 'ask'], words.fates) },
	{ publish: choice(words.publishAsks, 'when', words.when, ['now', 'idle', 'night'], words.times) },
];

const tools = [
	tool('deploy', words.deploy, words.deploys),
	tool('restart', words.restart, words.restarts),
	tool('approve', words.approve, words.approves),
	tool('import', words.import, words.imports),
];

/**
 * @param {string} title
 * @param {string[]} values
 * @param {string[]} titles
 * @param {string} [initial]
 */
function titled(title, values, titles, initial) {
	const oneOf = values.map((value, index) => ({ const: value, title: titles[index] }));
	return { type: 'string', title, oneOf, ...(initial === undefined ? {} : { default: initial }) };
}

/**
 * @param {string} message
 * @param {string} name
 * @param {string} title
 * @param {string[]} values
 * @param {string[]} titles
 */
function choice(message, name, title, values, titles) {
	const requestedSchema = {
		type: 'object',
		properties: { [name]: titled(title, values, titles) },
		required: [name],
	};
	return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } };
}

/**
 * @param {string} name
 * @param {string} title
 * @param {string} description
 */
function tool(name, title, description) {
	return { name, title, description, inputSchema: { type: /** @type {const} */ ('object') } };
}

/** @param {string} text */
const said = (text) => ({ content: [{ type: /** @type {const} */ ('text'), text }] });

serveStdio(
	() => {
		const server = new Server(
			{ name: 'releases', title: words.title, version: '1.0.0' },
			{ capabilities: { tools: {}, extensions: { [TASKS]: {} } } },
		);
		const startImport = serveTask(server, words.importing, imports, said(words.imported));
		server.setRequestHandler('tools/list', () => ({ tools }));
		server.setRequestHandler('tools/call', ({ params: { name } }, { mcpReq }) => {
			if (name === 'import') {
				return /** @type {any} */ (startImport());
			}
			const answer = /** @type {{ action: string } | undefined} */ (mcpReq.inputResponses?.elicitation);
			if (answer !== undefined) {
				return said(answer.action === 'accept' ? words.deployed : words.stopped);
			}
			const params = elicitations[/** @type {keyof typeof elicitations} */ (name)];
			return /** @type {any} */ ({
				resultType: 'input_required',
				inputRequests: { elicitation: { method: 'elicitation/create', params } },
			});
		});
		return server;
	},
	{ legacy: 'reject' },
);

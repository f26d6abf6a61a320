/**
 * The product's own connection layer without an editor, as the official suite's client under test: connects to the server,
 * looks at what it offers and calls it all.
 *   node client.cjs <server-url>
 */
import { join } from 'node:path';
import { readServers } from '../../src/config/definition.ts';
import { isObject, type Json, type JsonObject, own } from '../../src/elicitation/json.ts';
import { Registry } from '../../src/elicitation/registry.ts';
import type { Connection } from '../../src/mcp/index.ts';
import { TraceLog } from '../../src/trace/log.ts';
import { createValidator } from '../../src/validation/keeper.ts';
import { answerEverything, someArguments } from './person.ts';
import { Visitor } from './visitor.ts';

const url = process.argv[2];
const protocolVersion = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? 'auto';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? 'null') as Json;

/** A document that describes the client; the suite knows it without fetching it. */
const CLIENT_METADATA = 'https://conformance-test.local/client-metadata.json';

/** Where the bundled parts of the product lie. */
const bundled = (name: string) => join(__dirname, `${name}.cjs`);

run().then(
	() => process.exit(0),
	(error) => {
		console.error(error);
		process.exit(1);
	},
);

async function run(): Promise<void> {
	const clientId = own(context, 'client_id');
	const oauth = { clientMetadataUrl: CLIENT_METADATA, ...(clientId !== undefined && { clientId }) };
	const { servers, problems } = readServers({ conformance: { url, protocolVersion, oauth } });
	const [definition] = servers;
	if (!definition) {
		throw new Error(`Usage: conformance:client -- <server-url> ${JSON.stringify(problems)}`);
	}
	const mcp = await import('../../src/mcp/index.ts');
	const validator = createValidator({ workerFile: bundled('validator') });
	const registry = new Registry(validator, () => Number.POSITIVE_INFINITY);
	const log = (line: string) => console.error(line);
	answerEverything(registry);
	const connection = new mcp.Connection(definition, {
		registry,
		trace: new TraceLog(() => 1_000),
		reaper: new mcp.Reaper(bundled('reaper')),
		clientVersion: '1.0.0',
		signIn: new Visitor(String(own(context, 'client_secret') ?? '')),
		log: () => ({ info: log, warn: log, error: log, stderr: log }),
		callTimeout: () => 20,
		allowInsecureUrls: () => 'loopback',
	});
	await connection.start();
	await Promise.all(callsOn(connection));
	await connection.stop();
	validator.dispose();
}

/** The calls that the scenario asks for; else everything that the server offers, all at once. */
function callsOn(connection: Connection): Promise<void>[] {
	const { tools, prompts, resources } = connection;
	const asked = own(context, 'toolCalls');
	const calls = Array.isArray(asked)
		? asked.map((call) => ({ name: String(own(call, 'name')), args: own(call, 'arguments') ?? {} }))
		: tools.map(({ name, inputSchema }) => ({ name, args: someArguments(inputSchema, tools[0]?.inputSchema ?? {}) }));
	return [
		...calls.map(({ name, args }) => reported(connection.callTool(name, isObject(args) ? args : {}))),
		...prompts.map(({ name }) => reported(connection.getPrompt(name, {}))),
		...resources.map(({ uri }) => reported(connection.readResource(uri))),
	];
}

/** A call that fails is a matter between the scenario and the client: its checks say whether it should have. */
function reported(call: Promise<JsonObject>): Promise<void> {
	return call.then(
		(result) => console.log(JSON.stringify(result)),
		(error) => console.error(error),
	);
}

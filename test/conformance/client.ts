/**
 * The product's own connection layer without an editor, as the official suite's client under test: connects to the server,
 * looks at what it offers and calls it all.
 *   node client.mjs <server-url>
 */
import { isObject, type Json, type JsonObject, own } from '../../src/elicitation/json.ts';
import type { Connection } from '../../src/mcp/index.ts';
import { connect } from './connection.ts';
import { someArguments } from './person.ts';

const url = process.argv[2];
const protocolVersion = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? 'auto';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? 'null') as Json;

/** A document that describes the client; the suite knows it without fetching it. */
const CLIENT_METADATA = 'https://conformance-test.local/client-metadata.json';

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
	const server = { url: String(url), protocolVersion, oauth };
	const connection = await connect(server, String(own(context, 'client_secret') ?? ''));
	await Promise.all(callsOn(connection));
	await connection.stop();
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

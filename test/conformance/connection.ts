import { join } from 'node:path';
import { readServers } from '../../src/config/readDefinition.ts';
import type { Json, JsonObject } from '../../src/elicitation/json.ts';
import { Registry } from '../../src/elicitation/registry.ts';
import type { Connection } from '../../src/mcp/index.ts';
import { TraceLog } from '../../src/trace/log.ts';
import { ValidatorPool } from '../../src/validation/validatorPool.ts';
import { answerEverything } from './person.ts';
import { Visitor } from './visitor.ts';

/** Where the bundled parts of the product lie. */
const bundled = (name: string) => join(import.meta.dirname, `${name}.mjs`);

/**
 * The product's own connection layer without an editor, connected to a server.
 * @param password the secret of the client that the user has registered
 */
export async function connect(server: JsonObject, password?: string): Promise<Connection> {
	const { servers, problems } = readServers({ conformance: server as Json });
	const [definition] = servers;
	if (!definition) {
		throw new Error(`This is no server: ${JSON.stringify(problems)}`);
	}
	const mcp = await import('../../src/mcp/index.ts');
	const registry = new Registry(new ValidatorPool(bundled('validator')), () => Number.POSITIVE_INFINITY);
	const log = (line: string) => console.error(line);
	answerEverything(registry);
	const connection = new mcp.Connection(definition, {
		registry,
		trace: new TraceLog(() => 1_000),
		reaper: new mcp.Reaper(bundled('reaper')),
		clientVersion: '1.0.0',
		signIn: new Visitor(password),
		log: () => ({
			level: 'info',
			onDidChangeLevel: () => ({ dispose() {} }),
			debug: log,
			info: log,
			warn: log,
			error: log,
			stderr: log,
		}),
		callTimeout: () => 20,
		taskMode: () => 'auto',
		allowInsecureUrls: () => 'loopback',
		workspaceRoots: { list: () => [], onDidChange: () => ({ dispose() {} }) },
	});
	await connection.start();
	return connection;
}

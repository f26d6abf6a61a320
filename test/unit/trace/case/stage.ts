import { join } from 'node:path';
import { capabilitiesForCall } from '../../../../src/config/capabilities.ts';
import type { ServerDefinition } from '../../../../src/config/definition.ts';
import type { Call } from '../../../../src/elicitation/call.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
import { type Recorded, recordCase } from '../../../../src/trace/case/record.ts';
import type { RecordedCase } from '../../../../src/trace/case/recordedCase.ts';
import { LEGACY } from '../../../rawServer/rawServer.ts';
import type { TestClient } from '../../mcp/testClient.ts';

/** A server whose behavior depends on the variable MOOD. */
export const clerk = join(import.meta.dirname, 'peers/clerk.mjs');

/** A server that asks for the same URL in two rounds. */
export const repeating = join(import.meta.dirname, 'peers/repeating.mjs');

/** A recorded call of a tool without arguments, which requests nothing. */
export const caseOf = ({ name = 'act', ...more }: Partial<RecordedCase> = {}): RecordedCase => ({
	...{ name, revision: LEGACY, method: 'tools/call', params: { name, arguments: {} }, isTask: false },
	server: { type: 'stdio', command: 'node', args: ['a.mjs'], cwd: '‹workspaceFolder›', env: {} },
	capabilities: { elicitation: { form: {}, url: {} } },
	...{ elicitations: [], expected: { result: { content: [] } }, variables: [] },
	...more,
});

/** Records the last call of a world. */
export function record(world: TestClient, definition: ServerDefinition, revision?: string): Recorded {
	const call = world.registry.calls.at(-1) as Call;
	return recordCase({
		call,
		elicitations: world.registry.elicitations,
		trace: world.trace,
		revision,
		capabilities: capabilitiesForCall(definition, call.task !== undefined),
		server: (secrets) =>
			definition.type === 'stdio'
				? {
						type: 'stdio',
						command: definition.command,
						args: definition.args,
						cwd: secrets.place('workspaceFolder'),
						env: Object.fromEntries(
							Object.entries(definition.env).map(([name, value]) => [
								name,
								value === null ? null : secrets.environment(name, 'environment'),
							]),
						),
					}
				: { type: 'http', url: definition.url, headers: {} },
	});
}

export function recordedOf(recorded: Recorded): RecordedCase {
	if ('refusal' in recorded) {
		throw new Error(`Refused: ${recorded.refusal.text}`);
	}
	return recorded.recorded;
}

/** Makes and records a call whose elicitations get responses in turn. */
export async function recording(
	here: TestClient,
	definition: ServerDefinition,
	act: (connection: Connection) => Promise<unknown>,
	answer: (here: TestClient) => Promise<void> = async () => {},
): Promise<Recorded> {
	const connection = await here.connect(definition);
	const calling = act(connection).catch(() => {});
	await answer(here);
	await calling;
	return record(here, definition, connection.revision);
}

/** The same, of a call that can be recorded. */
export const recordedCall = async (...args: Parameters<typeof recording>): Promise<RecordedCase> =>
	recordedOf(await recording(...args));

/** Accepts the elicitations one after the other. */
export const accept =
	(...contents: JsonObject[]) =>
	async (here: TestClient) => {
		for (const content of contents) {
			const [request] = await here.asked();
			request.accept(content);
		}
	};

export const SECRETS = {
	MCP_TEST_BADGE: 'planted-badge-0',
	MCP_TEST_DOOR_CODE: 'planted-code-1',
	MCP_TEST_PIN: '4711',
};

/** A call to the clerk server with a code and a PIN. */
export const visit = (here: TestClient, definition: ServerDefinition): Promise<RecordedCase> =>
	recordedCall(
		here,
		definition,
		(connection) => connection.callTool('take', { note: 'two\u2028lines "*/', badge: SECRETS.MCP_TEST_BADGE }),
		accept({ name: 'Ada', door_code: SECRETS.MCP_TEST_DOOR_CODE, pin: 4711 }),
	);

import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { capabilitiesForCall } from '../../../../src/config/capabilities.ts';
import type { ServerDefinition } from '../../../../src/config/definition.ts';
import type { Call } from '../../../../src/elicitation/call.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
import { pytestFile } from '../../../../src/trace/case/pytest.ts';
import { type Recorded, recordCase } from '../../../../src/trace/case/record.ts';
import type { RecordedCase } from '../../../../src/trace/case/recordedCase.ts';
import { vitestFile } from '../../../../src/trace/case/vitest.ts';
import { LEGACY } from '../../../rawServer/rawServer.ts';
import type { TestClient } from '../../mcp/testClient.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** A server whose behavior depends on the variable MOOD. */
export const clerk = join(root, 'test/unit/trace/case/peers/clerk.mjs');

/** How the clerk changes in another mood, and what a generated test says then. */
export const CHANGES: readonly (readonly [what: string, mood: string, why: RegExp])[] = [
	['asks another elicitation', 'elicitation', /Who are you\?/],
	['comes to another result', 'result', /what the call came to[\s\S]*bad/],
	['asks once more', 'more', /what the server asks|asks more than was recorded|elicitations of the recording/],
	['asks with another schema', 'schema', /maxLength/],
	['ends instead', 'gone', /The server ended \(3\)[\s\S]*a call/],
];

/** A server that asks for the same URL in two rounds. */
export const repeating = join(root, 'test/unit/trace/case/peers/repeating.mjs');

/** A recorded call of a tool without arguments, which requests nothing. */
export const caseOf = ({ name = 'act', ...more }: Partial<RecordedCase> = {}): RecordedCase => ({
	...{ name, revision: LEGACY, method: 'tools/call', params: { name, arguments: {} }, isTask: false },
	server: { type: 'stdio', command: 'node', args: ['a.mjs'], cwd: '‹workspaceFolder›', env: {} },
	capabilities: { elicitation: { form: {}, url: {} } },
	...{ elicitations: [], expected: { result: { content: [] } }, variables: [] },
	...more,
});

export type Framework = 'vitest' | 'pytest';

/** The result of running a test file. */
export interface Ran {
	readonly passed: boolean;
	readonly output: string;
}

/** Python with pytest, if installed. */
export const python = await new Promise<string | undefined>((resolve) => {
	execFile('python3', ['-c', 'import pytest'], (error) => resolve(error ? undefined : 'python3'));
});

const secrets = (count: number, of: (index: number) => string) =>
	[...Array(count).keys()].map((index) => `token: ${of(index)}\n`).join('') + count;

/** Recorded texts, actual ones, and whether these fit. */
export const COMPARED_TEXTS: readonly (readonly [recorded: string, actual: string, fits: boolean])[] = [
	['at ‹time›, ‹uuid›', 'at 2026-01-31T10:00:00Z, 0ed84973-bbec-488b-9ad9-fb37c0d5bcd0', true],
	['at ‹time›', 'at noon', false],
	['a ‹redacted› b', 'a (.*) \n b', true],
	['a ‹redacted› b', 'a 1 b\n', false],
	['a ‹redacted› b', 'an a 1 b', false],
	['(.*) ‹uuid›', 'xx 0ed84973-bbec-488b-9ad9-fb37c0d5bcd0', false],
	['‹redacted›', 'anything', true],
	['ab‹redacted›ba', 'ab, ba', true],
	['ab‹redacted›ba', 'aba', false],
	['a ‹redacted› b ‹redacted› at ‹time›', 'a 1 b 2 b 3 at 2026-01-31T10:00:00Z', true],
	['a ‹redacted› b ‹redacted› at ‹time›', 'a 1 b 2 b 3 at 2026-01-31T10:00:00Z.', false],
	['‹redacted› b ‹redacted›', 'a c', false],
	['‹other› ‹redacted›', '‹other› x', true],
	// If all were one pattern, there would be millions of ways to try.
	[secrets(5, () => '‹redacted›'), secrets(100, (index) => `planted-${index}`), false],
];

/** The longest time that comparing them all may take (milliseconds). */
export const AT_ONCE = 2_000;

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

const site = { file: 'the.test', workspaceFolder: { relative: '..' } };

export function written(recorded: RecordedCase, framework: Framework): string {
	return framework === 'vitest' ? vitestFile(recorded, site) : pytestFile(recorded, site);
}

/** Runs test files in a directory of their own. */
export async function run(
	texts: readonly string[],
	framework: Framework,
	env: Record<string, string> = {},
): Promise<Ran> {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-case-'));
	const name = (index: number) => (framework === 'vitest' ? `case${index}.test.mjs` : `test_${index}.py`);
	await Promise.all(texts.map((text, index) => writeFile(join(folder, name(index)), text)));
	await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
	const [command, args] =
		framework === 'vitest'
			? [process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]]
			: [python ?? 'python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', folder]];
	// The nested runner must not inherit the variables of this one.
	const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_ENV|TINYPOOL)/.test(name));
	const options = { cwd: folder, env: { ...Object.fromEntries(inherited), NO_COLOR: '1', ...env }, timeout: 240_000 };
	try {
		return await new Promise<Ran>((resolve) => {
			execFile(command, args, options, (error, stdout, stderr) =>
				resolve({ passed: error === null, output: `${stdout}\n${stderr}` }),
			);
		});
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

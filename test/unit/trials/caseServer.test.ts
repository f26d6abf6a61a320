import { expect, it } from 'vitest';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import type { VariableSource } from '../../../src/config/variables.ts';
import { Redactor } from '../../../src/privacy/redactor.ts';
import { REDACTED } from '../../../src/privacy/secrets.ts';
import { CaseSecrets } from '../../../src/trace/case/caseSecrets.ts';
import type { CaseServer, Place } from '../../../src/trace/case/recordedCase.ts';
import { TraceLog } from '../../../src/trace/log.ts';
import { caseServer } from '../../../src/trials/caseServer.ts';
import { define, stdio } from '../mcp/testClient.ts';

const variables: VariableSource = {
	workspaceFolder: () => '/workspace',
	userHome: () => '/home/ada',
	pathSeparator: () => '/',
	environment: () => '/set/outside',
	configuration: () => undefined,
	input: () => undefined,
	shell: false,
};

const newSecrets = () => new CaseSecrets(new Redactor(new TraceLog(() => 100)));

/** The server as an exported case has it. */
function exported(definition: ServerDefinition, secrets = newSecrets(), base: Place = 'workspaceFolder'): CaseServer {
	return secrets.written(caseServer({ definition, variables, base, fromFile: [], signedIn: false }, secrets));
}

const namesIn = (secrets: CaseSecrets) => secrets.variables.map(({ name, role }) => [name, role]);

it('a header does not share the variable of an answer whose name is as good as its own', () => {
	const secrets = newSecrets();
	const answer = secrets.sent({ apiKey: 'planted-1' }, { apiKey: REDACTED }, 'answer', 'answer');
	const server = exported(define('s', { url: 'https://localhost/', headers: { 'Api-Key': 'planted-2' } }), secrets);
	expect(secrets.written(answer)).toEqual({ apiKey: '‹MCP_TEST_API_KEY›' });
	expect(server).toMatchObject({ headers: { 'Api-Key': '‹MCP_TEST_API_KEY_2›' } });
	expect(namesIn(secrets)).toEqual([
		['MCP_TEST_API_KEY', 'answer'],
		['MCP_TEST_API_KEY_2', 'header'],
	]);
});

it("nor does a variable of the server's environment", () => {
	const secrets = newSecrets();
	secrets.sent({ pin: 4711 }, { pin: REDACTED }, 'answer', 'answer');
	expect(exported(stdio('s', 'a.mjs', [], { env: { MCP_TEST_PIN: 'x' } }), secrets)).toMatchObject({
		env: { MCP_TEST_PIN: '‹MCP_TEST_PIN_2›' },
	});
});

it.each([
	[
		['--api-key', '${input:api-key}'],
		['--api-key', '‹MCP_TEST_API_KEY›'],
	],
	[['--api-key=${input:api-key}'], ['--api-key=‹MCP_TEST_API_KEY›']],
	[
		['--header', 'Authorization: Bearer ${input:api-key}'],
		['--header', 'Authorization: Bearer ‹MCP_TEST_API_KEY›'],
	],
	[
		['--auth', 'Bearer ${input:api-key}'],
		['--auth', 'Bearer ‹MCP_TEST_API_KEY›'],
	],
	[['https://localhost/?token=${input:api-key}'], ['https://localhost/?token=‹MCP_TEST_API_KEY›']],
])('an input that is used twice, and where secrets are, needs one variable: %s', (given, written) => {
	const secrets = newSecrets();
	expect(exported(stdio('s', 'a.mjs', [...given, '${input:api-key}']), secrets)).toMatchObject({
		args: [expect.anything(), ...written, '‹MCP_TEST_API_KEY›'],
	});
	expect(namesIn(secrets)).toEqual([['MCP_TEST_API_KEY', 'definition']]);
});

it.each([
	['${userHome}/project', '‹userHome›/project'],
	['${workspaceFolder}/project', '‹workspaceFolder›/project'],
	['${env:PROJECT}', '‹PROJECT›'],
	['/srv/project', '/srv/project'],
	['project', '‹workspaceFolder›/project'],
])('the server is started in the folder that its definition names: %s', (cwd, written) => {
	expect(exported(stdio('s', 'a.mjs', [], { cwd }))).toMatchObject({ cwd: written });
});

it('a folder of the workspace is left alone in a definition that belongs to the user', () => {
	const definition = stdio('s', 'a.mjs', [], { cwd: '${workspaceFolder}/project' });
	expect(exported(definition, newSecrets(), 'userHome')).toMatchObject({ cwd: '‹workspaceFolder›/project' });
});

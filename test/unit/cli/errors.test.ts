import { ProtocolError } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { messageOf } from '../../../src/cli/errors.ts';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import { explainCall } from '../../../src/mcp/explain.ts';
import { Failure } from '../../../src/mcp/index.ts';

it('what happened, and what to do, is said also where a server names what advice to users of the editor is known by', () => {
	const what = localizable('The server responded with error {0}: {1}', '-32602', 'Bad "protocolVersion".');
	const told = (text: string, ...args: string[]) => messageOf(new Failure('a', what, localizable(text, ...args)));
	const said = 'The server responded with error -32602: Bad "protocolVersion".';
	expect(told('Try again.')).toBe(`${said} Try again.`);
	expect(told('This client does not offer {0}.', '"sampling"')).toBe(`${said} This client does not offer "sampling".`);
	expect(told('Set "mcpElicitation.tasks" to "auto".')).toBe(said);
});

it.each([
	['sampling', { sampling: {} }],
	['tasks', { extensions: { 'io.modelcontextprotocol/tasks': {} } }],
])('there is no advice to turn on %s, which is not in the hands of the user here', (_what, requiredCapabilities) => {
	const definition = { name: 'a', sampling: 'none', elicitation: { advertise: 'both' } } as ServerDefinition;
	const error = new ProtocolError(-32021, 'Missing.', { requiredCapabilities });
	expect(messageOf(explainCall(definition, 'deploy', error, { taskMode: 'never', inSession: false }))).toMatch(
		/^The server needs what this client did not declare: [\w./]+\.$/,
	);
});

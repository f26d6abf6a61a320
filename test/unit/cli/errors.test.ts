import { expect, it } from 'vitest';
import { messageOf } from '../../../src/cli/errors.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import { Failure } from '../../../src/mcp/index.ts';

it('what happened is said also where a server names what advice to users of the editor is known by', () => {
	const what = localizable('The server responded with error {0}: {1}', '-32602', 'Bad "protocolVersion".');
	const told = (fix: string) => messageOf(new Failure('a', what, localizable('{0}', fix)));
	expect(told('Try again.')).toBe('The server responded with error -32602: Bad "protocolVersion". Try again.');
	expect(told('Set "mcpElicitation.tasks" to "auto".')).toBe(
		'The server responded with error -32602: Bad "protocolVersion".',
	);
});

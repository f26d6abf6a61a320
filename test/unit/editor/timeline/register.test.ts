import { expect, it, vi } from 'vitest';
import { commands } from 'vscode';

const errors = vi.hoisted(() => [] as string[]);

vi.mock('vscode', async () =>
	(await import('../vscode.ts')).fakeVscode({
		window: { showErrorMessage: async (text: string) => void errors.push(text) },
	}),
);

const { registerTimeline } = await import('../../../../src/editor/timeline/register.ts');

it('tells why the timeline could not be cleared', async () => {
	const clear = () => {
		throw new Error('It is in use.');
	};
	registerTimeline({ trace: { clear } } as never);
	await commands.executeCommand('mcpElicitation.clearTimeline');
	expect(errors).toEqual(['MCP Elicitation: It is in use.']);
});

import { expect, it, vi } from 'vitest';
import type { Event, Uri } from 'vscode';
import { localizable } from '../../../../src/elicitation/sentence.ts';

const shown: { message: string }[] = [];
vi.mock('vscode', async () =>
	(await import('../vscode.ts')).fakeVscode({
		languages: {
			createDiagnosticCollection: () => ({
				forEach: () => {},
				set: (_file: unknown, found: typeof shown) => shown.push(...found),
				dispose: () => {},
			}),
		},
	}),
);

const { registerJsonDiagnostics } = await import('../../../../src/editor/common/jsonDiagnostics.ts');

it('a problem shows hidden characters of the file that it is in', async () => {
	const position = { line: 0, character: 0 };
	const message = localizable('{0} is wrong.', 'a\u202eb');
	const problem = { span: { start: position, end: position }, message, severity: 'error' } as const;
	let change = () => {};
	const onDidChange = ((listener: () => void) => {
		change = listener;
		return { dispose: () => {} };
	}) as unknown as Event<void>;
	registerJsonDiagnostics(
		'x',
		() => [{ file: 'f' as unknown as Uri, diagnostics: async () => [problem] }],
		onDidChange,
	);
	change();
	await vi.waitUntil(() => shown.length > 0);
	expect(shown[0]?.message).toBe('a‹U+202E›b is wrong.');
});

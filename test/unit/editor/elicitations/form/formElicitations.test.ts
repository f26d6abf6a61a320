import { expect, it, vi } from 'vitest';
import { Registry } from '../../../../../src/elicitation/registry.ts';

/** VS Code with requests revealed by notifications, which are collected. */
const notices = vi.hoisted(() => [] as string[]);
const disposable = vi.hoisted(() => ({ dispose: () => {} }));

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		workspace: { getConfiguration: () => ({ get: (key: string) => (key === 'form.reveal' ? 'notify' : undefined) }) },
		window: { withProgress: ({ title }: { title: string }) => notices.push(title) },
	}),
);

const { FormElicitations } = await import('../../../../../src/editor/elicitations/form/formElicitations.ts');

it('the notification of a request leads to it, however long its message is', () => {
	const registry = new Registry({ validate: () => Promise.resolve({ status: 'valid' }) }, () => 100);
	const userFocus = { watch: () => disposable, onDidClose: () => disposable };
	const waiting = { draftOf: () => undefined };
	new FormElicitations({} as never, registry, {} as never, userFocus as never, waiting as never);
	const origin = {
		server: 'weather',
		connection: 'c',
		intake: 'request',
		revision: '2025-11-25',
		calls: [],
		params: null,
	};
	registry.add({ mode: 'form', message: 'word '.repeat(1_000), requestedSchema: {} } as never, origin as never);
	const [notice] = notices;
	expect(notice).toMatch(/^weather asks: word word .*… \[Respond\]\(command:mcpElicitation\.openElicitation\?.*\)$/);
	expect(notice?.length).toBeLessThan(1_000);
});

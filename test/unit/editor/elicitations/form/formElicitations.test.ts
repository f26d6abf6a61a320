import { expect, it } from 'vitest';
import { FormElicitations } from '../../../../../src/editor/elicitations/form/formElicitations.ts';
import { World } from '../../../elicitation/world.ts';
import { fakeVscode } from '../../vscode.ts';

it('the notification of a request leads to it, however long its message is', () => {
	const notices: string[] = [];
	fakeVscode({
		workspace: { getConfiguration: () => ({ get: (key: string) => (key === 'form.reveal' ? 'notify' : undefined) }) },
		window: { withProgress: ({ title }: { title: string }) => notices.push(title) },
	});
	const world = new World();
	const userFocus = { watch: () => ({ dispose() {} }), onDidClose: () => ({ dispose() {} }) };
	const waiting = { draftOf: () => undefined };
	new FormElicitations({} as never, world.registry, {} as never, userFocus as never, waiting as never);
	world.form('word '.repeat(1_000), { server: 'weather' });
	const [notice] = notices;
	expect(notice).toMatch(/^weather asks: word word .*… \[Respond\]\(command:mcpElicitation\.openElicitation\?.*\)$/);
	expect(notice?.length).toBeLessThan(1_000);
});

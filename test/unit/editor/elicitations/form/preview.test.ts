import { expect, it, vi } from 'vitest';
import type { PreviewRequest } from '../../../../../src/editor/elicitations/form/preview.ts';

/** The panel of the preview, which stays open. */
const panel = vi.hoisted(() => ({ drafts: [] as Draft[] }));

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({ workspace: { getConfiguration: () => ({ get: () => 'webview' }) } }),
);
vi.mock('../../../../../src/editor/elicitations/form/formPanel.ts', () => ({
	FormPanel: class {
		readonly outcome = new Promise(() => {});
		constructor({ draft }: { draft: Draft }) {
			panel.drafts.push(draft);
		}
		replace(draft: Draft): void {
			panel.drafts.push(draft);
		}
	},
}));

const { previewForm } = await import('../../../../../src/editor/elicitations/form/preview.ts');
type Draft = import('../../../../../src/editor/elicitations/form/draft.ts').Draft;

it('what was entered stays when the schema changes, also what no field of the form shows', async () => {
	const request = (...names: string[]): PreviewRequest => ({
		name: 'form.json',
		params: {
			message: 'Who?',
			requestedSchema: {
				type: 'object',
				properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
			},
		},
	});
	let change = (_next: PreviewRequest) => {};
	const changed = (listener: typeof change) => {
		change = listener;
		return { dispose: () => {} };
	};
	const validator = { validate: async () => ({ status: 'valid' as const }) };
	void previewForm({} as never, validator, {} as never, request('a'), changed as never);
	panel.drafts[0]?.enter([{ kind: 'text', text: 'x' }], { more: 1 });
	change(request('b', 'a'));
	const review = await panel.drafts[1]?.review();
	expect(review?.content).toEqual({ a: 'x', more: 1 });
});

import { expect, it, vi } from 'vitest';
import { type PreviewRequest, previewForm } from '../../../../../src/editor/elicitations/form/preview.ts';
import type { FromForm, ToForm } from '../../../../../src/protocol.ts';
import { pages } from '../../surfaces.ts';
import { fakeVscode } from '../../vscode.ts';

const { panels, extensionUri } = pages<ToForm, FromForm>();

it('what was entered stays when the schema changes, also what no field of the form shows', async () => {
	fakeVscode({ workspace: { getConfiguration: () => ({ get: () => 'webview' }) } });
	const request = (...names: string[]): PreviewRequest => {
		const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
		return { name: 'form.json', params: { message: 'Who?', requestedSchema: { type: 'object', properties } } };
	};
	let change = (_next: PreviewRequest) => {};
	const changed = (listener: typeof change) => {
		change = listener;
		return { dispose: () => {} };
	};
	const validator = { validate: async () => ({ status: 'valid' as const }) };
	const userFocus = { watch: () => ({ dispose: () => {} }) };
	const previewed = previewForm(extensionUri, validator, userFocus as never, request('a'), changed as never);
	const [panel] = panels;
	panel?.send({ type: 'json', revision: 1, text: '{"a": "x", "more": 1}' });
	await vi.waitUntil(() => panel?.last('jsonReview'));
	change(request('b', 'a'));
	panel?.send({ type: 'submit', revision: 1, inputs: panel.last('show')?.model.inputs ?? [] });
	expect(await previewed).toEqual({ action: 'accept', content: { a: 'x', more: 1 } });
});

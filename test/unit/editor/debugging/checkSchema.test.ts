import { expect, it } from 'vitest';
import { checkSchema } from '../../../../src/editor/debugging/schemas/checkSchema.ts';
import type { SchemaDiagnostics } from '../../../../src/editor/debugging/schemas/diagnostics.ts';
import { messages } from '../surfaces.ts';
import { fakeVscode } from '../vscode.ts';

const shown = messages(({ click }) => click());

it.each([
	[99, false],
	[100, true],
])('a check says how many requests of a file it looks at, if that may not be all: %i', async (count, isSaid) => {
	const document = { languageId: 'json', fileName: '/project/asked.json', getText: () => '{"requestedSchema": {}}' };
	fakeVscode({
		window: { activeTextEditor: { document }, showQuickPick: async ([first]: readonly unknown[]) => first },
	});
	const checked = { request: { params: { requestedSchema: {} }, at: [], bare: false }, problems: [] };
	const diagnostics = { check: async () => Array(count).fill(checked) } as unknown as SchemaDiagnostics;
	await checkSchema({} as never, diagnostics, undefined);
	expect(shown[0]?.text.endsWith('No more than 100 requests of a file are checked.')).toBe(isSaid);
});

it('a file that is not JSON is said to be none, with the place, instead of having no schema', async () => {
	const text = '{\n  "requestedSchema": { "type": "object",\n}';
	const document = { languageId: 'json', getText: () => text, positionAt: () => ({ line: 2, character: 1 }) };
	fakeVscode({ window: { activeTextEditor: { document } } });
	const checked = checkSchema({} as never, {} as never, undefined);
	await expect(checked).rejects.toThrow('This is not JSON (line 3, column 2): A closing brace is missing.');
});

import { expect, it, vi } from 'vitest';
import type { RequestInText } from '../../../../../src/config/schemaText.ts';
import type { CheckedRequest, SchemaDiagnostics } from '../../../../../src/editor/debugging/schemas/diagnostics.ts';

const shown = vi.hoisted(() => [] as string[]);

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		window: {
			activeTextEditor: {
				document: { languageId: 'json', fileName: '/project/asked.json', getText: () => '{"requestedSchema": {}}' },
			},
			showInformationMessage: async (text: string) => void shown.push(text),
		},
	}),
);

const { checkSchema } = await import('../../../../../src/editor/debugging/schemas/checkSchema.ts');

it.each([
	[99, false],
	[100, true],
])('a check says how many requests of a file it looks at, if that may not be all: %i', async (count, isSaid) => {
	const request: RequestInText = { params: { requestedSchema: {} }, at: [], bare: false };
	const checked = Array.from({ length: count }, (): CheckedRequest => ({ request, problems: [] }));
	const diagnostics = { check: async () => checked } as unknown as SchemaDiagnostics;
	await checkSchema({} as never, diagnostics, undefined);
	expect(shown.pop()?.endsWith('No more than 100 requests of a file are checked.')).toBe(isSaid);
});

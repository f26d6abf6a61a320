import { expect, it, vi } from 'vitest';
import type { Event, Range, TextDocument, Uri } from 'vscode';
import { JsonDiagnostics, registerJsonDiagnostics } from '../../../../src/editor/common/jsonDiagnostics.ts';
import { JsonDocuments } from '../../../../src/editor/common/jsonDocuments.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import { fakeVscode } from '../vscode.ts';

it('a problem shows hidden characters of the file that it is in', () => {
	const set = vi.fn();
	fakeVscode({
		languages: { createDiagnosticCollection: () => ({ set, dispose: () => {} }) },
	});
	const position = { line: 0, character: 0 };
	const message = localizable('{0} is wrong.', 'a\u202eb');
	const problem = { span: { start: position, end: position }, message, severity: 'error' } as const;
	let change = () => {};
	const onDidChange: Event<void> = (listener) => {
		change = () => listener();
		return { dispose: () => {} };
	};
	registerJsonDiagnostics('x', () => [{ file: 'f' as unknown as Uri, diagnostics: () => [problem] }], onDidChange);
	change();
	expect(set.mock.calls).toMatchObject([['f', [{ message: 'a‹U+202E›b is wrong.' }]]]);
});

it('a quick fix is offered for the text that was checked, and for no other', () => {
	const set = vi.fn();
	fakeVscode({ languages: { createDiagnosticCollection: () => ({ set, dispose: () => {} }) } });
	const uri = 'file:///a.json' as unknown as Uri;
	const open = (version: number) => ({ uri, version }) as unknown as TextDocument;
	fakeVscode({ workspace: { textDocuments: [open(1)] } });
	const span = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
	const edit = { span, text: '{}' };
	const diagnostics = new JsonDiagnostics('x');
	const fixes = [() => ({ title: localizable('Mend {0}', 'a\u202eb'), edit }), () => undefined];
	diagnostics.set(
		uri,
		fixes.map((fix) => ({ span, message: localizable('Wrong.'), severity: 'error', fix })),
	);
	const offered = (version: number) => diagnostics.provideCodeActions(open(version), {} as Range);
	expect(offered(1)).toMatchObject([{ title: 'Mend a‹U+202E›b', edit: { texts: ['{}'] } }]);
	expect(offered(2)).toEqual([]);
});

it('what is no JSON is told once: by the editor while the file is open, with what follows from it beside', () => {
	const set = vi.fn();
	fakeVscode({ languages: { createDiagnosticCollection: () => ({ set, dispose: () => {} }) } });
	const uri = 'file:///a.json' as unknown as Uri;
	const span = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
	const broken = { span, message: localizable('No JSON.'), severity: 'error', fault: {} } as const;
	const kept = { ...broken, fault: { beside: localizable('All stays as it was.') } };
	const shown = (...open: { uri: Uri; languageId: string }[]) => {
		fakeVscode({ workspace: { textDocuments: open } });
		new JsonDiagnostics('x').set(uri, [broken, kept]);
		return set.mock.lastCall?.[1].map(({ message }: { message: string }) => message);
	};
	expect(shown()).toEqual(['No JSON.', 'No JSON.']);
	expect(shown({ uri, languageId: 'jsonc' })).toEqual(['All stays as it was.']);
	expect(shown({ uri, languageId: 'plaintext' })).toEqual(['No JSON.', 'No JSON.']);
});

it('a document with a long title gets a name of whole characters, which can be part of a URI', () => {
	const { path } = new JsonDocuments().add(`a${'𠀀'.repeat(100)}`, {});
	expect(path.length).toBeGreaterThan(80);
	expect(() => encodeURIComponent(path)).not.toThrow();
});

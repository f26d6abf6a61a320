import { expect, it, vi } from 'vitest';

vi.mock('vscode', async () => (await import('../vscode.ts')).fakeVscode());

const { JsonDocuments } = await import('../../../../src/editor/common/jsonDocuments.ts');

it('a document with a long title gets a name of whole characters, which can be part of a URI', () => {
	const { path } = new JsonDocuments().add(`a${'𠀀'.repeat(100)}`, {});
	expect(path.length).toBeGreaterThan(80);
	expect(() => encodeURIComponent(path)).not.toThrow();
});

import { expect, it } from 'vitest';
import { isPreRelease, notesOf, releasable } from '../../../scripts/release.mjs';
import { pathsIn } from '../../checks/documents.ts';
import { labelsIn } from '../../checks/facts.ts';
import { Source } from '../../checks/source.ts';
import { withoutSingular, wrongWords } from '../../checks/texts.ts';

it('the checks see paths and labels in pages, wrong words, and counts without a singular', () => {
	const page =
		'see `src/x/y.ts`, `package.nls*.json` and (test/z); `tools/call` by `mcp.json`\n─▶ src/mcp/a.ts: `node e2e/b.mjs`';
	expect(pathsIn(page)).toEqual(['src/x/y.ts', 'test/z', 'src/mcp/a.ts', 'e2e/b.mjs', 'package.nls*.json']);
	expect(labelsIn('*MCP Elicitation: Add\nServer…*, **bold**, `*`, ***Replay…***, *A → B*, 2 * 3')).toEqual([
		'Add Server…',
		'Replay…',
		'A',
		'B',
	]);
	expect(
		['A question …', 'A page.', 'The scripted answer, see [it](question.md).'].map((text) => wrongWords(text).length),
	).toEqual([2, 1, 0]);
	expect(withoutSingular(['{0} calls', '1 call', '{0} messages exported.', '{0} to {1} calls'])).toEqual([
		'{0} messages exported.',
	]);
});

it('the checks see what code says to a user, under any name, and what it shows without saying it', () => {
	const source = (code: string, path = 'src/editor/a/b.ts') =>
		new Source(path, `import { localizeNative as say2, localize as t } from '../common/localize.ts';\n${code}`);
	const said = source(
		"t(one ? 'One.' : 'Two\\'s.'); say2('Three {0}', t('four')); u('no'); t(a); t(`b`); t('a' + b);",
	).said();
	expect(said.texts.map(({ text }) => text)).toEqual(['One.', "Two's.", 'Three {0}', 'four']);
	expect(said.unreadable.map(({ text }) => text)).toEqual(['t(a)', 't(`b`)', "t('a' + b)"]);
	const unsaid = [
		"vscode.window.showErrorMessage(`${name} failed`); item.tooltip = broken ? 'Broken' : '';",
		"withProgress({ title: ['Calling', name].join(' ') }); new vscode.TreeItem('Others');",
		"item.tooltip = t('Said'); item.contextValue = 'tool'; type A = { title: 'some words' };",
	].map((code) =>
		source(code)
			.unsaidWords()
			.map(({ text }) => text.trim()),
	);
	expect(unsaid).toEqual([['failed', 'Broken'], ['Calling', 'Others'], []]);
	const page =
		'<p class="note">{t("Said")} <b style={`top: ${at}px`}>×</b><i title="Bad">Done</i>{fill("By {0}", name)}</p>';
	expect(
		source(page, 'src/webview/a/b.tsx')
			.unsaidWords()
			.map(({ text }) => text),
	).toEqual(expect.arrayContaining(['Bad', 'Done', 'By {0}']));
});

it('a release takes what the changelog says of its version, and is refused where the tag does not fit', () => {
	const changelog = [
		'# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Later.\n',
		'## [1.2.0] - 2026-01-31\n\n### Fixed\n\n- One.\n- Two.\n',
		'## [1.1.0] - 2026-01-01\n\n- First.\n\n[1.1.0]: https://example.com/\n',
	].join('\n');
	expect(notesOf(changelog, '1.2.0')).toBe('### Fixed\n\n- One.\n- Two.');
	expect(notesOf(changelog, '1.1.0')).toBe('- First.');
	expect(releasable('v1.2.0', '1.2.0', changelog)).toContain('- Two.');
	expect(() => releasable('v1.2.0', '1.3.0', changelog)).toThrow('v1.2.0 does not fit version 1.3.0');
	expect(() => releasable('v1.3.0', '1.3.0', changelog)).toThrow('## [1.3.0] - YYYY-MM-DD');
	expect(['0.1.0', '1.0.1', '1.2.3', '1.13.0'].map(isPreRelease)).toEqual([true, false, false, true]);
});

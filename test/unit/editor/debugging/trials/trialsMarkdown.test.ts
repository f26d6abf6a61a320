import { describe, expect, it } from 'vitest';
import { toMarkdown } from '../../../../../src/editor/debugging/trials/trialsMarkdown.ts';
import { ended, trialsOf } from '../../../../webview/trialsModel.ts';

const rowsOf = (model: Parameters<typeof trialsOf>[0]) => toMarkdown(trialsOf(model)).trim().split('\n').slice(4);

describe('a table of trials as Markdown', () => {
	it('has a row for every run', () => {
		expect(toMarkdown(trialsOf()).split('\n')).toEqual([
			'## Action matrix: deploy on demo',
			'',
			'| Trial | What the server did | Requests | Server time |',
			'| --- | --- | --- | --- |',
			'| Accept<br>` {"n":3} ` | Result<br>` Deployed. `<br>A note. | 1 | 12 ms |',
			'| n\\: below the minimum<br>*invalid on purpose*<br>` {"n":2} ` | Result<br>` Deployed. `<br>⚠ A warning. | 1 | 12 ms |',
			'| Cancel | Running… |  |  |',
			'| No response | not run yet |  |  |',
			'',
		]);
	});

	it.each<[string, Parameters<typeof rowsOf>[0], string]>([
		[
			'the revision if the runs differ in it',
			{ revisions: true, rows: [ended({ revision: '2025-11-25' })] },
			'| Accept | 2025-11-25 | Result<br>` Deployed. ` | 1 | 12 ms |',
		],
		[
			'the other clients that respond in the same way',
			{ senders: true, rows: [ended({ senders: ['VS Code 1.139', 'A | B'] })] },
			'| Accept | Result<br>` Deployed. ` | VS Code 1.139<br>A \\| B | 1 | 12 ms |',
		],
	])('names %s', (_what, model, row) => {
		expect(rowsOf(model)).toEqual([row]);
	});

	it.each([
		['a | b\n| c |', '` a \\| b \\| c \\| `'],
		['`![x](https://example.com)`', '`` `![x](https://example.com)` ``'],
		['\u202e', '` ‹U+202E› `'],
	])('keeps %j inside its cell', (words, shown) => {
		expect(rowsOf({ rows: [ended({ words })] })).toEqual([`| Accept | Result<br>${shown} | 1 | 12 ms |`]);
	});

	it('escapes markup in names', () => {
		const [row] = rowsOf({ rows: [ended({ name: '<img src=x> [a](b) *c*' })] });
		expect(row).toContain('| \\<img src=x\\> \\[a\\]\\(b\\) \\*c\\*');
	});
});

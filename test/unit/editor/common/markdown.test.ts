import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codeBlock, codeSpan } from '../../../../src/editor/common/markdown.ts';

/** Texts that try to break out. */
const hostile = fc.array(
	fc.constantFrom('`', '``', '```', '````', '\n', '\r\n', '\r', '~~~', '[x](command:y)', 'a', ' '),
);
const text = fc.oneof(
	fc.string({ unit: 'binary' }),
	hostile.map((parts) => parts.join('')),
);

/** The runs of backticks in a text. */
const runs = (from: string) => [...from.matchAll(/`+/g)].map(([run]) => run);

it.each([
	['is unchanged', 'echo', '` echo `'],
	['is unchanged', '[x](command:y) <b> $(star)', '` [x](command:y) <b> $(star) `'],
	['shows hidden characters', 'a\u202eb', '` a‹U+202E›b `'],
	['has a longer fence than its backticks', 'a`b``c', '``` a`b``c ```'],
])('untrusted text in a code span %s: %j', (_what, from, span) => {
	expect(codeSpan(from)).toBe(span);
});

it('untrusted text cannot break out of a code span', () => {
	fc.assert(
		fc.property(text, (from) => {
			const span = codeSpan(from);
			const [fence = '', ...inner] = runs(span);
			expect(span).not.toMatch(/[\r\n]/);
			expect(inner.pop()).toBe(fence);
			expect(inner).not.toContain(fence);
		}),
	);
});

it.each([
	['is unchanged', '{\n  "a": "[x](command:y)"\n}', '```json\n{\n  "a": "[x](command:y)"\n}\n```'],
	['has a longer fence than its backticks', 'a\n````\nb', '`````json\na\n````\nb\n`````'],
])('untrusted text in a code block %s: %j', (_what, from, block) => {
	expect(codeBlock('json', from)).toBe(block);
});

it('untrusted text cannot break out of a code block', () => {
	fc.assert(
		fc.property(text, (from) => {
			const block = codeBlock('json', from);
			const [fence = '', ...inner] = runs(block);
			expect(fence.length).toBeGreaterThanOrEqual(3);
			expect(block.endsWith(`\n${fence}`)).toBe(true);
			expect(inner.slice(0, -1).every((run) => run.length < fence.length)).toBe(true);
		}),
	);
});

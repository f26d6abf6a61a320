import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

describe('untrusted text in a code span', () => {
	it('is unchanged', () => {
		expect(codeSpan('echo')).toBe('` echo `');
		expect(codeSpan('[x](command:y) <b> $(star)')).toBe('` [x](command:y) <b> $(star) `');
	});

	it('shows hidden characters', () => {
		expect(codeSpan('a\u202eb')).toBe('` a‹U+202E›b `');
	});

	it('cannot break out', () => {
		expect(codeSpan('a`b``c')).toBe('``` a`b``c ```');
		fc.assert(
			fc.property(text, (hostile) => {
				const span = codeSpan(hostile);
				const [fence = '', ...inner] = runs(span);
				expect(span).not.toMatch(/[\r\n]/);
				expect(inner.pop()).toBe(fence);
				expect(inner).not.toContain(fence);
			}),
		);
	});
});

describe('untrusted text in a code block', () => {
	it('is unchanged', () => {
		expect(codeBlock('json', '{\n  "a": "[x](command:y)"\n}')).toBe('```json\n{\n  "a": "[x](command:y)"\n}\n```');
	});

	it('cannot break out', () => {
		expect(codeBlock('json', 'a\n````\nb')).toBe('`````json\na\n````\nb\n`````');
		fc.assert(
			fc.property(text, (hostile) => {
				const block = codeBlock('json', hostile);
				const [fence = '', ...inner] = runs(block);
				expect(fence.length).toBeGreaterThanOrEqual(3);
				expect(block.endsWith(`\n${fence}`)).toBe(true);
				expect(inner.slice(0, -1).every((run) => run.length < fence.length)).toBe(true);
			}),
		);
	});
});

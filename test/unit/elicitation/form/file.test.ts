import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedFile, fileIn, fileUri, isAccepted, MAX_FILE_SIZE } from '../../../../src/elicitation/form/file.ts';
import { fieldsOf } from '../../../../src/elicitation/form/readFields.ts';
import { parseUrl } from '../../../../src/elicitation/url/parseUrl.ts';

describe('a text that is marked as a file', () => {
	it('is a text field with what it accepts', () => {
		const file = { type: 'string', format: 'uri', 'x-mcp-file': { accept: ['image/*', 7, '.pdf'], maxSize: 2048 } };
		expect(fieldsOf({ properties: { file } })).toMatchObject([
			{ kind: 'text', entry: 'uri', file: { accept: ['image/*', '.pdf'], maxSize: 2048 } },
		]);
	});

	it.each([
		[{}, { accept: [], maxSize: MAX_FILE_SIZE }],
		[
			{ accept: 'image/png', maxSize: 'large' },
			{ accept: [], maxSize: MAX_FILE_SIZE },
		],
		[{ maxSize: -1 }, { accept: [], maxSize: MAX_FILE_SIZE }],
		[{ maxSize: 1e12 }, { accept: [], maxSize: MAX_FILE_SIZE }],
		[true, undefined],
		[null, undefined],
	])('described as %j accepts %j', (descriptor, accepted) => {
		expect(acceptedFile(descriptor)).toEqual(accepted);
	});

	it.each([
		[[], 'a.bin', '', true],
		[['image/*'], 'a.png', 'image/png', true],
		[['image/*'], 'a.txt', 'text/plain', false],
		[['image/*'], 'a', 'imagery/png', false],
		[['IMAGE/PNG'], 'a.png', 'image/png', true],
		[['.pdf'], 'A.PDF', '', true],
		[['.pdf', 'text/plain'], 'a.txt', 'text/plain', true],
		[['.pdf'], 'a.pdf.exe', 'application/pdf', false],
	])('that accepts %j: %s of type "%s": %s', (accept, name, type, accepted) => {
		expect(isAccepted({ accept, maxSize: 1 }, { name, type, size: 1 })).toBe(accepted);
	});
});

it('a file is read back from its URI with its name and size', () => {
	const bytes = fc.uint8Array({ maxLength: 50 });
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), bytes, (name, content) => {
			const uri = fileUri({ name, type: 'image/png' }, Buffer.from(content).toString('base64'));
			expect(fileIn(uri)).toEqual({ name, type: 'image/png', size: content.length });
			expect(parseUrl(uri)).toBeDefined();
		}),
	);
	expect(fileIn('data:text/plain,hello')).toBeUndefined();
	expect(fileIn('data:text/plain;name=%E0%A4%A;base64,aGk=')).toMatchObject({ name: '%E0%A4%A', size: 2 });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { translator, webviewStrings } from '../../src/webview/common/strings.ts';

const folder = join(import.meta.dirname, '../../src/webview');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('strings.ts'))
	// What the editor words in the same way.
	.concat('../elicitation/duration.ts')
	.map((file) => readFileSync(join(folder, file), 'utf8'))
	.join('\n');

describe('the strings of the webviews', () => {
	it('are all in use, and listed once', () => {
		expect(webviewStrings.filter((text) => !sources.includes(`'${text}'`))).toEqual([]);
		expect(new Set(webviewStrings).size).toBe(webviewStrings.length);
	});

	it('are translated where there is a translation of their own', () => {
		const t = translator({ '{0} bytes': '{0} 字节' });
		expect(t('{0} bytes', 3)).toBe('3 字节');
		expect(t('{0} rounds', 3)).toBe('3 rounds');
	});
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { localize, localizeNative, localizeSentence, nativeText } from '../../../../src/editor/common/localize.ts';
import { root } from '../../../harness/paths.mjs';

const bundle: Record<string, string> = JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.zh-cn.json'), 'utf8'));

vi.mock('vscode', () => ({
	l10n: {
		get bundle() {
			return bundle;
		},
		t: (text: string) => bundle[text] ?? text,
	},
}));

it('texts get what the editor has looked up, filled in', () => {
	expect(localize('requested by tool {0}', '{1}')).toBe('由工具 {1} 发起');
	expect(localize('uses "${{0}}", but no such folder is open.', 'workspaceFolder')).toContain('“${workspaceFolder}”');
	expect(localize('A URL template, like /users/{id}.')).toContain('/users/{id}');
	expect(localizeNative('{0} asks: {1}', 'demo', 'Go\u202e?')).toMatch(/^demo 询问：Go/);
	const inner = { text: 'At least {0} of {1} must be chosen.', args: [2, 1] };
	expect(nativeText({ text: '"{0}" is required, but no response can be valid: {1}', args: ['a', inner] })).toBe(
		'“a”为必填项，但任何响应都不可能有效：1 个选项中至少选 2 个。',
	);
	const sentence = { text: 'Also sent: {0} — no field shows them.', args: [inner] };
	expect(localizeSentence(sentence)).toMatchObject({ args: [{ text: '{1} 个选项中至少选 {0} 个。', args: [2, 1] }] });
});

import { expect, it, vi } from 'vitest';
import type { SignIns as SignInsType } from '../../../../../src/editor/servers/authorization/signIns.ts';

const box = vi.hoisted(() => {
	const listeners: (() => void)[] = [];
	return {
		isShown: false,
		onDidAccept: () => ({ dispose: () => {} }),
		onDidHide: (listener: () => void) => listeners.push(listener),
		show() {
			this.isShown = true;
		},
		hide() {
			this.isShown = false;
			for (const listener of listeners) {
				listener();
			}
		},
		dispose() {},
	};
});

vi.mock('vscode', () => ({
	commands: { executeCommand: async () => {} },
	env: { language: 'en' },
	l10n: { t: (text: string) => text, bundle: undefined },
	window: { createInputBox: () => box, registerUriHandler: () => ({ dispose: () => {} }) },
}));

const { SignIns } = await import('../../../../../src/editor/servers/authorization/signIns.ts');

it('the box for the secret of a client goes with its sign-in', async () => {
	const signIns: SignInsType = new SignIns('publisher.name', {} as never, () => 'user');
	const stop = new AbortController();
	const secret = signIns.clientSecret('guarded', 'https://login.example.com', 'mine', stop.signal);
	expect(box.isShown).toBe(true);
	stop.abort();
	expect(await secret).toBeUndefined();
	expect(box.isShown).toBe(false);
});

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

const told = vi.hoisted(() => [] as string[]);

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		env: { uiKind: 2, uriScheme: 'vscode', asExternalUri: async (uri: unknown) => uri },
		window: {
			createInputBox: () => box,
			showInformationMessage: async (text: string) => void told.push(text),
		},
	}),
);

const { UriRedirects } = await import('../../../../../src/editor/servers/authorization/uriRedirects.ts');
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

it('a sign-in that comes back when nothing waits for it any more is not passed over in silence', async () => {
	const redirects = new UriRedirects('publisher.name');
	const redirect = await redirects.open('/callback');
	const answer = redirect.answer('mine', new AbortController().signal);
	const comesBack = (query: string) => redirects.handleUri({ path: '/callback', query } as never);
	comesBack('state=mine&code=1');
	expect((await answer).get('code')).toBe('1');
	expect(told).toEqual([]);
	comesBack('state=before-the-reload&code=2');
	const text = 'No server is waiting for this sign-in. If one still needs it, start the server and sign in again.';
	expect(told).toEqual([text]);
});

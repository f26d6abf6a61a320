import { describe, expect, it } from 'vitest';
import { PendingRedirects, readQuery } from '../../../../../src/editor/servers/authorization/pendingRedirects.ts';

describe('the redirect from the browser', () => {
	const written = 'code=a%2Bb%3D%2525&iss=https%3A%2F%2Flogin.example&state=s';

	it.each([
		['with its escapes undone', decodeURIComponent(written), false],
		['as it was written', written, true],
	])('is read %s', (_how, query, encoded) => {
		expect(Object.fromEntries(readQuery(query, encoded))).toEqual({
			code: 'a+b=%25',
			iss: 'https://login.example',
			state: 's',
		});
	});

	it('completes the pending sign-in, once', async () => {
		const answers = new PendingRedirects();
		const { signal } = new AbortController();
		const [first, second] = [answers.wait('one', signal), answers.wait('two', signal)];
		expect(answers.take(new URLSearchParams('state=guessed'))).toBe(false);
		expect(answers.take(new URLSearchParams('code=1'))).toBe(false);
		expect(answers.take(new URLSearchParams('state=two&code=2'))).toBe(true);
		expect((await second).get('code')).toBe('2');
		expect(answers.take(new URLSearchParams('state=two&code=3'))).toBe(false);
		expect(answers.take(new URLSearchParams('state=one&code=1'))).toBe(true);
		expect((await first).get('code')).toBe('1');
	});

	it('is ignored if no sign-in is pending', async () => {
		const answers = new PendingRedirects();
		const stop = new AbortController();
		const waiting = answers.wait('one', stop.signal);
		stop.abort('stopped');
		await expect(waiting).rejects.toBe('stopped');
		expect(answers.take(new URLSearchParams('state=one'))).toBe(false);
		await expect(answers.wait('two', stop.signal)).rejects.toBe('stopped');
	});
});

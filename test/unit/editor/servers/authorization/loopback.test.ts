import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Redirect } from '../../../../../src/mcp/index.ts';

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({ env: { asExternalUri: async (uri: unknown) => uri } }),
);

const { env } = await import('vscode');
const { SignIns } = await import('../../../../../src/editor/servers/authorization/signIns.ts');
const { loopbackRedirect } = await import('../../../../../src/editor/servers/authorization/loopback.ts');

let redirect: Redirect;
const faults: unknown[] = [];
const note = (error: unknown) => void faults.push(error);

beforeEach(async () => {
	faults.length = 0;
	// In the extension host an uncaught error would affect all extensions.
	process.on('uncaughtExceptionMonitor', note);
	redirect = await loopbackRedirect('/callback', undefined, []);
});

afterEach(() => {
	process.off('uncaughtExceptionMonitor', note);
	redirect.dispose();
});

/** Sends the bytes and returns the status of the response; undefined if the connection was closed without one. */
async function statusOf(bytes: Buffer | string): Promise<string | undefined> {
	const socket = connect(Number(new URL(redirect.url).port), '127.0.0.1');
	await once(socket, 'connect');
	const chunks: Buffer[] = [];
	socket.on('data', (chunk) => chunks.push(chunk));
	socket.on('error', () => {});
	socket.end(bytes);
	await once(socket, 'close');
	return /^HTTP\/1\.1 (\d+)/.exec(Buffer.concat(chunks).toString('latin1'))?.[1];
}

const request = (line: string) => `${line}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;

/** Pseudo-random numbers, the same in every run. */
function numbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

describe('the listener of a sign-in', () => {
	it.each([
		['GET // HTTP/1.1', '404'],
		['GET //callback HTTP/1.1', '404'],
		['GET / HTTP/1.1', '404'],
		['GET * HTTP/1.1', '404'],
		['GET /callback/ HTTP/1.1', '404'],
		['GET http://[ HTTP/1.1', '404'],
		['GET http://evil.example/callback?state=a HTTP/1.1', '404'],
		['GET /\\\\:99999 HTTP/1.1', '404'],
		['POST /callback?state=a HTTP/1.1', '404'],
		['HEAD /callback?state=a HTTP/1.1', '404'],
		['GET /callback HTTP/1.1', '400'],
		['GET /callback?% HTTP/1.1', '400'],
		['GET /callback?state=guessed&code=%ff%00 HTTP/1.1', '400'],
		['GET', '400'],
		['\0\0 // HTTP/9', '400'],
	])('answers %j with %s and throws nothing', async (line, status) => {
		expect(await statusOf(request(line))).toBe(status);
		expect(faults).toEqual([]);
	});

	it('responds to anything with 400, 404 or not at all, and never throws', async () => {
		const random = numbers(17);
		const pieces = [
			'GET',
			' ',
			'/',
			'//',
			'?',
			'#',
			':',
			'@',
			'[',
			']',
			'%',
			'\\',
			'http:',
			'callback',
			'state=',
			'\0',
			'*',
		];
		const some = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
		const seen = new Set<string | undefined>();
		for (let round = 0; round < 300; round++) {
			const target = Array.from({ length: 1 + Math.floor(random() * 8) }, () => some(pieces)).join('');
			const noise = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 40) }, () => random() * 256));
			seen.add(
				await statusOf(round % 3 === 0 ? noise : request(`GET ${round % 3 === 1 ? '/' : ''}${target} HTTP/1.1`)),
			);
		}
		expect([...seen].filter((status) => status !== undefined).sort()).toEqual(['400', '404']);
		expect(faults).toEqual([]);
	});

	it('ends where the browser could not reach it', async () => {
		redirect.dispose();
		const port = Number(new URL(redirect.url).port);
		vi.spyOn(env, 'asExternalUri').mockRejectedValueOnce(new Error('No port was forwarded.'));
		await expect(loopbackRedirect('/callback', port, [])).rejects.toThrow('No port was forwarded.');
		redirect = await loopbackRedirect('/callback', port, []);
	});

	it('still accepts the redirect of the pending sign-in', async () => {
		const waiting = redirect.answer('mine', new AbortController().signal);
		expect(await statusOf(request('GET // HTTP/1.1'))).toBe('404');
		expect(
			await statusOf(request('GET /callback?code=a%2Bb?c&state=mine&iss=https%3A%2F%2Flogin.example HTTP/1.1')),
		).toBe('200');
		expect(Object.fromEntries(await waiting)).toEqual({ code: 'a+b?c', state: 'mine', iss: 'https://login.example' });
	});
});

describe('the redirect URI', () => {
	const signIns = new SignIns('publisher.name', {} as never, () => '');
	const pathFor = async (issuer: string, oauth: object = {}) => {
		const { url, dispose } = await signIns.redirect({ oauth } as never, issuer, []);
		dispose();
		return new URL(url).pathname;
	};

	it('differs between issuers and stays the same for one issuer', async () => {
		const first = await pathFor('https://one.example');
		expect(first).toMatch(/^\/callback\/[0-9a-f]{16}$/);
		expect(await pathFor('https://two.example')).not.toBe(first);
		expect(await pathFor('https://one.example')).toBe(first);
	});

	it('is the registered one for a client registered by the user', async () => {
		expect(await pathFor('https://one.example', { clientId: 'mine' })).toBe('/callback');
	});

	it('rejects redirects for another issuer', async () => {
		const other = await loopbackRedirect('/callback/other', undefined, []);
		const stop = new AbortController();
		const waiting = other.answer('mine', stop.signal);
		const { origin } = new URL(other.url);
		expect((await fetch(`${origin}/callback?state=mine&code=1`)).status).toBe(404);
		expect((await fetch(`${origin}/callback/other?state=mine&code=2`)).status).toBe(200);
		expect((await waiting).get('code')).toBe('2');
		other.dispose();
	});
});

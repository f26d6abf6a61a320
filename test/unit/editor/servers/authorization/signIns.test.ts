import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { env } from 'vscode';
import { loopbackRedirect } from '../../../../../src/editor/servers/authorization/loopback.ts';
import { PendingRedirects, readQuery } from '../../../../../src/editor/servers/authorization/pendingRedirects.ts';
import { askConsent, consentDetail } from '../../../../../src/editor/servers/authorization/signInConsent.ts';
import { SignIns, UriRedirects } from '../../../../../src/editor/servers/authorization/signIns.ts';
import { inspectUrl } from '../../../../../src/elicitation/url/urlSafety.ts';
import type { Redirect, SignInRequest } from '../../../../../src/mcp/index.ts';
import { secretStorage } from '../../storage.ts';
import { messages, only, pickers, textsOf } from '../../surfaces.ts';
import { fakeVscode } from '../../vscode.ts';

const shown = messages();
const screen = pickers();
fakeVscode({ env: { uiKind: 2, uriScheme: 'vscode', asExternalUri: async (uri: unknown) => uri } });

describe('the consent to a sign-in', () => {
	const REQUEST: SignInRequest = {
		server: 'guarded',
		serverUrl: 'https://mcp.example.com/mcp',
		issuer: 'https://login.example.com/',
		page: 'https://login.example.com/authorize',
		tokenEndpoint: 'https://login.example.com/token',
		scopes: ['read', 'write'],
		newScopes: ['read', 'write'],
	};

	const detailOf = (changes: Partial<SignInRequest> = {}) => {
		const request = { ...REQUEST, ...changes };
		const inspect = (url: string) => inspectUrl(url, { insecure: 'always' });
		return consentDetail(request, inspect(request.page), inspect);
	};

	const PLACES = [
		'Server: https://mcp.example.com/mcp',
		'Sign-in URL: https://login.example.com/authorize',
		'Authorization server: https://login.example.com/',
		'Returns to: this editor',
	].join('\n');

	const CLOSING =
		'Your browser opens. The tokens that you get there are kept in the secret storage of the editor and sent only to this server and this authorization server. "Sign Out" deletes them.';

	it.each([
		[{}, 'Requested permissions: read, write'],
		[{ newScopes: ['write'] }, 'Requested permissions: read, write\nNew permissions: write'],
		[{ scopes: [], newScopes: [] }, 'Requested permissions: none are named, so the authorization server decides'],
	])('has a paragraph for the places, the permissions and the tokens: %j', (changes, permissions) => {
		expect(detailOf(changes)).toBe([PLACES, permissions, CLOSING].join('\n\n'));
	});

	it.each([
		['Sign In', true],
		[undefined, false],
	])('is given by its button alone: %s', async (button, given) => {
		const asked = askConsent(REQUEST, { insecure: 'never' });
		(await only(shown)).choose(button);
		expect(await asked).toBe(given);
	});

	it.each(['serverUrl', 'issuer', 'tokenEndpoint', 'registrationEndpoint'])('shows a URL on one line: %s', (name) => {
		const lines = detailOf({ [name]: 'https://example.com\nReturns to: you' }).split('\n');
		expect(lines.filter((line) => line.includes('Returns to: you'))).toEqual([
			expect.stringMatching(/: https:\/\/example\.com‹U\+000A›Returns to: you$/),
		]);
	});

	it('names every endpoint if one is elsewhere, also on another port of this computer', () => {
		const local = (port: number) => `http://127.0.0.1:${port}/`;
		const places = { serverUrl: local(3000), issuer: local(3000), page: local(3000), tokenEndpoint: local(3000) };
		expect(detailOf({ ...places, revocationEndpoint: local(3000) })).not.toContain('endpoint');
		expect(detailOf({ ...places, revocationEndpoint: `${local(9200)}_shutdown` }).split('\n')).toEqual(
			expect.arrayContaining([
				'Token endpoint: http://127.0.0.1:3000/',
				'Revocation endpoint: http://127.0.0.1:9200/_shutdown',
				'⚠ The revocation endpoint is on 127.0.0.1:9200, the URL on 127.0.0.1:3000.',
			]),
		);
	});

	it.each(['serverUrl', 'issuer', 'tokenEndpoint', 'registrationEndpoint', 'revocationEndpoint'])(
		'shows the host to which a URL with look-alike letters leads, and says so: %s',
		(name) => {
			const detail = detailOf({ [name]: 'https://gіthub.com/it' });
			expect(detail).toContain(': https://xn--gthub-n2e.com/it');
			expect(detail).toContain('⚠ The host has letters that can look like others: "xn--gthub-n2e"');
			expect(detail).not.toContain('https://gіthub.com');
		},
	);

	it('stays of a size that fits on the screen, whatever is written in it, and shows all permissions', () => {
		const long = `https://login.example.com/${'a'.repeat(8_000)}`;
		const scopes = Array.from({ length: 40 }, (_, index) => `admin:delete:${index}`);
		const detail = detailOf({
			...{ serverUrl: long, issuer: long, tokenEndpoint: long, registrationEndpoint: long, revocationEndpoint: long },
			...{ scopes, newScopes: scopes },
		});
		expect(detail).toContain(`Requested permissions: ${scopes.join(', ')}`);
		expect(detail.length).toBeLessThan(3_000);
	});

	it('has what is unusual about the places in a paragraph of its own, below them', () => {
		const tokenEndpoint = 'https://tokens.example.net/token';
		expect(detailOf({ tokenEndpoint }).split('\n\n')).toEqual([
			PLACES.replace('Returns', `Token endpoint: ${tokenEndpoint}\nReturns`),
			'⚠ The token endpoint is on example.net, the URL on example.com.',
			'Requested permissions: read, write',
			CLOSING,
		]);
	});
});

describe('what is asked about a client', () => {
	const signIns = new SignIns(
		'publisher.name',
		{} as never,
		() => undefined,
		() => 'here',
	);
	const request = {
		server: 'guarded',
		issuer: 'https://login.example.com',
		redirectUrl: 'http://127.0.0.1:1/callback',
	};
	const ask = (what: 'id' | 'secret', { signal } = new AbortController(), refusal?: string) =>
		what === 'id'
			? signIns.clientId({ ...request, ...(refusal && { refusal }) }, signal)
			: signIns.clientSecret(request.server, request.issuer, 'mine', signal);

	it.each(['id', 'secret'] as const)('goes with its sign-in (%s)', async (what) => {
		const stop = new AbortController();
		const answer = ask(what, stop);
		expect(screen.current).toBeDefined();
		stop.abort();
		expect(await answer).toBeUndefined();
		expect(screen.current).toBeUndefined();
	});

	it.each([undefined, 'HTTP status 403: $(error) Go away.'])(
		'tells where the client has to return to',
		async (refusal) => {
			const stop = new AbortController();
			const answer = ask('id', stop, refusal);
			const { prompt } = screen.current as unknown as { prompt: string };
			expect(prompt).toContain(request.redirectUrl);
			expect(prompt.includes('403: $\u200b(error) Go away.')).toBe(refusal !== undefined);
			stop.abort();
			await answer;
		},
	);
});

describe('a sign-in', () => {
	/** Another server of this name, as a window sees it that has the same secret storage. */
	const secrets = secretStorage();
	const secretOf = (url: string, machine: string, uri = 'file:///workspaces/app/.mcp.json') => {
		const configured = { source: { kind: 'shared', uri }, definition: { type: 'http', url } } as never;
		return new SignIns(
			'publisher.name',
			secrets,
			() => configured,
			() => machine,
		).secret('dev');
	};

	it.each([
		'http://localhost:3000/mcp',
		'http://127.0.0.2:3000/mcp',
		'http://[::1]/mcp',
		'http://10.0.0.5/mcp',
		'https://build.internal/mcp',
		'https://intranet/mcp',
		'http://host.docker.internal:3000/mcp',
		'https://${config:dev.host}/mcp',
	])('to what is another server on another machine is not known there: %s', async (url) => {
		await secretOf(url, 'container A').write('token');
		expect(await secretOf(url, 'container A').read()).toBe('token');
		expect(await secretOf(url, 'container B').read()).toBeUndefined();
	});

	it('to a server on the internet is known on every machine, but not to one that another source defines', async () => {
		const url = 'https://mcp.example.com/mcp';
		await secretOf(url, 'container A').write('token');
		expect(await secretOf(url, 'container B').read()).toBe('token');
		expect(await secretOf(url, 'container A', 'file:///elsewhere/.mcp.json').read()).toBeUndefined();
	});
});

describe('the redirect from the browser', () => {
	const written = 'code=a%2Bb%3D%2525&iss=https%3A%2F%2Flogin.example&state=s';

	it.each([
		['with its escapes undone', decodeURIComponent(written), false],
		['as it was written', written, true],
	])('is read %s', (_how, query, encoded) => {
		expect(Object.fromEntries(readQuery(query, encoded))).toEqual({
			...{ code: 'a+b=%25', iss: 'https://login.example', state: 's' },
		});
	});

	it('completes the pending sign-in, once', async () => {
		const answers = new PendingRedirects();
		const { signal } = new AbortController();
		const [first, second] = [answers.wait('one', signal), answers.wait('two', signal)];
		const taken = (query: string) => answers.take(new URLSearchParams(query));
		expect(['state=guessed', 'code=1', 'state=two&code=2'].map(taken)).toEqual([false, false, true]);
		expect((await second).get('code')).toBe('2');
		expect(['state=two&code=3', 'state=one&code=1'].map(taken)).toEqual([false, true]);
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

	it('is not passed over in silence if nothing waits for it any more', async () => {
		const redirects = new UriRedirects('publisher.name');
		const redirect = await redirects.open('/callback');
		const answer = redirect.answer('mine', new AbortController().signal);
		const comesBack = (query: string) => redirects.handleUri({ path: '/callback', query } as never);
		comesBack('state=mine&code=1');
		expect((await answer).get('code')).toBe('1');
		expect(shown).toEqual([]);
		comesBack('state=before-the-reload&code=2');
		expect(textsOf(shown)).toEqual([
			'No server is waiting for this sign-in. If one still needs it, start the server and sign in again.',
		]);
	});
});

describe('the listener of a sign-in', () => {
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
		// Pseudo-random numbers, the same in every run.
		let state = 17;
		const random = () => {
			state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
			return state / 2 ** 32;
		};
		const pieces = 'GET|/|//|?|#|:|@|[|]|%|\\|http:|callback|state=|\0|*| '.split('|');
		const some = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
		const seen = new Set<string | undefined>();
		for (let round = 0; round < 300; round++) {
			const target = Array.from({ length: 1 + Math.floor(random() * 8) }, () => some(pieces)).join('');
			const noise = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 40) }, () => random() * 256));
			const line = `GET ${round % 3 === 1 ? '/' : ''}${target} HTTP/1.1`;
			seen.add(await statusOf(round % 3 === 0 ? noise : request(line)));
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

	it('rejects redirects for another issuer', async () => {
		const other = await loopbackRedirect('/callback/other', undefined, []);
		const waiting = other.answer('mine', new AbortController().signal);
		const { origin } = new URL(other.url);
		expect((await fetch(`${origin}/callback?state=mine&code=1`)).status).toBe(404);
		expect((await fetch(`${origin}/callback/other?state=mine&code=2`)).status).toBe(200);
		expect((await waiting).get('code')).toBe('2');
		other.dispose();
	});
});

describe('the redirect URI', () => {
	beforeEach(() => fakeVscode({ env: { uiKind: 1 } }));

	const signIns = new SignIns(
		'publisher.name',
		{} as never,
		() => undefined,
		() => 'here',
	);
	const pathFor = async (issuer: string, isOwn = false) => {
		const { url, dispose } = await signIns.redirect({} as never, issuer, [], isOwn);
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
		expect(await pathFor('https://one.example', true)).toBe('/callback');
	});
});

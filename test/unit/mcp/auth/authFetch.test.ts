import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import type { HttpDefinition } from '../../../../src/config/definition.ts';
import { authFetch } from '../../../../src/mcp/auth/authFetch.ts';
import { serving } from '../rawServerSteps.ts';
import { define } from '../testClient.ts';

/** The origin of a server, and the requests that it has got. */
async function watched(respond: (request: IncomingMessage, response: ServerResponse) => void) {
	const seen: IncomingMessage[] = [];
	const origin = await serving((request, response) => {
		seen.push(request);
		respond(request, response);
	});
	return { origin, seen };
}

const redirecting = (status: number, location: () => string) =>
	watched((request, response) => {
		if (request.url === '/here') response.writeHead(status, { location: location() }).end();
		else response.end('ours');
	});

function fetchFor(origin: string) {
	return authFetch(define('it', { url: `${origin}/mcp`, headers: { 'X-Key': 'planted' } }) as HttpDefinition);
}

it('follows no redirect to an address that the server could not have named', async () => {
	const { origin } = await redirecting(302, () => 'http://10.0.0.1/latest');
	await expect(fetchFor(origin)(`${origin}/here`)).rejects.toThrow(
		'The server names http://10.0.0.1, which is not a safe address for signing in.',
	);
});

it('takes the configured headers to no other origin that the server redirects to', async () => {
	const other = await watched((_request, response) => response.end('theirs'));
	const { origin, seen } = await redirecting(302, () => `${other.origin}/.well-known/openid-configuration`);
	expect(await (await fetchFor(origin)(`${origin}/here`)).text()).toBe('theirs');
	expect(seen[0]?.headers['x-key']).toBe('planted');
	expect(other.seen.map(({ url, headers }) => [url, headers['x-key']])).toEqual([
		['/.well-known/openid-configuration', undefined],
	]);
});

it('follows a redirect on the same origin, with the headers and the body', async () => {
	const { origin, seen } = await redirecting(308, () => '/there');
	expect(await (await fetchFor(origin)(`${origin}/here`, { method: 'POST', body: 'x' })).text()).toBe('ours');
	expect(seen.map(({ method, url, headers }) => [method, url, headers['x-key']])).toEqual([
		['POST', '/here', 'planted'],
		['POST', '/there', 'planted'],
	]);
});

it('follows no redirect that leads nowhere', async () => {
	const { origin, seen } = await redirecting(308, () => '');
	expect((await fetchFor(origin)(`${origin}/here`, { method: 'POST', body: 'x' })).status).toBe(308);
	expect(seen).toHaveLength(1);
});

it('sends nothing that is posted to another origin', async () => {
	const other = await watched((_request, response) => response.end('theirs'));
	const { origin } = await redirecting(307, () => other.origin);
	expect((await fetchFor(origin)(`${origin}/here`, { method: 'POST', body: 'x' })).status).toBe(307);
	expect(other.seen).toEqual([]);
});

it('ends after a few redirects', async () => {
	const { origin, seen } = await redirecting(302, () => '/here');
	expect((await fetchFor(origin)(`${origin}/here`)).status).toBe(302);
	expect(seen.length).toBeLessThan(10);
});

it('takes the headers of the request, before those of the configuration', async () => {
	const { origin, seen } = await redirecting(302, () => '/there');
	await fetchFor(origin)(`${origin}/there`, { headers: { 'x-key': 'its own', accept: 'application/json' } });
	expect([seen[0]?.headers['x-key'], seen[0]?.headers.accept]).toEqual(['its own', 'application/json']);
});

it('follows no redirect where the request says so', async () => {
	const { origin, seen } = await redirecting(302, () => '/there');
	await expect(fetchFor(origin)(`${origin}/here`, { redirect: 'error' })).rejects.toThrow();
	expect(seen).toHaveLength(1);
});

it.each(['http://127.0.0.1:9', 'http://localhost:9', 'http://intranet.example', 'ftp://ftp.example'])(
	'goes to %s for no server elsewhere',
	async (origin) => {
		await expect(fetchFor('https://server.example')(`${origin}/token`)).rejects.toThrow(
			`The server names ${new URL(origin).origin}, which is not a safe address for signing in.`,
		);
	},
);

const sent = { code: 'code-1', code_verifier: 'verifier-1', client_secret: 'secret-1', refresh_token: 'refresh-1' };

/** Posts a token request, which gets that response. */
async function posted(status: number, body: string, headers: Record<string, string> = {}) {
	const { origin } = await watched((_request, response) => response.writeHead(status).end(body));
	const form = new URLSearchParams({ grant_type: 'authorization_code', ...sent });
	return fetchFor(origin)(`${origin}/token`, { method: 'POST', headers, body: form });
}

it.each([200, 400, 401])('leaves out of an error what was sent in secret (%i)', async (status) => {
	const authorization = `Basic ${btoa('client:basic:1')}`;
	const error = JSON.stringify({ error: 'x', access_token: null, error_description: `${Object.values(sent)} basic:1` });
	await expect(posted(status, error, { authorization })).rejects.toMatchObject({
		status,
		error: { code: 'x', description: '…,…,…,… …' },
	});
});

it('follows a redirect of a token request on the same origin', async () => {
	const tokens = JSON.stringify({ access_token: 'access-1', token_type: 'Bearer' });
	const { origin } = await watched(({ url }, response) =>
		url === '/token' ? response.writeHead(308, { location: '/there' }).end() : response.end(tokens),
	);
	const body = new URLSearchParams({ grant_type: 'authorization_code', ...sent });
	expect(await (await fetchFor(origin)(`${origin}/token`, { method: 'POST', body })).text()).toBe(tokens);
});

it('reads of tokens what is needed, also where the refresh token stays the same', async () => {
	const tokens = { access_token: 'access-1', token_type: 'Bearer', refresh_token: 'refresh-1' };
	const others = { scope: null, expires_in: '', id_token: 7, token_type: null };
	expect(await (await posted(200, JSON.stringify({ ...tokens, ...others }))).json()).toEqual(tokens);
});

it.each(['<h1>Bad gateway</h1>', '', '{"access_token":1}', 'null'])('takes %j for no response to it', async (body) => {
	await expect(posted(502, body)).rejects.toThrow('HTTP status 502');
});

describe('before the user has agreed to anything', () => {
	const DOCUMENT = '/.well-known/oauth-protected-resource';

	/** Whether what a server names is fetched. */
	async function isFetched(server: string, target: string, init: RequestInit = {}): Promise<boolean> {
		const sent = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}'));
		await authFetch(define('it', { url: server }) as HttpDefinition)(target, init).catch(() => {});
		const { length } = sent.mock.calls;
		sent.mockRestore();
		return length > 0;
	}

	const LOCAL = 'http://127.0.0.1:3000/mcp';
	const PRIVATE = 'http://10.1.1.1/mcp';
	const PUBLIC = 'https://mcp.example.com/mcp';

	it.each([
		[PUBLIC, 'https://login.example.net'],
		[PUBLIC, 'https://8.8.8.8:8443'],
		[PRIVATE, 'https://10.0.0.5'],
		[PRIVATE, 'https://sso.corp'],
		[PRIVATE, 'https://login.example.net'],
		[LOCAL, 'http://127.0.0.1:9000'],
		[LOCAL, 'http://localhost:9000'],
		[LOCAL, 'https://login.example.net'],
		[LOCAL, 'https://10.0.0.5'],
		['http://0.0.0.0:3000/mcp', 'http://127.0.0.1:9000'],
	])('%s leads to the metadata of %s', async (server, origin) => {
		expect(await isFetched(server, origin + DOCUMENT)).toBe(true);
	});

	it.each([
		[PUBLIC, 'https://10.0.0.5'],
		[PUBLIC, 'https://192.168.1.1'],
		[PUBLIC, 'https://router.lan'],
		[PUBLIC, 'https://intranet'],
		[PUBLIC, 'https://[fd12::1]'],
		[PUBLIC, 'https://localhost:8443'],
		[PUBLIC, 'https://2130706433'],
		[PUBLIC, 'https://[::ffff:10.0.0.5]'],
		[PUBLIC, 'http://login.example.net'],
		[PRIVATE, 'https://127.0.0.1:9200'],
		[PRIVATE, 'http://sso.corp'],
		// What is nobody's sign-in, not even for a server that stands there.
		...[LOCAL, PRIVATE, PUBLIC, 'http://169.254.3.4/mcp'].flatMap((server) => [
			[server, 'https://169.254.169.254'],
			[server, 'https://metadata.google.internal'],
			[server, 'https://169.254.1.1'],
			[server, 'https://[fe80::1]'],
			[server, 'https://0.0.0.0'],
		]),
		['http://169.254.3.4/mcp', 'https://127.0.0.1:9200'],
	] as [string, string][])('%s does not lead to %s', async (server, origin) => {
		expect(await isFetched(server, origin + DOCUMENT)).toBe(false);
		expect(await isFetched(server, `${origin}/token`, { method: 'POST', body: 'x' })).toBe(false);
	});

	it.each([
		'/.well-known/oauth-protected-resource/mcp',
		'/.well-known/oauth-authorization-server/tenant/1',
		'/.well-known/openid-configuration',
		'/tenant/1/.well-known/openid-configuration',
	])('metadata are fetched from %s of another host', async (path) => {
		expect(await isFetched(PUBLIC, `https://login.example.net${path}`)).toBe(true);
		expect(await isFetched(LOCAL, `http://127.0.0.1:9000${path}`)).toBe(true);
	});

	it.each([
		'/_shutdown',
		'/admin/delete?id=1',
		'/.well-known/oauth-protected-resource?id=1',
		'/.well-known/change-password',
		'/.well-known/oauth-protected-resource/../../admin',
		'/.well-known/openid-configuration.php',
		'/%2ewell-known/openid-configuration',
	])('nothing is fetched from %s of another host, and all of its own', async (path) => {
		expect(await isFetched(PUBLIC, `https://login.example.net${path}`)).toBe(false);
		expect(await isFetched(LOCAL, `http://127.0.0.1:9200${path}`)).toBe(false);
		for (const server of [PUBLIC, LOCAL]) {
			expect(await isFetched(server, new URL(path, server).href)).toBe(true);
		}
	});
});

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { HttpDefinition } from '../../../../src/config/definition.ts';
import { authFetch } from '../../../../src/mcp/auth/authFetch.ts';
import { define } from '../testClient.ts';

const stops: (() => void)[] = [];

afterEach(() => {
	for (const stop of stops.splice(0)) stop();
});

/** The origin of a server, and the requests that it has got. */
async function serving(respond: (request: IncomingMessage, response: ServerResponse) => void) {
	const seen: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		seen.push(request);
		respond(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	stops.push(() => server.close().closeAllConnections());
	return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const redirecting = (status: number, location: () => string) =>
	serving((request, response) => {
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
	const other = await serving((_request, response) => response.end('theirs'));
	const { origin, seen } = await redirecting(302, () => `${other.origin}/there`);
	expect(await (await fetchFor(origin)(`${origin}/here`)).text()).toBe('theirs');
	expect(seen[0]?.headers['x-key']).toBe('planted');
	expect(other.seen.map(({ url, headers }) => [url, headers['x-key']])).toEqual([['/there', undefined]]);
});

it('follows a redirect on the same origin, with the headers and the body', async () => {
	const { origin, seen } = await redirecting(308, () => '/there');
	expect(await (await fetchFor(origin)(`${origin}/here`, { method: 'POST', body: 'x' })).text()).toBe('ours');
	expect(seen.map(({ method, url, headers }) => [method, url, headers['x-key']])).toEqual([
		['POST', '/here', 'planted'],
		['POST', '/there', 'planted'],
	]);
});

it('sends nothing that is posted to another origin', async () => {
	const other = await serving((_request, response) => response.end('theirs'));
	const { origin } = await redirecting(307, () => other.origin);
	expect((await fetchFor(origin)(`${origin}/here`, { method: 'POST', body: 'x' })).status).toBe(307);
	expect(other.seen).toEqual([]);
});

it('ends after a few redirects', async () => {
	const { origin, seen } = await redirecting(302, () => '/here');
	expect((await fetchFor(origin)(`${origin}/here`)).status).toBe(302);
	expect(seen.length).toBeLessThan(10);
});

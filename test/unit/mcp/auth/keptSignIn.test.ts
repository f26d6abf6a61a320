import { InsufficientScopeError } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import type { HttpDefinition } from '../../../../src/config/definition.ts';
import { Authorization } from '../../../../src/mcp/auth/auth.ts';
import { shown } from '../testClient.ts';
import {
	anotherIssuer,
	anotherWindow,
	authorization,
	connect,
	definition,
	demand,
	failure,
	forEver,
	Guest,
	grants,
	guest,
	here,
	holdTokens,
	meet,
	server,
	soon,
	useSignIns,
	whoami,
} from './signIns.ts';

useSignIns();

describe('a sign-in that is kept', () => {
	it('is renewed silently, with its scopes, and once, however many calls are refused: a renewal is good for one time', async () => {
		const connection = await connect();
		await connection.callTool('write', {});
		expect(guest.requests).toHaveLength(2);
		authorization.expire('access');
		await Promise.all(Array.from({ length: 5 }, () => whoami(connection)));
		authorization.expire('access');
		await connection.callTool('write', {});
		expect(guest.requests).toHaveLength(2);
		expect(grants().slice(2)).toEqual(['refresh_token', 'refresh_token']);
		expect(authorization.seen.tokens.map(({ resource }) => resource)).toEqual(Array(4).fill(server.url));
	});

	it('serves another window without asking, is taken over as one has renewed it, and stays when both renew it at once', async () => {
		const next = anotherWindow();
		const connections = [await connect(), await connect({}, next)] as const;
		authorization.expire('access');
		for (const connection of connections.toReversed()) {
			expect(shown(await whoami(connection))).toMatchObject({ tool: 'whoami' });
		}
		expect(grants()).toEqual(['authorization_code', 'refresh_token']);
		authorization.expire('access');
		const release = holdTokens();
		const results = connections.map(whoami);
		await soon(() => expect(grants()).toHaveLength(4));
		release();
		expect(await Promise.all(results)).toHaveLength(2);
		expect([guest.requests.length, authorization.seen.registrations.length]).toEqual([1, 1]);
	});

	it.each([502, 503, 429])('outlives an outage of the authorization server (status %i)', async (status) => {
		const connection = await connect();
		authorization.expire('access');
		authorization.behavior.outage = status;
		await expect(whoami(connection)).rejects.toThrow(
			`guarded: The authorization server for ${server.url} gave no token, but responded with HTTP status ${status}. ` +
				'Try again later. If the problem persists, sign out, then start the server to sign in again.',
		);
		authorization.behavior.outage = 0;
		expect(shown(await whoami(connection))).toMatchObject({ tool: 'whoami' });
		expect(guest.requests).toHaveLength(1);
	});

	it.each([
		['invalid_grant', 2],
		['bad_refresh_token', 2],
		['temporarily_unavailable', 1],
	])('is asked for again only after an error that ends it (%s)', async (error, asked) => {
		const connection = await connect();
		authorization.expire('access');
		guest.willing = false;
		authorization.behavior.tokenRefusal = error;
		await expect(whoami(connection)).rejects.toThrow(
			asked === 1
				? 'The authorization server refused the sign-in (temporarily_unavailable): No.'
				: 'You did not sign in',
		);
		expect(guest.requests).toHaveLength(asked);
	});

	it.each([
		['what the authorization server says that it granted', true, 'read'],
		['what was requested, where it does not say', false, 'read write'],
	])('is renewed for %s', async (_what, says, scope) => {
		await demand({ requiredScopes: ['read', 'write'] });
		authorization.behavior.edit = (to, _request, { status, body: { scope: _granted, ...body } }) => ({
			status,
			body: { ...body, ...(says && to.endsWith('/token') && { scope: 'read' }) },
		});
		const { verifyAccessToken } = authorization.verifier;
		authorization.verifier.verifyAccessToken = async (token) => ({
			...(await verifyAccessToken(token)),
			scopes: ['read', 'write'],
		});
		const connection = await connect();
		for (const _renewal of [1, 2]) {
			authorization.expire('access');
			await whoami(connection);
		}
		expect(authorization.seen.tokens.slice(1).map((request) => request.scope)).toEqual([scope, scope]);
		expect(guest.requests).toHaveLength(1);
	});

	it.each([
		['invalid_request', () => Object.assign(authorization.behavior, { tokenRefusal: 'invalid_request' })],
		['HTTP status 404', () => Object.assign(authorization.behavior, { outage: 404 })],
	])('that is refused for another reason says so, and is asked for at the next call (%s)', async (why, refuse) => {
		const connection = await connect();
		authorization.expire('access');
		refuse();
		const error = await whoami(connection).catch((reason) => reason);
		expect(error).toMatchObject({ signIn: true, message: expect.stringContaining(why) });
		expect(error.message).toMatch(/ Sign in again\.$/);
		Object.assign(authorization.behavior, { tokenRefusal: '', outage: 0 });
		expect(shown(await whoami(connection))).toMatchObject({ tool: 'whoami' });
		expect(guest.requests).toHaveLength(2);
	});

	it('that has expired prompts again: once, however many calls are refused', async () => {
		const connection = await connect();
		authorization.expire('access', 'refresh');
		const results = await Promise.all(Array.from({ length: 5 }, () => whoami(connection)));
		expect(results).toHaveLength(5);
		expect(guest.requests).toHaveLength(2);
		expect(authorization.seen.registrations).toHaveLength(1);
	});

	it('means nothing for the same name with another address', async () => {
		await connect();
		await demand();
		await connect();
		expect(guest.requests).toHaveLength(2);
		expect(server.requests[0]).not.toHaveProperty('authorization');
	});

	it('means nothing for another client', async () => {
		await connect();
		authorization.clients.set('mine', undefined);
		await connect({ oauth: { clientId: 'mine' } });
		expect(guest.requests).toHaveLength(2);
		expect(authorization.seen.pages[1]?.client_id).toBe('mine');
	});

	it('means nothing to another authorization server', async () => {
		const connection = await connect();
		const other = await anotherIssuer();
		server.trust.authorization = other;
		await whoami(connection);
		const words = JSON.stringify(other.seen);
		for (const known of [...authorization.clients.keys(), ...authorization.seen.tokens.map(({ code }) => code)]) {
			expect(words).not.toContain(known);
		}
		expect(other.seen.tokens.map(({ grant_type }) => grant_type)).toEqual(['authorization_code']);
		expect(connection.signedInAt).toBe(other.issuer);
	});

	it('is not replaced by one elsewhere while the server does not say where to sign in', async () => {
		const connection = await connect();
		authorization.expire('access');
		server.silence.status = 503;
		await expect(whoami(connection)).rejects.toThrow(
			/^guarded: \S+\/\.well-known\/oauth-protected-resource\/mcp responded with HTTP status 503\. Try again later\. /,
		);
		server.silence.status = 0;
		await whoami(connection);
		expect(guest.requests).toHaveLength(1);
	});

	it.each([408, 429, 502, 503])(
		'is not begun or renewed elsewhere while the authorization server is out of order (%i)',
		async (status) => {
			const told = `guarded: ${authorization.issuer}/.well-known/oauth-authorization-server responded with HTTP status ${status}.`;
			authorization.behavior.metadataOutage = status;
			expect(await failure()).toBe(`${told} Start the server to sign in.`);
			authorization.behavior.metadataOutage = 0;
			const connection = await connect();
			authorization.expire('access');
			authorization.behavior.metadataOutage = status;
			await expect(whoami(connection)).rejects.toThrow(`${told} Try again later. `);
			authorization.behavior.metadataOutage = 0;
			await whoami(connection);
			expect(guest.requests).toHaveLength(1);
		},
	);

	it('is forgotten and taken back when the user signs out', async () => {
		const connection = await connect();
		const kept = [...guest.secrets.values()].join();
		await connection.signOut();
		expect(connection).toMatchObject({ state: 'stopped', signedInAt: undefined });
		expect(guest.secrets.size).toBe(0);
		// It ends the sign-in with all of its tokens.
		expect(authorization.seen.revoked).toEqual([expect.stringMatching(/^refresh-/)]);
		expect(kept).toContain(authorization.seen.revoked[0]);
		await connection.start();
		expect(guest.requests).toHaveLength(2);
	});

	it('is taken back as another window has renewed it when the user signs out', async () => {
		const next = anotherWindow();
		const connection = await connect();
		const other = await connect({}, next);
		authorization.expire('access');
		await whoami(other);
		const kept = [...guest.secrets.values()].join();
		await connection.signOut();
		expect(kept).toContain(authorization.seen.revoked[0]);
	});

	it('is forgotten and taken back when the user signs out while it is renewed', async () => {
		const connection = await connect();
		authorization.expire('access');
		const release = holdTokens();
		const call = whoami(connection).catch(() => {});
		await soon(() => expect(authorization.seen.tokens).toHaveLength(2));
		await connection.signOut();
		release();
		await soon(() => expect(authorization.seen.revoked).toHaveLength(2));
		await call;
		expect(guest.secrets.size).toBe(0);
		expect(connection.signedInAt).toBeUndefined();
		expect(guest.requests).toHaveLength(1);
	});

	it('is forgotten and taken back when the user signs out in another window while it is renewed', async () => {
		const next = anotherWindow();
		const connection = await connect();
		const other = await connect({}, next);
		authorization.expire('access');
		const release = holdTokens();
		const call = whoami(other);
		await soon(() => expect(authorization.seen.tokens).toHaveLength(2));
		await connection.signOut();
		guest.willing = false;
		release();
		await expect(call).rejects.toThrow('You did not sign in');
		expect(authorization.seen.revoked).toHaveLength(2);
		expect(guest.secrets.size).toBe(0);
	});

	it('is revoked, and not stored, when the user signs out before it is complete, without waiting for its tokens', async () => {
		const release = holdTokens();
		const connection = here.create(definition());
		const start = connection.start();
		const stopped = expect(start).rejects.toThrow('The server was stopped');
		await soon(() => expect(authorization.seen.tokens).toHaveLength(1));
		await connection.signOut();
		await stopped;
		const stored = vi.spyOn(guest.secrets, 'set');
		release();
		await soon(() => expect(authorization.seen.revoked).toHaveLength(1));
		expect(stored).not.toHaveBeenCalled();
		await connection.start();
		expect(guest.requests).toHaveLength(2);
		// The client and the tokens of the second sign-in.
		expect(stored).toHaveBeenCalledTimes(2);
	});

	it('is revoked, and not stored, when the user signs out in another window before it is complete', async () => {
		const next = anotherWindow();
		const release = holdTokens();
		const failing = failure();
		await soon(() => expect(authorization.seen.tokens).toHaveLength(1));
		await next.create(definition()).signOut();
		release();
		expect(await failing).toBe(
			`guarded: The sign-in at ${authorization.issuer} was cancelled. Start the server to sign in.`,
		);
		expect(authorization.seen.revoked).toHaveLength(1);
		expect(guest.secrets.get('guarded') ?? '').not.toContain('token');
		await connect();
		expect(guest.requests).toHaveLength(2);
	});

	it('is stored also when the user gives up another one in another window before it is complete', async () => {
		const next = anotherWindow();
		const release = holdTokens();
		const connecting = connect();
		await soon(() => expect(authorization.seen.tokens).toHaveLength(1));
		guest.instead = async () => 'abandoned';
		await expect(next.create(definition()).start()).rejects.toThrow(' was cancelled. ');
		release();
		const connection = await connecting;
		expect(authorization.seen.revoked).toEqual([]);
		authorization.expire('access');
		await whoami(connection);
		expect(guest.requests).toHaveLength(2);
	});

	it.each(['consent', 'clientSecret', 'visit'] as const)(
		'is kept when the user gives up another one in another window, which was at its %s meanwhile',
		async (step) => {
			meet(new Guest('hush'));
			const oauth = step === 'clientSecret' ? { clientId: 'mine' } : {};
			authorization.clients.set('mine', 'hush');
			authorization.behavior.methods = ['client_secret_basic'];
			const next = anotherWindow();
			let goOn = () => {};
			const reached = new Promise<void>((resolve) => {
				vi.spyOn(guest, step).mockImplementationOnce(async () => {
					resolve();
					await new Promise<void>((resume) => {
						goOn = resume;
					});
					guest.instead = async () => 'abandoned';
					return { consent: true, clientSecret: 'hush', visit: 'abandoned' }[step] as never;
				});
			});
			const failing = expect(next.create(definition({ oauth })).start()).rejects.toThrow(' was cancelled. ');
			await reached;
			const connection = await connect({ oauth });
			goOn();
			await failing;
			authorization.expire('access');
			await whoami(connection);
			const other = await connect({ oauth }, next);
			expect(shown(await whoami(other))).toMatchObject({ tool: 'whoami' });
			expect(grants()).toEqual(['authorization_code', 'refresh_token']);
		},
	);

	it.each([
		['at the endpoint that the consent named', true],
		['nowhere, if its metadata name another since', false],
	])('is taken back %s', async (_where, isSame) => {
		const collector = await anotherIssuer();
		const connection = await connect();
		authorization.behavior.revocations = isSame ? '' : collector.issuer;
		await connection.signOut();
		expect(authorization.seen.revoked).toHaveLength(isSame ? 1 : 0);
		expect(collector.seen.revoked).toEqual([]);
		const told = here.logs.join('\n');
		expect(told.includes(`you have not agreed to its endpoint ${collector.issuer}/revoke`)).toBe(!isSame);
		expect(guest.secrets.size).toBe(0);
	});

	it('is not renewed at an endpoint that the consent did not name: the user is asked again', async () => {
		const collector = await anotherIssuer();
		const connection = await connect();
		authorization.expire('access');
		authorization.behavior.tokens = collector.issuer;
		guest.willing = false;
		await expect(whoami(connection)).rejects.toThrow('You did not sign in');
		expect(collector.seen.tokens).toEqual([]);
		expect(guest.requests.map(({ tokenEndpoint }) => tokenEndpoint)).toEqual([
			`${authorization.issuer}/token`,
			`${collector.issuer}/token`,
		]);
	});

	it('is forgotten even when the authorization server is gone', async () => {
		const connection = await connect();
		await authorization.stop();
		await connection.signOut();
		expect(guest.secrets.size).toBe(0);
	});
});

describe('a call for which the sign-in is not enough', () => {
	it('asks for more, keeping what was granted, and goes on', async () => {
		await demand({ requiredScopes: ['read'] });
		const connection = await connect();
		expect(shown(await connection.callTool('write', {}))).toMatchObject({ tool: 'write', scopes: ['read', 'write'] });
		expect(guest.requests[1]).toMatchObject({ scopes: ['read', 'write'], newScopes: ['write'] });
	});

	it('asks for nothing that was granted in another window', async () => {
		await demand({ requiredScopes: ['read'] });
		const next = anotherWindow();
		const connection = await connect();
		const other = await connect({}, next);
		await connection.callTool('write', {});
		expect(shown(await other.callTool('write', {}))).toMatchObject({ tool: 'write', scopes: ['read', 'write'] });
		expect(guest.requests).toHaveLength(2);
	});

	it('asks for all that was granted at once when the sign-in has ended', async () => {
		await demand({ requiredScopes: ['read'] });
		const connection = await connect();
		await connection.callTool('write', {});
		authorization.expire('access', 'refresh');
		await connection.callTool('write', {});
		expect(guest.requests.slice(2)).toMatchObject([{ scopes: ['read', 'write'] }]);
	});

	it('fails when what was granted is still not enough', async () => {
		const connection = await connect();
		authorization.verifier.verifyAccessToken = async (token) => ({
			token,
			clientId: 'x',
			scopes: [],
			expiresAt: Date.now(),
		});
		await expect(connection.callTool('write', {})).rejects.toThrow(
			'guarded: You signed in, but the server still says that you may not do this (write).',
		);
		expect(guest.requests).toHaveLength(2);
	});

	it('fails when the server wants more after every sign-in', async () => {
		const guarded = new Authorization(definition() as HttpDefinition, here, 'guarded', () => {});
		const scopes: string[] = [];
		const operation = async () => {
			scopes.push(`scope-${scopes.length}`);
			throw new InsufficientScopeError({ requiredScope: scopes.join(' ') });
		};
		await expect(guarded.guard(operation)).rejects.toThrow(
			'You signed in, but the server still says that you may not do this (scope-0 scope-1 scope-2 scope-3).',
		);
		expect(guest.requests.map(({ newScopes }) => newScopes)).toEqual([['scope-0'], ['scope-1'], ['scope-2']]);
	});

	it('fails when the server does not accept any token', async () => {
		const { verifyAccessToken } = authorization.verifier;
		authorization.verifier.verifyAccessToken = () => verifyAccessToken('unknown');
		expect(await failure()).toMatch(/^guarded: You signed in, but the server does not accept it\. Sign out/);
		expect(guest.requests).toHaveLength(1);
	});

	it('ends with the call', async () => {
		const connection = await connect();
		guest.instead = forEver;
		const cancel = new AbortController();
		const call = connection.callTool('write', {}, { signal: cancel.signal });
		await soon(() => expect(guest.visits).toHaveLength(2));
		cancel.abort(new Error('changed my mind'));
		await expect(call).rejects.toThrow('changed my mind');
		guest.instead = undefined;
		expect(shown(await connection.callTool('write', {}))).toMatchObject({ tool: 'write' });
	});

	// Where the port of the first sign-in is taken, the client is registered anew.
	it.each([3000, 3001])('leaves it as it was when the user does not come back (port %s)', async (port) => {
		const connection = await connect();
		const redirect = await guest.redirect();
		guest.redirect = async () => ({ ...redirect, url: `http://127.0.0.1:${port}/callback` });
		guest.instead = async () => 'abandoned';
		await expect(connection.callTool('write', {})).rejects.toThrow(' was cancelled. ');
		authorization.expire('access');
		expect(shown(await whoami(connection))).toMatchObject({ tool: 'whoami' });
		expect(guest.requests).toHaveLength(2);
	});
});

describe('secrets', () => {
	it('appear nowhere but in the store and in the requests that they are for', async () => {
		const said: string[] = [];
		for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
			vi.spyOn(console, method).mockImplementation((...words) => {
				said.push(words.join(' '));
			});
		}
		authorization.behavior.methods = ['client_secret_basic'];
		const connection = await connect();
		await connection.callTool('write', {});
		for (const echo of ['refresh_token', 'code', 'code_verifier', 'client_secret']) {
			authorization.expire('access');
			Object.assign(authorization.behavior, { echo, tokenRefusal: 'invalid_grant' });
			said.push(
				await whoami(connection).then(
					() => 'no failure',
					(error: Error) => error.message,
				),
			);
			Object.assign(authorization.behavior, { echo: '', tokenRefusal: '' });
			await whoami(connection);
		}
		await connection.signOut();
		vi.restoreAllMocks();

		const { seen } = authorization;
		const sent = seen.tokens.flatMap(({ code, code_verifier, refresh_token, authorization: basic }) => [
			code,
			code_verifier,
			refresh_token,
			basic,
		]);
		const shownToServer = server.requests.map(({ authorization }) => authorization?.split(' ')[1]);
		const secrets = [...sent, ...shownToServer, ...authorization.clients.values(), ...seen.revoked].filter(
			(secret) => secret !== undefined,
		);
		expect(secrets.length).toBeGreaterThan(20);
		const kept = here.trace.entries.map(({ message, masked }) => [message, masked]);
		const written = JSON.stringify([here.logs, kept, guest.requests, here.refusals, said]);
		expect(said.filter((words) => words.includes('refused the sign-in'))).toHaveLength(4);
		for (const secret of secrets) {
			expect(written).not.toContain(secret);
		}
	});

	it('of a sign-in that a server repeats are hidden in the timeline', async () => {
		const connection = await connect();
		const { token } = shown(await whoami(connection));
		expect(token).toMatch(/^access-/);
		const kept = JSON.stringify(here.trace.entries.map(({ message, masked }) => [message, masked]));
		expect(kept).toContain('whoami');
		expect(kept).not.toContain(token);
	});

	it('of the configuration go to the server’s own origin alone', async () => {
		await connect({ headers: { 'x-api-key': 'planted' } });
		expect(server.requests.every((headers) => headers['x-api-key'] === 'planted')).toBe(true);
		expect(JSON.stringify(authorization.seen)).not.toContain('planted');
	});

	it('that somebody else wrote are not read', async () => {
		guest.secrets.set('guarded', 'no JSON');
		await connect();
		expect(guest.requests).toHaveLength(1);
	});
});

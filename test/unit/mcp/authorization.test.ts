import { InsufficientScopeError } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HttpDefinition } from '../../../src/config/definition.ts';
import { Authorization } from '../../../src/mcp/auth/auth.ts';
import { type SignIn, SignInNeeded } from '../../../src/mcp/auth/signIn.ts';
import type { NoAnswer, Redirect, SignInRequest, Visit } from '../../../src/mcp/index.ts';
import { Visitor } from '../../conformance/visitor.ts';
import { type AuthorizationServer, authorizationServer, protectedServer } from '../../servers/authorization.mjs';
import { define, shown, type TestClient, testClients } from './testClient.ts';

/** A user who can also do something other than sign in. */
class Guest extends Visitor {
	willing = true;
	/** Runs instead of a visit. */
	instead: ((signal: AbortSignal) => Promise<URLSearchParams | NoAnswer>) | undefined;
	/** Modifies the query of the redirect. */
	tamper: (answer: URLSearchParams) => void = () => {};
	readonly visits: Visit[] = [];
	secretsAsked = 0;

	override async consent(request: SignInRequest): Promise<boolean> {
		return (await super.consent(request)) && this.willing;
	}

	override async visit(visit: Visit, redirect: Redirect, signal: AbortSignal) {
		this.visits.push(visit);
		const answer = await (this.instead ? this.instead(signal) : super.visit(visit, redirect, signal));
		if (typeof answer !== 'string') this.tamper(answer);
		return answer;
	}

	override clientSecret(): Promise<string | undefined> {
		this.secretsAsked++;
		return super.clientSecret();
	}
}

/** Waits until the signal aborts. */
function forEver(signal: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

const world = testClients();
let here: TestClient;
let guest: Guest;
let authorization: AuthorizationServer;
let server: Awaited<ReturnType<typeof protectedServer>>;
const stops: (() => Promise<void>)[] = [];

async function authorizing(...behavior: Parameters<typeof authorizationServer>) {
	const started = await authorizationServer(...behavior);
	stops.push(started.stop);
	return started;
}

async function demanding(...options: Parameters<typeof protectedServer>) {
	const started = await protectedServer(...options);
	stops.push(started.stop);
	return started;
}

beforeEach(async () => {
	here = world();
	guest = new Guest();
	here.signIn = guest;
	authorization = await authorizing();
	server = await demanding(authorization);
});

afterEach(async () => {
	await here.close();
	await Promise.all(stops.splice(0).map((stop) => stop()));
});

function definition(more: object = {}) {
	return define('guarded', { url: server.url, ...more });
}

/** The error message of a failed start. */
async function failure(more: object = {}): Promise<string> {
	return here.connect(definition(more)).then(
		() => 'no failure',
		(error: Error) => error.message,
	);
}

describe('signing in', () => {
	it.each(['2025-11-25', '2026-07-28', 'auto'])(
		'lets the user in, once, and the token reach the server (%s)',
		async (protocolVersion) => {
			const connection = await here.connect(definition({ protocolVersion }));
			expect(connection.tools.map(({ name }) => name)).toEqual(['whoami', 'write']);
			const { client } = shown(await connection.callTool('whoami', {}));
			expect([...authorization.clients.keys()]).toEqual([client]);
			expect(guest.requests).toHaveLength(1);
			expect(connection.signedInAt).toBe(authorization.issuer);
		},
	);

	it('shows first which server wants what from whom, and the very page that opens', async () => {
		server = await demanding(authorization, { requiredScopes: ['read', 'list'] });
		await here.connect(definition());
		const [request] = guest.requests;
		expect(request).toMatchObject({
			server: 'guarded',
			serverUrl: server.url,
			issuer: authorization.issuer,
			page: `${authorization.issuer}/authorize`,
			scopes: ['read', 'list'],
			newScopes: ['read', 'list'],
		});
		expect(request).toMatchObject({
			tokenEndpoint: `${authorization.issuer}/token`,
			registrationEndpoint: `${authorization.issuer}/register`,
			revocationEndpoint: `${authorization.issuer}/revoke`,
		});
		const [visit] = guest.visits;
		const page = new URL(visit?.url ?? '');
		expect(`${page.origin}${page.pathname}`).toBe(request?.page);
		expect(Object.fromEntries(page.searchParams)).toEqual(authorization.seen.pages[0]);
		expect(page.searchParams.get('state')).toBe(visit?.state);
	});

	it('shows the page’s own query, all of which is opened', async () => {
		authorization.behavior.query = '?tenant=a%2Fb&scope=admin&prompt=none';
		await here.connect(definition());
		expect(guest.requests[0]?.page).toBe(`${authorization.issuer}/authorize${authorization.behavior.query}`);
		const shown = [...new URL(guest.requests[0]?.page ?? '').searchParams];
		const opened = [...new URL(guest.visits[0]?.url ?? '').searchParams];
		expect(opened.slice(0, shown.length)).toEqual(shown);
		const ours = [
			...['response_type', 'client_id', 'code_challenge', 'code_challenge_method'],
			...['redirect_uri', 'state', 'resource'],
		];
		expect(opened.slice(shown.length).map(([name]) => name)).toEqual(ours);
	});

	it('is not begun at a page whose address cannot be shown whole', async () => {
		authorization.behavior.query = `?next=${'x'.repeat(1_000)}`;
		expect(await failure()).toContain('The sign-in URL is refused: The URL is longer than 1000 characters.');
		expect(guest.requests).toEqual([]);
	});

	it('names the endpoint at which it is registered only where it would be', async () => {
		authorization.clients.set('mine', undefined);
		await here.connect(definition({ oauth: { clientId: 'mine' } }));
		expect(guest.requests[0]).not.toHaveProperty('registrationEndpoint');
	});

	it('comes back to another place for each authorization server', async () => {
		const issuers: string[] = [];
		const { redirect } = guest;
		guest.redirect = async (_definition?: unknown, issuer = '') => {
			issuers.push(issuer);
			return redirect.call(guest);
		};
		const connection = await here.connect(definition());
		const other = await authorizing();
		server.trust.authorization = other;
		await connection.callTool('whoami', {});
		expect(issuers).toEqual([authorization.issuer, other.issuer]);
	});

	it('tells the authorization server nothing before the user has agreed', async () => {
		guest.willing = false;
		expect(await failure()).toBe(
			`guarded: You did not sign in at ${authorization.issuer}. Start the server to sign in.`,
		);
		expect(guest.requests).toHaveLength(1);
		expect(authorization.seen).toMatchObject({ registrations: [], pages: [], tokens: [] });
	});

	it('always uses PKCE, an unguessable state, and names the server that the token is for', async () => {
		await here.connect(definition());
		await here.close();
		guest.secrets.clear();
		await here.connect(definition());
		const [first, second] = authorization.seen.pages;
		expect(first).toMatchObject({ code_challenge_method: 'S256', resource: server.url });
		expect(first?.code_challenge).not.toBe(second?.code_challenge);
		expect(first?.state).not.toBe(second?.state);
		expect(first?.state?.length).toBeGreaterThanOrEqual(43);
		expect(authorization.seen.tokens[0]).toMatchObject({ resource: server.url });
	});

	it('frees the place that the browser comes back to before the code is exchanged', async () => {
		const redirect = await guest.redirect();
		const freed = vi.spyOn(redirect, 'dispose');
		vi.spyOn(guest, 'redirect').mockResolvedValue(redirect);
		let release = () => {};
		authorization.behavior.held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const connecting = here.connect(definition());
		await vi.waitFor(() => expect(authorization.seen.tokens).toHaveLength(1));
		expect(freed).toHaveBeenCalledOnce();
		release();
		await connecting;
		expect(freed).toHaveBeenCalledOnce();
	});

	it('asks for what the definition says, and for lasting access where that is offered', async () => {
		authorization.behavior.scopes = ['read', 'offline_access'];
		await here.connect(definition({ oauth: { scopes: ['read'] } }));
		expect(guest.requests[0]?.scopes).toEqual(['read', 'offline_access']);
	});

	it('happens on an older server with SSE, too', async () => {
		await expect(here.connect(definition({ type: 'sse' }))).rejects.toThrow();
		expect(guest.requests).toHaveLength(1);
		expect(server.requests.at(-1)).toMatchObject({ accept: 'text/event-stream', authorization: /^Bearer access-/ });
	});

	it('is the user’s time, not the server’s (A04)', async () => {
		const connection = await here.connect(definition());
		authorization.expire('access', 'refresh');
		let answer: (answer: NoAnswer) => void = () => {};
		guest.instead = () =>
			new Promise((resolve) => {
				answer = resolve;
			});
		const result = connection.callTool('whoami', {});
		await vi.waitFor(() => expect(guest.visits).toHaveLength(2), 20_000);
		const [call] = here.registry.calls;
		expect(call?.clock.asking).toBe(true);
		answer('abandoned');
		await expect(result).rejects.toThrow('was cancelled');
		expect(call?.clock.asking).toBe(false);
	});
});

describe('a sign-in that is kept', () => {
	it('serves the next window without asking', async () => {
		await here.connect(definition());
		const next = world();
		next.signIn = guest;
		const connection = await next.connect(definition());
		expect(shown(await connection.callTool('whoami', {}))).toMatchObject({ tool: 'whoami' });
		expect(guest.requests).toHaveLength(1);
		expect(authorization.seen.registrations).toHaveLength(1);
		await next.close();
	});

	it('is renewed silently', async () => {
		const connection = await here.connect(definition());
		authorization.expire('access');
		await connection.callTool('whoami', {});
		authorization.expire('access');
		await connection.callTool('whoami', {});
		expect(guest.requests).toHaveLength(1);
		expect(authorization.seen.tokens.map(({ grant_type }) => grant_type)).toEqual([
			'authorization_code',
			'refresh_token',
			'refresh_token',
		]);
		expect(authorization.seen.tokens.map(({ resource }) => resource)).toEqual(Array(3).fill(server.url));
	});

	it('is renewed once, however many calls are refused: a renewal is good for one time', async () => {
		const connection = await here.connect(definition());
		authorization.expire('access');
		await Promise.all(Array.from({ length: 5 }, () => connection.callTool('whoami', {})));
		expect(guest.requests).toHaveLength(1);
	});

	it.each([502, 503, 429])('outlives an outage of the authorization server (status %i)', async (status) => {
		const connection = await here.connect(definition());
		authorization.expire('access');
		authorization.behavior.outage = status;
		await expect(connection.callTool('whoami', {})).rejects.toThrow(
			`guarded: The authorization server for ${server.url} gave no token, but responded with HTTP status ${status}. ` +
				'Try again later. If the problem persists, sign out, then start the server to sign in again.',
		);
		authorization.behavior.outage = 0;
		expect(shown(await connection.callTool('whoami', {}))).toMatchObject({ tool: 'whoami' });
		expect(guest.requests).toHaveLength(1);
	});

	it.each([
		['invalid_grant', 2],
		['bad_refresh_token', 2],
		['temporarily_unavailable', 1],
	])('is asked for again only after an error that ends it (%s)', async (error, asked) => {
		const connection = await here.connect(definition());
		authorization.expire('access');
		guest.willing = false;
		authorization.behavior.tokenRefusal = error;
		await expect(connection.callTool('whoami', {})).rejects.toThrow(
			asked === 1
				? 'The authorization server refused the sign-in (temporarily_unavailable): No.'
				: 'You did not sign in',
		);
		expect(guest.requests).toHaveLength(asked);
	});

	it('keeps its scopes when it is renewed', async () => {
		const connection = await here.connect(definition());
		await connection.callTool('write', {});
		authorization.expire('access');
		await connection.callTool('write', {});
		expect(guest.requests).toHaveLength(2);
	});

	it('that another window has renewed is taken over', async () => {
		const next = world();
		next.signIn = guest;
		const connection = await here.connect(definition());
		const other = await next.connect(definition());
		authorization.expire('access');
		await other.callTool('whoami', {});
		await connection.callTool('whoami', {});
		expect(authorization.seen.tokens.filter(({ grant_type }) => grant_type === 'refresh_token')).toHaveLength(1);
		await next.close();
	});

	it('stays when two windows renew it at the same time', async () => {
		const next = world();
		next.signIn = guest;
		const connections = [await here.connect(definition()), await next.connect(definition())];
		authorization.expire('access');
		let release = () => {};
		authorization.behavior.held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const results = connections.map((connection) => connection.callTool('whoami', {}));
		const refreshed = () => authorization.seen.tokens.filter(({ grant_type }) => grant_type === 'refresh_token');
		await vi.waitFor(() => expect(refreshed()).toHaveLength(2));
		release();
		expect(await Promise.all(results)).toHaveLength(2);
		expect(guest.requests).toHaveLength(1);
		await next.close();
	});

	it('that has expired prompts again: once, however many calls are refused', async () => {
		const connection = await here.connect(definition());
		authorization.expire('access', 'refresh');
		const results = await Promise.all(Array.from({ length: 5 }, () => connection.callTool('whoami', {})));
		expect(results).toHaveLength(5);
		expect(guest.requests).toHaveLength(2);
		expect(authorization.seen.registrations).toHaveLength(1);
	});

	it('means nothing for the same name with another address', async () => {
		await here.connect(definition());
		server = await demanding(authorization);
		await here.connect(definition());
		expect(guest.requests).toHaveLength(2);
		expect(server.requests[0]).not.toHaveProperty('authorization');
	});

	it('means nothing for another client', async () => {
		await here.connect(definition());
		authorization.clients.set('mine', undefined);
		await here.connect(definition({ oauth: { clientId: 'mine' } }));
		expect(guest.requests).toHaveLength(2);
		expect(authorization.seen.pages[1]?.client_id).toBe('mine');
	});

	it('means nothing to another authorization server', async () => {
		const connection = await here.connect(definition());
		const other = await authorizing();
		server.trust.authorization = other;
		await connection.callTool('whoami', {});
		const words = JSON.stringify(other.seen);
		for (const known of [...authorization.clients.keys(), ...authorization.seen.tokens.map(({ code }) => code)]) {
			expect(words).not.toContain(known);
		}
		expect(other.seen.tokens.map(({ grant_type }) => grant_type)).toEqual(['authorization_code']);
		expect(connection.signedInAt).toBe(other.issuer);
	});

	it('is not replaced by one elsewhere while the server does not say where to sign in', async () => {
		const connection = await here.connect(definition());
		authorization.expire('access');
		server.silence.status = 503;
		await expect(connection.callTool('whoami', {})).rejects.toThrow(
			/^guarded: \S+\/\.well-known\/oauth-protected-resource\/mcp responded with HTTP status 503\. Try again later\. /,
		);
		server.silence.status = 0;
		await connection.callTool('whoami', {});
		expect(guest.requests).toHaveLength(1);
	});

	it.each([408, 429, 502, 503])(
		'is not begun or renewed elsewhere while the authorization server is out of order (%i)',
		async (status) => {
			const told = `guarded: ${authorization.issuer}/.well-known/oauth-authorization-server responded with HTTP status ${status}.`;
			authorization.behavior.metadataOutage = status;
			expect(await failure()).toBe(`${told} Start the server to sign in.`);
			authorization.behavior.metadataOutage = 0;
			const connection = await here.connect(definition());
			authorization.expire('access');
			authorization.behavior.metadataOutage = status;
			await expect(connection.callTool('whoami', {})).rejects.toThrow(`${told} Try again later. `);
			authorization.behavior.metadataOutage = 0;
			await connection.callTool('whoami', {});
			expect(guest.requests).toHaveLength(1);
		},
	);

	it('is forgotten and taken back when the user signs out', async () => {
		const connection = await here.connect(definition());
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
		const next = world();
		next.signIn = guest;
		const connection = await here.connect(definition());
		const other = await next.connect(definition());
		authorization.expire('access');
		await other.callTool('whoami', {});
		const kept = [...guest.secrets.values()].join();
		await connection.signOut();
		expect(kept).toContain(authorization.seen.revoked[0]);
		await next.close();
	});

	it('is forgotten and taken back when the user signs out while it is renewed', async () => {
		const connection = await here.connect(definition());
		authorization.expire('access');
		let release = () => {};
		authorization.behavior.held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const call = connection.callTool('whoami', {}).catch(() => {});
		await vi.waitFor(() => expect(authorization.seen.tokens).toHaveLength(2));
		await connection.signOut();
		release();
		await vi.waitFor(() => expect(authorization.seen.revoked).toHaveLength(2));
		await call;
		expect(guest.secrets.size).toBe(0);
		expect(connection.signedInAt).toBeUndefined();
		expect(guest.requests).toHaveLength(1);
	});

	it('is forgotten and taken back when the user signs out in another window while it is renewed', async () => {
		const next = world();
		next.signIn = guest;
		const connection = await here.connect(definition());
		const other = await next.connect(definition());
		authorization.expire('access');
		let release = () => {};
		authorization.behavior.held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const call = other.callTool('whoami', {});
		await vi.waitFor(() => expect(authorization.seen.tokens).toHaveLength(2));
		await connection.signOut();
		guest.willing = false;
		release();
		await expect(call).rejects.toThrow('You did not sign in');
		expect(authorization.seen.revoked).toHaveLength(2);
		expect(guest.secrets.size).toBe(0);
		await next.close();
	});

	it('is revoked, and not stored, when the user signs out before it is complete, without waiting for its tokens', async () => {
		let release = () => {};
		authorization.behavior.held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const connection = here.create(definition());
		const start = connection.start();
		const stopped = expect(start).rejects.toThrow('The server was stopped');
		await vi.waitFor(() => expect(authorization.seen.tokens).toHaveLength(1));
		await connection.signOut();
		await stopped;
		const stored = vi.spyOn(guest.secrets, 'set');
		authorization.behavior.held = undefined;
		release();
		await vi.waitFor(() => expect(authorization.seen.revoked).toHaveLength(1));
		expect(stored).not.toHaveBeenCalled();
		await connection.start();
		expect(guest.requests).toHaveLength(2);
		// The client and the tokens of the second sign-in.
		expect(stored).toHaveBeenCalledTimes(2);
	});

	it('is revoked, and not stored, when the user signs out in another window before it is complete', async () => {
		const next = world();
		next.signIn = guest;
		let release = () => {};
		authorization.behavior.held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const failing = failure();
		await vi.waitFor(() => expect(authorization.seen.tokens).toHaveLength(1));
		await next.create(definition()).signOut();
		release();
		expect(await failing).toBe(
			`guarded: The sign-in at ${authorization.issuer} was cancelled. Start the server to sign in.`,
		);
		expect(authorization.seen.revoked).toHaveLength(1);
		expect(guest.secrets.get('guarded') ?? '').not.toContain('token');
		authorization.behavior.held = undefined;
		await here.connect(definition());
		expect(guest.requests).toHaveLength(2);
		await next.close();
	});

	it('is stored also when the user gives up another one in another window before it is complete', async () => {
		const next = world();
		next.signIn = guest;
		let release = () => {};
		authorization.behavior.held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const connecting = here.connect(definition());
		await vi.waitFor(() => expect(authorization.seen.tokens).toHaveLength(1));
		guest.instead = async () => 'abandoned';
		await expect(next.create(definition()).start()).rejects.toThrow(' was cancelled. ');
		release();
		const connection = await connecting;
		expect(authorization.seen.revoked).toEqual([]);
		authorization.behavior.held = undefined;
		authorization.expire('access');
		await connection.callTool('whoami', {});
		expect(guest.requests).toHaveLength(2);
		await next.close();
	});

	it.each(['consent', 'clientSecret', 'visit'] as const)(
		'is kept when the user gives up another one in another window, which was at its %s meanwhile',
		async (step) => {
			guest = new Guest('hush');
			here.signIn = guest;
			const oauth = step === 'clientSecret' ? { clientId: 'mine' } : {};
			authorization.clients.set('mine', 'hush');
			authorization.behavior.methods = ['client_secret_basic'];
			const next = world();
			next.signIn = guest;
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
			const connection = await here.connect(definition({ oauth }));
			goOn();
			await failing;
			authorization.expire('access');
			await connection.callTool('whoami', {});
			const other = await next.connect(definition({ oauth }));
			expect(shown(await other.callTool('whoami', {}))).toMatchObject({ tool: 'whoami' });
			const grants = authorization.seen.tokens.map(({ grant_type }) => grant_type);
			expect(grants).toEqual(['authorization_code', 'refresh_token']);
			await next.close();
		},
	);

	it.each([
		['at the endpoint that the consent named', true],
		['nowhere, if its metadata name another since', false],
	])('is taken back %s', async (_where, isSame) => {
		const collector = await authorizing();
		const { logs } = here;
		const connection = await here.connect(definition());
		authorization.behavior.revocations = isSame ? '' : collector.issuer;
		await connection.signOut();
		expect(authorization.seen.revoked).toHaveLength(isSame ? 1 : 0);
		expect(collector.seen.revoked).toEqual([]);
		expect(logs.join('\n').includes(`you have not agreed to its endpoint ${collector.issuer}/revoke`)).toBe(!isSame);
		expect(guest.secrets.size).toBe(0);
	});

	it('is not renewed at an endpoint that the consent did not name: the user is asked again', async () => {
		const collector = await authorizing();
		const connection = await here.connect(definition());
		authorization.expire('access');
		authorization.behavior.tokens = collector.issuer;
		guest.willing = false;
		await expect(connection.callTool('whoami', {})).rejects.toThrow('You did not sign in');
		expect(collector.seen.tokens).toEqual([]);
		expect(guest.requests.map(({ tokenEndpoint }) => tokenEndpoint)).toEqual([
			`${authorization.issuer}/token`,
			`${collector.issuer}/token`,
		]);
	});

	it('is forgotten even when the authorization server is gone', async () => {
		const connection = await here.connect(definition());
		await authorization.stop();
		await connection.signOut();
		expect(guest.secrets.size).toBe(0);
	});
});

describe('a call for which the sign-in is not enough', () => {
	it('asks for more, keeping what was granted, and goes on', async () => {
		server = await demanding(authorization, { requiredScopes: ['read'] });
		const connection = await here.connect(definition());
		expect(shown(await connection.callTool('write', {}))).toMatchObject({ tool: 'write', scopes: ['read', 'write'] });
		expect(guest.requests[1]).toMatchObject({ scopes: ['read', 'write'], newScopes: ['write'] });
	});

	it('asks for nothing that was granted in another window', async () => {
		server = await demanding(authorization, { requiredScopes: ['read'] });
		const next = world();
		next.signIn = guest;
		const connection = await here.connect(definition());
		const other = await next.connect(definition());
		await connection.callTool('write', {});
		expect(shown(await other.callTool('write', {}))).toMatchObject({ tool: 'write', scopes: ['read', 'write'] });
		expect(guest.requests).toHaveLength(2);
		await next.close();
	});

	it('asks for all that was granted at once when the sign-in has ended', async () => {
		server = await demanding(authorization, { requiredScopes: ['read'] });
		const connection = await here.connect(definition());
		await connection.callTool('write', {});
		authorization.expire('access', 'refresh');
		await connection.callTool('write', {});
		expect(guest.requests.slice(2)).toMatchObject([{ scopes: ['read', 'write'] }]);
	});

	it('fails when what was granted is still not enough', async () => {
		const connection = await here.connect(definition());
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
		const connection = await here.connect(definition());
		guest.instead = forEver;
		const cancel = new AbortController();
		const call = connection.callTool('write', {}, { signal: cancel.signal });
		await vi.waitFor(() => expect(guest.visits).toHaveLength(2));
		cancel.abort(new Error('changed my mind'));
		await expect(call).rejects.toThrow('changed my mind');
		guest.instead = undefined;
		expect(shown(await connection.callTool('write', {}))).toMatchObject({ tool: 'write' });
	});

	// Where the port of the first sign-in is taken, the client is registered anew.
	it.each([3000, 3001])('leaves it as it was when the user does not come back (port %s)', async (port) => {
		const connection = await here.connect(definition());
		const redirect = await guest.redirect();
		guest.redirect = async () => ({ ...redirect, url: `http://127.0.0.1:${port}/callback` });
		guest.instead = async () => 'abandoned';
		await expect(connection.callTool('write', {})).rejects.toThrow(' was cancelled. ');
		authorization.expire('access');
		expect(shown(await connection.callTool('whoami', {}))).toMatchObject({ tool: 'whoami' });
		expect(guest.requests).toHaveLength(2);
	});
});

describe('as whom this client presents itself', () => {
	it('is what it registers itself as: a program on the user’s computer, without a secret where that is possible', async () => {
		await here.connect(definition());
		expect(authorization.seen.registrations).toEqual([
			{
				client_name: 'MCP Elicitation',
				redirect_uris: ['http://127.0.0.1:3000/callback'],
				grant_types: ['authorization_code', 'refresh_token'],
				response_types: ['code'],
				application_type: 'native',
				token_endpoint_auth_method: 'none',
			},
		]);
	});

	it.each([['client_secret_basic'], ['client_secret_post']])(
		'may be a registration with a secret (%s)',
		async (method) => {
			authorization.behavior.methods = [method];
			const connection = await here.connect(definition());
			authorization.expire('access');
			expect(shown(await connection.callTool('whoami', {}))).toMatchObject({ tool: 'whoami' });
			await connection.signOut();
			expect(authorization.seen.revoked).toHaveLength(1);
		},
	);

	it('is registered anew when the authorization server has forgotten it', async () => {
		const connection = await here.connect(definition());
		authorization.expire('access');
		authorization.behavior.tokenRefusal = 'invalid_client';
		guest.willing = false;
		await expect(connection.callTool('whoami', {})).rejects.toThrow('You did not sign in');
		guest.willing = true;
		authorization.behavior.tokenRefusal = '';
		await connection.callTool('whoami', {});
		expect(authorization.seen.registrations).toHaveLength(2);
	});

	it.each<NoAnswer>(['abandoned', 'late'])('is registered anew when nobody came back (%s)', async (why) => {
		guest.instead = async () => why;
		await failure();
		guest.instead = undefined;
		await here.connect(definition());
		expect(authorization.seen.registrations).toHaveLength(2);
	});

	it('is a document where the definition names one and the authorization server takes it', async () => {
		const clientMetadataUrl = 'https://client.example/id.json';
		authorization.behavior.cimd = true;
		await here.connect(definition({ oauth: { clientMetadataUrl } }));
		expect(authorization.seen.registrations).toEqual([]);
		expect(authorization.seen.pages[0]?.client_id).toBe(clientMetadataUrl);
	});

	it('is registered where the authorization server takes no documents', async () => {
		await here.connect(definition({ oauth: { clientMetadataUrl: 'https://client.example/id.json' } }));
		expect(authorization.seen.registrations).toHaveLength(1);
	});

	it('is the user’s own registration, whose secret is asked for once', async () => {
		guest = new Guest('hush');
		here.signIn = guest;
		authorization.clients.set('mine', 'hush');
		authorization.behavior.methods = ['client_secret_basic'];
		const oauth = { clientId: 'mine' };
		const connection = await here.connect(definition({ oauth }));
		authorization.expire('access', 'refresh');
		await connection.callTool('whoami', {});
		expect(guest.secretsAsked).toBe(1);
		expect(authorization.seen.registrations).toEqual([]);
	});

	it('is the user’s own registration, without a secret where none is needed', async () => {
		authorization.clients.set('mine', undefined);
		await here.connect(definition({ oauth: { clientId: 'mine' } }));
		expect(guest.secretsAsked).toBe(0);
	});

	it('is asked about again when the secret was wrong', async () => {
		guest = new Guest('wrong');
		here.signIn = guest;
		authorization.clients.set('mine', 'hush');
		authorization.behavior.methods = ['client_secret_post'];
		const oauth = { clientId: 'mine' };
		expect(await failure({ oauth })).toMatch(
			/^guarded: The authorization server refused the sign-in \(invalid_client\)/,
		);
		await failure({ oauth });
		expect(guest.secretsAsked).toBe(2);
	});

	it('need not be known before variables have values', () => {
		const unresolved = define('guarded', { url: 'https://${input:host}/mcp', headers: { 'x-key': '${input:钥匙}' } });
		expect(here.create(unresolved).state).toBe('stopped');
	});

	it('is the configured header, which takes the place of every sign-in', async () => {
		expect(await failure({ headers: { AUTHORIZATION: 'Bearer mine' } })).toBe(
			`guarded: ${server.url} does not accept the "Authorization" header of its definition. Correct the header, or remove it to sign in instead.`,
		);
		expect(guest.requests).toEqual([]);
	});
});

describe('a sign-in that does not come to its end', () => {
	it.each<[NoAnswer, string]>([
		['abandoned', 'The sign-in at ISSUER was cancelled.'],
		['unopened', 'The sign-in URL at ISSUER could not be opened.'],
		['late', 'The sign-in at ISSUER was not completed in time.'],
	])('says so (%s)', async (why, words) => {
		guest.instead = async () => why;
		const what = words.replace('ISSUER', authorization.issuer);
		expect(await failure()).toBe(`guarded: ${what} Start the server to sign in.`);
	});

	it('is ended by stopping the server', async () => {
		guest.instead = forEver;
		const connection = here.create(definition());
		const start = connection.start();
		start.catch(() => {});
		await vi.waitFor(() => expect(guest.visits).toHaveLength(1));
		await connection.stop();
		await expect(start).rejects.toThrow('The server was stopped while it was starting.');
		expect(connection.state).toBe('stopped');
	});

	it('is ended by stopping the server while the user is asked for the secret of a client, and frees its port', async () => {
		authorization.behavior.methods = ['client_secret_basic'];
		const redirect = await guest.redirect();
		const freed = vi.spyOn(redirect, 'dispose');
		vi.spyOn(guest, 'redirect').mockResolvedValue(redirect);
		const asked = vi.spyOn(guest as SignIn, 'clientSecret').mockImplementation(async (...[, , , signal]) => {
			return forEver(signal).catch(() => undefined);
		});
		const connection = here.create(definition({ oauth: { clientId: 'mine' } }));
		const start = connection.start();
		start.catch(() => {});
		await vi.waitFor(() => expect(asked).toHaveBeenCalled(), 20_000);
		await connection.stop();
		await expect(start).rejects.toThrow('The server was stopped while it was starting.');
		await vi.waitFor(() => expect(freed).toHaveBeenCalled());
	});

	it('does not ask for the secret of a client once the server was stopped while its port was opened', async () => {
		authorization.behavior.methods = ['client_secret_basic'];
		const redirect = await guest.redirect();
		const freed = vi.spyOn(redirect, 'dispose');
		let open = () => {};
		const opened = new Promise<void>((resolve) => {
			open = resolve;
		});
		const opening = vi.spyOn(guest, 'redirect').mockImplementation(() => opened.then(() => redirect));
		const connection = here.create(definition({ oauth: { clientId: 'mine' } }));
		const start = connection.start();
		start.catch(() => {});
		await vi.waitFor(() => expect(opening).toHaveBeenCalled(), 20_000);
		await connection.stop();
		open();
		await vi.waitFor(() => expect(freed).toHaveBeenCalled());
		expect(guest.secretsAsked).toBe(0);
	});

	it('is not begun for what is refused only after the server was stopped', async () => {
		const guarded = new Authorization(definition() as HttpDefinition, here, 'guarded', () => {});
		let refuse = () => {};
		const operation = () =>
			new Promise((_, reject) => {
				refuse = () => reject(new SignInNeeded({}));
			});
		const running = guarded.guard(operation);
		guarded.abort();
		refuse();
		await expect(running).rejects.toBeInstanceOf(SignInNeeded);
		expect(guest.requests).toEqual([]);
	});

	it('gives the authorization server’s reason', async () => {
		authorization.behavior.refusal = 'access_denied';
		expect(await failure()).toBe(
			'guarded: The authorization server refused the sign-in (access_denied): Not you. Start the server to sign in.',
		);
	});

	it('does not fail what the server offers to everybody', async () => {
		const connection = await here.connect(definition());
		guest.willing = false;
		await expect(connection.callTool('write', {})).rejects.toThrow('You did not sign in');
		expect(connection.state).toBe('running');
		expect(shown(await connection.callTool('whoami', {}))).toMatchObject({ tool: 'whoami' });
	});
});

describe('a sign-in that cannot be trusted', () => {
	const TAMPERED =
		'guarded: The response to the sign-in did not come from the expected authorization server and was not used.';

	it.each([
		['comes from another issuer', { iss: 'wrong' }],
		['does not say from whom it comes, though it should', { iss: 'none' }],
		['comes from another issuer, though nobody promised to tell', { iss: 'wrong', issAdvertised: false }],
		['is a refusal from another issuer', { iss: 'wrong', refusal: 'access_denied' }],
	] as const)('is not used when it %s', async (_what, behavior) => {
		Object.assign(authorization.behavior, behavior);
		expect(await failure()).toContain(TAMPERED);
		expect(authorization.seen.tokens).toEqual([]);
	});

	it('is used where nobody promised to tell from whom it comes', async () => {
		Object.assign(authorization.behavior, { iss: 'none', issAdvertised: false });
		await here.connect(definition());
		expect(authorization.seen.tokens).toHaveLength(1);
	});

	it.each([
		['wrong', 0],
		['right', 1],
		['none', 1],
	] as const)('is matched with who was asked where that publishes no metadata (iss: %s)', async (iss, redeemed) => {
		Object.assign(authorization.behavior, { iss, silent: true });
		expect(await failure()).toContain(redeemed === 0 ? TAMPERED : 'no failure');
		expect(authorization.seen.tokens).toHaveLength(redeemed);
	});

	it('is not used when it answers another request', async () => {
		guest.tamper = (answer) => answer.set('state', 'another');
		expect(await failure()).toContain('The browser returned the response to another request.');
		expect(authorization.seen.tokens).toEqual([]);
	});

	it('is not begun when the metadata are somebody else’s', async () => {
		authorization.behavior.issuer = 'https://somebody.else.example';
		expect(await failure()).toContain(TAMPERED);
		expect(guest.requests).toEqual([]);
	});

	it('is not begun without PKCE', async () => {
		authorization.behavior.pkce = false;
		expect(await failure()).toContain(
			`${authorization.issuer} does not say that it protects sign-ins with PKCE (S256).`,
		);
		expect(guest.requests).toEqual([]);
	});

	it('is not begun for a server that says it is another', async () => {
		server = await demanding(authorization, { resource: 'https://somebody.else.example/mcp' });
		expect(await failure()).toContain(
			'The server says that it is https://somebody.else.example/mcp, which is another address.',
		);
		expect(authorization.seen.registrations).toEqual([]);
	});

	it.each([
		['token', { tokens: 'https://user@collector.example' }, 'contains user information'],
		['registration', { registrations: 'https://user@collector.example' }, 'contains user information'],
		['revocation', { revocations: 'https://coll\\ector.example' }, 'contains a backslash'],
		['revocation', { revocations: 'ftp://collector.example' }, 'Only https: URLs are opened'],
	])('is not begun if the URL of its %s endpoint is not one to show: %j', async (_name, changes, reason) => {
		Object.assign(authorization.behavior, changes);
		expect(await failure()).toMatch(new RegExp(`A URL for signing in is refused: .*${reason}`));
		expect(guest.requests).toEqual([]);
	});

	it('is not begun for more permissions than can be shown, and says how to ask for fewer', async () => {
		const scopes = Array.from({ length: 60 }, (_, index) => `https://www.example.com/auth/read.${index}`);
		server = await demanding(authorization, { requiredScopes: scopes });
		expect(await failure()).toContain('It asks for 60 permissions, which are more than can be shown.');
		expect(guest.requests).toEqual([]);
		await here.connect(definition({ oauth: { scopes: ['read'] } })).catch(() => {});
		expect(guest.requests[0]?.scopes).toEqual(['read']);
	});

	it('is not begun at an address without encryption', async () => {
		server.trust.authorization = { ...authorization, issuer: 'http://somebody.else.example' };
		expect(await failure()).toContain(
			'The server names http://somebody.else.example, which is not a safe address for signing in.',
		);
	});

	it('is not used when its token could not be sent, and does not say it', async () => {
		authorization.behavior.access = 'split\nin two';
		const words = await failure();
		expect(words).toContain('The authorization server gave a token that cannot be sent.');
		expect(words).not.toContain('in two');
	});

	it('is not begun where only registered clients are known; the way out is told', async () => {
		authorization.behavior.registration = false;
		expect(await failure()).toBe(
			`guarded: ${authorization.issuer} signs in only clients that are registered with it. ` +
				'Set "oauth.clientId" in its definition to a client that is registered there, or put a token into "headers".',
		);
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
		const connection = await here.connect(definition());
		await connection.callTool('write', {});
		for (const echo of ['refresh_token', 'code', 'code_verifier', 'client_secret']) {
			authorization.expire('access');
			Object.assign(authorization.behavior, { echo, tokenRefusal: 'invalid_grant' });
			said.push(
				await connection.callTool('whoami', {}).then(
					() => 'no failure',
					(error: Error) => error.message,
				),
			);
			Object.assign(authorization.behavior, { echo: '', tokenRefusal: '' });
			await connection.callTool('whoami', {});
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
		const written = JSON.stringify([here.logs, here.trace.entries, guest.requests, here.refusals, said]);
		expect(said.filter((words) => words.includes('refused the sign-in'))).toHaveLength(4);
		for (const secret of secrets) {
			expect(written).not.toContain(secret);
		}
	});

	it('of a sign-in that a server repeats are hidden in the timeline', async () => {
		const connection = await here.connect(definition());
		const { token } = shown(await connection.callTool('whoami', {}));
		expect(token).toMatch(/^access-/);
		expect(JSON.stringify(here.trace.entries)).toContain('whoami');
		expect(JSON.stringify(here.trace.entries)).not.toContain(token);
	});

	it('of the configuration go to the server’s own origin alone', async () => {
		await here.connect(definition({ headers: { 'x-api-key': 'planted' } }));
		expect(server.requests.every((headers) => headers['x-api-key'] === 'planted')).toBe(true);
		expect(JSON.stringify(authorization.seen)).not.toContain('planted');
	});

	it('that somebody else wrote are not read', async () => {
		guest.secrets.set('guarded', 'no JSON');
		await here.connect(definition());
		expect(guest.requests).toHaveLength(1);
	});
});

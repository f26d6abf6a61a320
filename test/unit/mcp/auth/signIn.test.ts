import { describe, expect, it, type Mock, vi } from 'vitest';
import type { HttpDefinition } from '../../../../src/config/definition.ts';
import { Authorization } from '../../../../src/mcp/auth/auth.ts';
import { type SignIn, SignInNeeded } from '../../../../src/mcp/auth/signIn.ts';
import type { NoAnswer } from '../../../../src/mcp/index.ts';
import type { Failure } from '../../../../src/mcp/wire/failure.ts';
import { define, shown } from '../testClient.ts';
import {
	anotherIssuer,
	authorization,
	connect,
	definition,
	demand,
	failure,
	forEver,
	Guest,
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

describe('signing in', () => {
	it.each(['2025-11-25', '2026-07-28', 'auto'])(
		'lets the user in, once, and the token reach the server (%s)',
		async (protocolVersion) => {
			const connection = await connect({ protocolVersion });
			expect(connection.tools.map(({ name }) => name)).toEqual(['whoami', 'write']);
			const { client } = shown(await whoami(connection));
			expect([...authorization.clients.keys()]).toEqual([client]);
			expect(guest.requests).toHaveLength(1);
			expect(connection.signedInAt).toBe(authorization.issuer);
		},
	);

	it('shows first which server wants what from whom, and the very page that opens', async () => {
		await demand({ requiredScopes: ['read', 'list'] });
		await connect();
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
		await connect();
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

	it('names the endpoint at which it is registered only where it would be', async () => {
		authorization.clients.set('mine', undefined);
		await connect({ oauth: { clientId: 'mine' } });
		expect(guest.requests[0]).not.toHaveProperty('registrationEndpoint');
	});

	it('comes back to another place for each authorization server', async () => {
		const issuers: string[] = [];
		const { redirect } = guest;
		guest.redirect = async (_definition?: unknown, issuer = '') => {
			issuers.push(issuer);
			return redirect.call(guest);
		};
		const connection = await connect();
		const other = await anotherIssuer();
		server.trust.authorization = other;
		await whoami(connection);
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
		await connect();
		await here.close();
		guest.secrets.clear();
		await connect();
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
		const release = holdTokens();
		const connecting = connect();
		await soon(() => expect(authorization.seen.tokens).toHaveLength(1));
		expect(freed).toHaveBeenCalledOnce();
		release();
		await connecting;
		expect(freed).toHaveBeenCalledOnce();
	});

	it('asks for what the definition says, and for lasting access where that is offered', async () => {
		authorization.behavior.scopes = ['read', 'offline_access'];
		await connect({ oauth: { scopes: ['read'] } });
		expect(guest.requests[0]?.scopes).toEqual(['read', 'offline_access']);
	});

	it('happens on an older server with SSE, too', async () => {
		await expect(connect({ type: 'sse' })).rejects.toThrow();
		expect(guest.requests).toHaveLength(1);
		expect(server.requests.at(-1)).toMatchObject({ accept: 'text/event-stream', authorization: /^Bearer access-/ });
	});

	it('is the user’s time, not the server’s (A04)', async () => {
		const connection = await connect();
		authorization.expire('access', 'refresh');
		let answer: (answer: NoAnswer) => void = () => {};
		guest.instead = () =>
			new Promise((resolve) => {
				answer = resolve;
			});
		const result = whoami(connection);
		await soon(() => expect(guest.visits).toHaveLength(2));
		const [call] = here.registry.calls;
		expect(call?.clock.asking).toBe(true);
		answer('abandoned');
		await expect(result).rejects.toThrow('was cancelled');
		expect(call?.clock.asking).toBe(false);
	});
});

/** Changes what the authorization server writes at these places. */
function written(change: (body: Record<string, unknown>) => object, path = /./): void {
	authorization.behavior.edit = (to, _request, { status, body }) => ({
		status,
		body: path.test(to) ? change(body) : body,
	});
}

describe('what is written of a sign-in', () => {
	/** Members that nobody needs, as some write them. */
	const unset = {
		...{ contacts: null, client_uri: '', logo_uri: null, tos_uri: 0, policy_uri: {}, jwks: null, jwks_uri: '' },
		...{ grant_types: null, response_types: null, token_endpoint_auth_method: '', client_secret_expires_at: null },
		...{ scopes_supported: null, grant_types_supported: '', service_documentation: '', introspection_endpoint: null },
		...{ response_types_supported: null, code_challenge_methods_supported: ['S256', null], revocation_endpoint: '' },
		...{ scope: null, expires_in: null, refresh_token: '', id_token: null, client_secret: '' },
	};

	it.each([
		['null and empty members', (body: object) => ({ ...body, ...unset })],
		['few members', ({ token_type: _t, redirect_uris: _r, response_types_supported: _s, ...rest }) => rest],
		['members of other types', (body: object) => ({ ...body, expires_in: '1h', client_name: 1, scope: ['a', 'b'] })],
	] as [string, (body: Record<string, unknown>) => object][])('may have %s', async (_what, change) => {
		written(change);
		const connection = await connect();
		expect(shown(await whoami(connection))).toMatchObject({ client: [...authorization.clients.keys()][0] });
		expect(authorization.seen.pages[0]).toMatchObject({ code_challenge_method: 'S256' });
		authorization.expire('access', 'refresh');
		await whoami(connection);
		expect(authorization.seen.registrations).toHaveLength(1);
	});

	it('may be a registration without an id, which no schema explains to the user', async () => {
		written(() => ({ client_id: null }), /register/);
		guest.registered = 'mine';
		expect(shown(await whoami(await connect()))).toMatchObject({ client: 'mine' });
	});

	it.each([
		['', '/', '/'],
		['/', '', ''],
		['/', '/', '/'],
	])('may have issuers with and without the slash of no path (%j %j %j)', async (named, own, answered) => {
		const { issuer } = authorization;
		Object.assign(server.trust, { authorization: { ...authorization, issuer: `${issuer}${named}` } });
		authorization.behavior.issuer = `${issuer}${own}`;
		guest.tamper = (answer) => answer.set('iss', `${issuer}${answered}`);
		const connection = await connect();
		authorization.behavior.issuer = `${issuer}${own === '' ? '/' : ''}`;
		authorization.expire('access');
		await whoami(connection);
		expect([guest.requests.length, connection.signedInAt]).toEqual([1, issuer]);
		await connection.signOut();
		expect(authorization.seen.revoked).toHaveLength(1);
	});
});

describe('as whom this client presents itself', () => {
	it('is what it registers itself as: a program on the user’s computer, without a secret where that is possible', async () => {
		await connect();
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
			const connection = await connect();
			authorization.expire('access');
			expect(shown(await whoami(connection))).toMatchObject({ tool: 'whoami' });
			await connection.signOut();
			expect(authorization.seen.revoked).toHaveLength(1);
		},
	);

	it('is registered anew when the authorization server has forgotten it', async () => {
		const connection = await connect();
		authorization.expire('access');
		authorization.behavior.tokenRefusal = 'invalid_client';
		guest.willing = false;
		await expect(whoami(connection)).rejects.toThrow('You did not sign in');
		guest.willing = true;
		authorization.behavior.tokenRefusal = '';
		await whoami(connection);
		expect(authorization.seen.registrations).toHaveLength(2);
	});

	it.each<NoAnswer>(['abandoned', 'late'])('is registered anew when nobody came back (%s)', async (why) => {
		guest.instead = async () => why;
		await failure();
		guest.instead = undefined;
		await connect();
		expect(authorization.seen.registrations).toHaveLength(2);
	});

	it.each([
		['is a document where the definition names one and the authorization server takes it', true],
		['is registered where the authorization server takes no documents', false],
	])('%s', async (_what, cimd) => {
		const clientMetadataUrl = 'https://client.example/id.json';
		authorization.behavior.cimd = cimd;
		await connect({ oauth: { clientMetadataUrl } });
		expect(authorization.seen.registrations).toHaveLength(cimd ? 0 : 1);
		expect(authorization.seen.pages[0]?.client_id === clientMetadataUrl).toBe(cimd);
	});

	it('is the user’s own registration, whose secret is asked for once', async () => {
		meet(new Guest('hush'));
		authorization.clients.set('mine', 'hush');
		authorization.behavior.methods = ['client_secret_basic'];
		const oauth = { clientId: 'mine' };
		const connection = await connect({ oauth });
		authorization.expire('access', 'refresh');
		await whoami(connection);
		expect(guest.secretsAsked).toBe(1);
		expect(authorization.seen.registrations).toEqual([]);
	});

	it('is the user’s own registration, without a secret where none is needed', async () => {
		authorization.clients.set('mine', undefined);
		await connect({ oauth: { clientId: 'mine' } });
		expect(guest.secretsAsked).toBe(0);
	});

	it('is asked about again when the secret was wrong', async () => {
		meet(new Guest('wrong'));
		authorization.clients.set('mine', 'hush');
		authorization.behavior.methods = ['client_secret_post'];
		const oauth = { clientId: 'mine' };
		expect(await failure({ oauth })).toMatch(
			/^guarded: The authorization server refused the sign-in \(invalid_client\)/,
		);
		await failure({ oauth });
		expect(guest.secretsAsked).toBe(2);
	});

	it.each([
		['registers nobody', { registration: false }, undefined],
		['does not register this client', { unregistered: 403 }, 'HTTP status 403: Ask the administrator.'],
	])('is what the user enters where the authorization server %s, kept for it', async (_what, behavior, refusal) => {
		meet(new Guest('hush'));
		Object.assign(authorization.behavior, { ...behavior, methods: ['client_secret_post'] });
		expect(await failure()).toContain('You did not sign in');
		guest.registered = 'mine';
		authorization.clients.set('mine', 'hush');
		const connection = await connect();
		expect(shown(await whoami(connection))).toMatchObject({ client: 'mine' });
		authorization.expire('access', 'refresh');
		await whoami(connection);
		const asked = { server: 'guarded', issuer: authorization.issuer, redirectUrl: 'http://127.0.0.1:3000/callback' };
		expect(guest.idsAsked).toEqual(Array(2).fill({ ...asked, ...(refusal && { refusal }) }));
		expect([guest.requests.length, guest.secretsAsked]).toEqual([3, 1]);
	});

	it('is asked for again, and not registered, after the authorization server has refused the one that was entered', async () => {
		Object.assign(authorization.behavior, { registration: false, tokenRefusal: 'invalid_client' });
		guest.registered = 'wrong';
		expect(await failure()).toContain('refused the sign-in (invalid_client)');
		authorization.behavior.tokenRefusal = '';
		guest.registered = 'mine';
		expect(shown(await whoami(await connect()))).toMatchObject({ client: 'mine' });
	});

	it.each([429, 503])('is not asked for while registrations are out of order (%i)', async (status) => {
		authorization.behavior.unregistered = status;
		expect(await failure()).toBe(
			`guarded: The authorization server for ${server.url} does not register this client: HTTP status ${status}: Ask the administrator. Start the server to sign in.`,
		);
		expect(guest.idsAsked).toEqual([]);
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

	/** Starts the server, which is stopped when `reached` has resolved. */
	async function stopped(reached: () => Promise<unknown>, more: object = {}) {
		const connection = here.create(definition(more));
		const start = connection.start();
		start.catch(() => {});
		await reached();
		await connection.stop();
		return { connection, start };
	}

	/** Watches the place that the browser comes back to. Resolves to what frees it. */
	async function watchedRedirect() {
		const redirect = await guest.redirect();
		return { redirect, freed: vi.spyOn(redirect, 'dispose') };
	}

	const called = (watched: Mock) => soon(() => expect(watched).toHaveBeenCalled());

	it('is ended by stopping the server', async () => {
		guest.instead = forEver;
		const { connection, start } = await stopped(() => soon(() => expect(guest.visits).toHaveLength(1)));
		await expect(start).rejects.toThrow('The server was stopped while it was starting.');
		expect(connection.state).toBe('stopped');
	});

	it('is ended by stopping the server while the user is asked for the secret of a client, and frees its port', async () => {
		authorization.behavior.methods = ['client_secret_basic'];
		const { redirect, freed } = await watchedRedirect();
		vi.spyOn(guest, 'redirect').mockResolvedValue(redirect);
		const asked = vi.spyOn(guest as SignIn, 'clientSecret').mockImplementation(async (...[, , , signal]) => {
			return forEver(signal).catch(() => undefined);
		});
		const { start } = await stopped(() => called(asked), { oauth: { clientId: 'mine' } });
		await expect(start).rejects.toThrow('The server was stopped while it was starting.');
		await called(freed);
	});

	it('does not ask for the secret of a client once the server was stopped while its port was opened', async () => {
		authorization.behavior.methods = ['client_secret_basic'];
		const { redirect, freed } = await watchedRedirect();
		let open = () => {};
		const opened = new Promise<void>((resolve) => {
			open = resolve;
		});
		const opening = vi.spyOn(guest, 'redirect').mockImplementation(() => opened.then(() => redirect));
		await stopped(() => called(opening), { oauth: { clientId: 'mine' } });
		open();
		await called(freed);
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
		const connection = await connect();
		guest.willing = false;
		await expect(connection.callTool('write', {})).rejects.toThrow('You did not sign in');
		expect(connection.state).toBe('running');
		expect(shown(await whoami(connection))).toMatchObject({ tool: 'whoami' });
	});
});

describe('a sign-in that cannot be trusted', () => {
	/** What is said of a response. */
	const TAMPERED = /^guarded: The response to the sign-in d.* not used.* Someone may be tampering with it/;

	it.each([
		['comes from another issuer', { iss: 'wrong' }],
		['does not say from whom it comes, though it should', { iss: 'none' }],
		['comes from another issuer, though nobody promised to tell', { iss: 'wrong', issAdvertised: false }],
		['is a refusal from another issuer', { iss: 'wrong', refusal: 'access_denied' }],
	] as const)('is not used when it %s', async (_what, behavior) => {
		Object.assign(authorization.behavior, behavior);
		const words = await failure();
		expect(words).toMatch(TAMPERED);
		expect(words).toContain(`"${authorization.issuer}"`);
		expect(words.includes('"https://somebody.else.example"')).toBe(behavior.iss === 'wrong');
		expect(authorization.seen.tokens).toEqual([]);
	});

	it('is used where nobody promised to tell from whom it comes', async () => {
		Object.assign(authorization.behavior, { iss: 'none', issAdvertised: false });
		await connect();
		expect(authorization.seen.tokens).toHaveLength(1);
	});

	it.each([
		['wrong', 0],
		['right', 1],
		['none', 1],
	] as const)('is matched with who was asked where that publishes no metadata (iss: %s)', async (iss, redeemed) => {
		Object.assign(authorization.behavior, { iss, silent: true });
		expect(await failure()).toMatch(redeemed === 0 ? TAMPERED : 'no failure');
		expect(authorization.seen.tokens).toHaveLength(redeemed);
	});

	it('is not used when it answers another request', async () => {
		guest.tamper = (answer) => answer.set('state', 'another');
		expect(await failure()).toContain('The browser returned the response to another request.');
		expect(authorization.seen.tokens).toEqual([]);
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
		await demand({
			requiredScopes: Array.from({ length: 60 }, (_, index) => `https://www.example.com/auth/read.${index}`),
		});
		expect(await failure()).toContain('It asks for 60 permissions, which are more than can be shown.');
		expect(guest.requests).toEqual([]);
		await failure({ oauth: { scopes: ['read'] } });
		expect(guest.requests[0]?.scopes).toEqual(['read']);
	});

	it.each<[string, () => unknown, () => string]>([
		[
			'is not begun when the metadata are somebody else’s',
			() => Object.assign(authorization.behavior, { issuer: 'https://somebody.else.example' }),
			() =>
				`The server names the authorization server "${authorization.issuer}", which calls itself "https://somebody.else.example". Someone may be tampering`,
		],
		[
			'is not begun without PKCE',
			() => Object.assign(authorization.behavior, { pkce: false }),
			() =>
				`${authorization.issuer} does not say that it protects sign-ins with PKCE (S256). MCP allows none without. ` +
				'Tell whoever runs the server, or put a token into "headers" of its definition.',
		],
		[
			'is not begun where the issuer is at the same place, but written otherwise; nobody is blamed',
			() => Object.assign(server.trust, { authorization: { ...authorization, issuer: `${authorization.issuer}/?a` } }),
			() =>
				`The server names the authorization server "${authorization.issuer}/?a", which calls itself "${authorization.issuer}". Both must be written alike`,
		],
		[
			'is not begun where nobody says at which page',
			() => written(({ authorization_endpoint: _page, ...rest }) => rest),
			() =>
				`The document at ${authorization.issuer}/.well-known/oauth-authorization-server lacks "authorization_endpoint", without which nobody can sign in.`,
		],
		[
			'is not begun for a server that says it is another',
			() => demand({ resource: 'https://somebody.else.example/mcp' }),
			() => 'The server says that it is https://somebody.else.example/mcp, which is another address.',
		],
		[
			'is not begun at an address without encryption',
			() =>
				Object.assign(server.trust, { authorization: { ...authorization, issuer: 'http://somebody.else.example' } }),
			() => 'The server names http://somebody.else.example, which is not a safe address for signing in.',
		],
		[
			'is not begun at a page whose address cannot be shown whole',
			() => Object.assign(authorization.behavior, { query: `?next=${'x'.repeat(1_000)}` }),
			() => 'The sign-in URL is refused: The URL is longer than 1000 characters.',
		],
	])('%s', async (_what, spoil, words) => {
		await spoil();
		const error = await connect().then(
			() => undefined,
			(failed: Failure) => failed,
		);
		expect(error?.message).toContain(words());
		// The definition is shown only to those who can correct it there.
		expect(error?.definition !== undefined).toBe(error?.message.includes('its definition'));
		expect([guest.requests, authorization.seen.pages]).toEqual([[], []]);
	});

	it('is not used when its token could not be sent, and does not say it', async () => {
		authorization.behavior.access = 'split\nin two';
		const words = await failure();
		expect(words).toContain('The authorization server gave a token that cannot be sent.');
		expect(words).not.toContain('in two');
	});
});

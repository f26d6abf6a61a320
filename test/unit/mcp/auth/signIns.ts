import { afterEach, beforeEach, vi } from 'vitest';
import type { ClientRequest, Connection, NoAnswer, Redirect, SignInRequest, Visit } from '../../../../src/mcp/index.ts';
import { Visitor } from '../../../conformance/visitor.ts';
import { type AuthorizationServer, authorizationServer, protectedServer } from '../../../servers/authorization.mjs';
import { define, type TestClient, testClients } from '../testClient.ts';

/** A user who can also do something other than sign in. */
export class Guest extends Visitor {
	willing = true;
	/** Runs instead of a visit. */
	instead: ((signal: AbortSignal) => Promise<URLSearchParams | NoAnswer>) | undefined;
	/** Modifies the query of the redirect. */
	tamper: (answer: URLSearchParams) => void = () => {};
	readonly visits: Visit[] = [];
	secretsAsked = 0;
	/** The id of the client that the user has registered. */
	registered: string | undefined;
	readonly idsAsked: ClientRequest[] = [];

	override async consent(request: SignInRequest): Promise<boolean> {
		return (await super.consent(request)) && this.willing;
	}

	override async visit(visit: Visit, redirect: Redirect, signal: AbortSignal) {
		this.visits.push(visit);
		const answer = await (this.instead ? this.instead(signal) : super.visit(visit, redirect, signal));
		if (typeof answer !== 'string') this.tamper(answer);
		return answer;
	}

	override async clientId(request: ClientRequest): Promise<string | undefined> {
		this.idsAsked.push(request);
		return this.registered;
	}

	override clientSecret(): Promise<string | undefined> {
		this.secretsAsked++;
		return super.clientSecret();
	}
}

/** Waits until the signal aborts. */
export function forEver(signal: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

/*
 * What each test of a file that has called `useSignIns` starts with. Imports see the present values.
 */

/** The window of the user. */
export let here: TestClient;
export let guest: Guest;
/** The authorization server of `server`. */
export let authorization: AuthorizationServer;
/** A server that takes a sign-in. */
export let server: Awaited<ReturnType<typeof protectedServer>>;
let world: () => TestClient;
const stops: (() => Promise<void>)[] = [];

export function useSignIns(): void {
	const clients = testClients();
	beforeEach(async () => {
		world = clients;
		here = world();
		meet(new Guest());
		authorization = await anotherIssuer();
		await demand();
	});
	afterEach(async () => {
		await here.close();
		await Promise.all(stops.splice(0).map((stop) => stop()));
	});
}

/** Has this user sign in from now on. */
export function meet(another: Guest): void {
	guest = another;
	here.signIn = guest;
}

/** Another authorization server. */
export async function anotherIssuer(): Promise<AuthorizationServer> {
	const started = await authorizationServer();
	stops.push(started.stop);
	return started;
}

/** Puts another server in the place of `server`. */
export async function demand(options: Parameters<typeof protectedServer>[1] = {}): Promise<void> {
	server = await protectedServer(authorization, options);
	stops.push(server.stop);
}

/** Another window of the same user. */
export function anotherWindow(): TestClient {
	const next = world();
	next.signIn = guest;
	return next;
}

/** Makes responses to token requests wait. Returns what lets them go. */
export function holdTokens(): () => void {
	let release = () => {};
	authorization.behavior.held = new Promise<void>((resolve) => {
		release = resolve;
	});
	return () => {
		release();
		authorization.behavior.held = undefined;
	};
}

export function definition(more: object = {}) {
	return define('guarded', { url: server.url, ...more });
}

/** Connects to the server in a window. */
export function connect(more: object = {}, client = here): Promise<Connection> {
	return client.connect(definition(more));
}

/** The error message of a failed start. */
export function failure(more: object = {}): Promise<string> {
	return connect(more).then(
		() => 'no failure',
		(error: Error) => error.message,
	);
}

/** Calls the tool that everybody may use who has signed in. */
export function whoami(connection: Connection) {
	return connection.callTool('whoami', {});
}

/** What the authorization server was asked for. */
export function grants(): (string | undefined)[] {
	return authorization.seen.tokens.map(({ grant_type }) => grant_type);
}

/** Waits until this holds, however busy the machine is. */
export function soon(assertion: () => unknown): Promise<unknown> {
	return vi.waitFor(assertion);
}

import type { ClientRequest, NoAnswer, Redirect, Secret, SignIn, SignInRequest, Visit } from '../../src/mcp/index.ts';

/** Where the visitor's browser is sent back to: it looks at the address and goes no further. */
const REDIRECT = 'http://127.0.0.1:3000/callback';

/** A user with a browser that follows every redirection, and with a good memory. */
export class Visitor implements SignIn {
	/** Everything that the user was asked for. */
	readonly requests: SignInRequest[] = [];
	/** What is kept, by server. */
	readonly secrets = new Map<string, string>();

	/** @param secret the secret of the client that the user has registered */
	constructor(private readonly password = '') {}

	secret(server: string): Secret {
		const { secrets } = this;
		return {
			read: async () => secrets.get(server),
			write: async (value) => {
				secrets.set(server, value);
			},
			remove: async () => {
				secrets.delete(server);
			},
		};
	}

	async redirect(): Promise<Redirect> {
		return { url: REDIRECT, answer: () => new Promise(() => {}), dispose: () => {} };
	}

	async consent(request: SignInRequest): Promise<boolean> {
		this.requests.push(request);
		return true;
	}

	async visit(visit: Visit, _redirect: Redirect, _signal: AbortSignal): Promise<URLSearchParams | NoAnswer> {
		for (let { url } = visit; ; ) {
			const { headers, status } = await fetch(url, { redirect: 'manual' });
			const location = headers.get('location');
			if (location === null) {
				throw new Error(`The page at ${url} leads nowhere (status ${status}).`);
			}
			url = new URL(location, url).href;
			if (url.startsWith(REDIRECT)) {
				return new URL(url).searchParams;
			}
		}
	}

	async clientId(_request: ClientRequest): Promise<string | undefined> {
		return undefined;
	}

	async clientSecret(): Promise<string | undefined> {
		return this.password;
	}
}

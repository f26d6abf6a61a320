import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import { isObject, own } from '../../elicitation/json.ts';
import type { Secrets } from '../../trace/secrets.ts';
import type { Secret } from './signIn.ts';

/** What one authorization server gave to us for one server. */
export interface Account {
	/** As whom we are known there. */
	readonly client?: OAuthClientInformationMixed;
	readonly tokens?: OAuthTokens;
}

interface Stored {
	/** Whom all of it is for. Anybody else never gets to see it. */
	readonly audience: string;
	/** Where the user is signed in. */
	readonly current?: string;
	readonly accounts: Readonly<Record<string, Account>>;
}

/**
 * What is kept in secret for one server: bound to its definition and, within, to the authorization server that gave it.
 * A server of the same name with another URL or another client finds nothing.
 */
export class Credentials {
	readonly #audience: string;
	#stored: Promise<Stored> | undefined;
	#current: string | undefined;

	constructor(
		{ url, oauth }: HttpDefinition,
		private readonly secret: Secret,
		private readonly secrets: Pick<Secrets, 'add'>,
	) {
		this.#audience = JSON.stringify([url, oauth?.clientId ?? null, oauth?.clientMetadataUrl ?? null]);
	}

	/** The authorization server at which the user is signed in, as far as is known by now. */
	get current(): string | undefined {
		return this.#current;
	}

	/** Where the user is signed in, and with what. */
	async signedIn(): Promise<{ readonly issuer: string; readonly account: Account } | undefined> {
		const { current: issuer, accounts } = await this.#load();
		const account = issuer === undefined ? undefined : accounts[issuer];
		return issuer !== undefined && account?.tokens ? { issuer, account } : undefined;
	}

	/** The token to show to the server. */
	async token(): Promise<string | undefined> {
		return (await this.signedIn())?.account.tokens?.access_token;
	}

	async of(issuer: string): Promise<Account> {
		return (await this.#load()).accounts[issuer] ?? {};
	}

	/** Looks again: another window may have renewed the token meanwhile. */
	refresh(): void {
		this.#stored = undefined;
	}

	/** Changes what is known of one authorization server; with tokens, the user is signed in there from now on. */
	async save(issuer: string, change: { readonly [Key in keyof Account]: Account[Key] | undefined }): Promise<void> {
		const before = await this.#load();
		const account = Object.fromEntries(
			Object.entries({ ...before.accounts[issuer], ...change }).filter(([, value]) => value !== undefined),
		);
		const current = account.tokens === undefined ? before.current : issuer;
		const stored: Stored = {
			audience: this.#audience,
			...(current !== undefined && { current }),
			accounts: accountsOf({ ...before.accounts, [issuer]: account }),
		};
		await this.secret.write(JSON.stringify(stored));
		this.#keep(stored);
	}

	/** Forgets all of it. */
	async forget(): Promise<void> {
		await this.secret.remove();
		this.#keep(this.#nothing);
	}

	get #nothing(): Stored {
		return { audience: this.#audience, accounts: accountsOf({}) };
	}

	#load(): Promise<Stored> {
		this.#stored ??= Promise.resolve(this.secret.read()).then(
			(text) => {
				const stored = text === undefined ? this.#nothing : this.#read(text);
				this.#keep(stored);
				return stored;
			},
			(error) => {
				this.#stored = undefined;
				throw error;
			},
		);
		return this.#stored;
	}

	#keep(stored: Stored): void {
		this.secrets.add(Object.values(stored.accounts).flatMap(secretsOf));
		this.#stored = Promise.resolve(stored);
		this.#current = stored.accounts[stored.current ?? '']?.tokens ? stored.current : undefined;
	}

	/** What this room wrote, if it was for this audience. */
	#read(text: string): Stored {
		let value: unknown;
		try {
			value = JSON.parse(text);
		} catch {
			return this.#nothing;
		}
		if (own(value, 'audience') !== this.#audience || !isObject(own(value, 'accounts'))) {
			return this.#nothing;
		}
		const stored = value as Stored;
		return { ...stored, accounts: accountsOf(stored.accounts) };
	}
}

function secretsOf({ tokens, client }: Account): string[] {
	return [tokens?.access_token, tokens?.refresh_token, client?.client_secret].filter((secret) => secret !== undefined);
}

/** Keyed by names that servers choose. */
function accountsOf(accounts: Readonly<Record<string, Account>>): Readonly<Record<string, Account>> {
	return Object.assign(Object.create(null), accounts);
}

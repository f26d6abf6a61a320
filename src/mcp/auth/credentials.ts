import type { OAuthTokens } from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import { isObject, own } from '../../elicitation/json.ts';
import { parsedJson } from '../../elicitation/jsonText.ts';
import type { Secrets } from '../../privacy/secrets.ts';
import { type Client, canonicalIssuer, present, readClient, readTokens, textsIn } from './documents.ts';
import type { Secret } from './signIn.ts';

/** What one authorization server issued for one MCP server. */
export interface Account {
	/** The client registration. */
	readonly client?: Client;
	readonly tokens?: OAuthTokens;
	/** The endpoints that the user has consented to. Nothing is sent to any other. */
	readonly endpoints?: readonly string[];
}

type Change = { readonly [Key in keyof Account]: Account[Key] | undefined };

interface Stored {
	/** The server definition that the credentials are bound to. No other definition can read them. */
	readonly audience: string;
	/** Issuer of the authorization server where the user is signed in. */
	readonly current?: string;
	/** By canonical issuer. */
	readonly accounts: Readonly<Record<string, Account>>;
}

/**
 * The stored credentials of one server, bound to its definition and, within it, to the authorization server that issued
 * them. A server with the same name but another URL or client can't read them.
 */
export class Credentials {
	readonly #audience: string;
	#stored: Promise<Stored> | undefined;
	#current: string | undefined;
	#generation = 0;
	/** Changes are stored one after another. */
	#writing: Promise<unknown> = Promise.resolve();

	constructor(
		{ url, oauth }: HttpDefinition,
		private readonly secret: Secret,
		private readonly secrets: Pick<Secrets, 'add'>,
	) {
		this.#audience = JSON.stringify([url, oauth?.clientId ?? null, oauth?.clientMetadataUrl ?? null]);
	}

	/** The authorization server where the user is signed in, once the credentials are loaded. */
	get current(): string | undefined {
		return this.#current;
	}

	/** The authorization server where the user is signed in, with the account there. */
	async signedIn(): Promise<{ readonly issuer: string; readonly account: Account } | undefined> {
		const { current: issuer, accounts } = await this.#load();
		const account = issuer === undefined ? undefined : accounts[issuer];
		return issuer !== undefined && account?.tokens ? { issuer, account } : undefined;
	}

	/** The access token to send to the server. */
	async token(): Promise<string | undefined> {
		return (await this.signedIn())?.account.tokens?.access_token;
	}

	async of(issuer: string): Promise<Account> {
		return (await this.#load()).accounts[canonicalIssuer(issuer)] ?? {};
	}

	/** Drops the cache, because another window may have refreshed the token. */
	refresh(): void {
		this.#stored = undefined;
	}

	/** Raised when the credentials are deleted, so that what was requested before isn't stored after. */
	get generation(): number {
		return this.#generation;
	}

	/**
	 * Updates the account at one authorization server. If the update has tokens, the user is signed in there from now on.
	 * Resolves to false if the credentials have been deleted since that generation: nothing is stored then.
	 */
	save(issuer: string, change: Change, generation: number): Promise<boolean> {
		return this.#saveIf(() => true, issuer, change, generation);
	}

	/** Saves a client, or forgets it. Not while there is a refresh token, which only its own client can use. */
	saveClient(issuer: string, client: Account['client'], generation: number): Promise<boolean> {
		return this.#saveIf((before) => before?.tokens?.refresh_token === undefined, issuer, { client }, generation);
	}

	/** Saves what a sign-in has given. Also resolves to false if another window has deleted the credentials. */
	saveSignIn(issuer: string, account: Required<Account>, generation: number): Promise<boolean> {
		return this.#saveIf((before) => before !== undefined, issuer, account, generation);
	}

	#saveIf(
		mayChange: (before: Account | undefined) => boolean,
		named: string,
		change: Change,
		generation: number,
	): Promise<boolean> {
		const issuer = canonicalIssuer(named);
		return this.#afterOthers(async () => {
			const { accounts } = await this.#load();
			if (generation !== this.#generation || !mayChange(accounts[issuer])) {
				return false;
			}
			await this.#write(issuer, change);
			return true;
		});
	}

	async #write(issuer: string, change: Change): Promise<void> {
		const before = await this.#load();
		const account = present({ ...before.accounts[issuer], ...change });
		const current = account.tokens === undefined ? before.current : issuer;
		const stored: Stored = {
			audience: this.#audience,
			...(current !== undefined && { current }),
			accounts: accountsOf({ ...before.accounts, [issuer]: account }),
		};
		await this.secret.write(JSON.stringify(stored));
		this.#keep(stored);
	}

	/** Deletes all credentials. Resolves to those of the authorization server where the user was signed in. */
	forget(): ReturnType<Credentials['signedIn']> {
		this.#generation++;
		return this.#afterOthers(async () => {
			const before = await this.signedIn();
			await this.secret.remove();
			this.#keep(this.#nothing);
			return before;
		});
	}

	#afterOthers<T>(change: () => Promise<T>): Promise<T> {
		const changed = this.#writing.then(() => {
			// Another window may have signed in or out meanwhile.
			this.refresh();
			return change();
		});
		this.#writing = changed.catch(() => {});
		return changed;
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

	/** Parses stored credentials. Those for another audience, and what is damaged, are ignored. */
	#read(text: string): Stored {
		const value = parsedJson(text);
		const accounts = own(value, 'accounts');
		if (own(value, 'audience') !== this.#audience || !isObject(accounts)) {
			return this.#nothing;
		}
		const current = own(value, 'current');
		const read = Object.entries(accounts).map(([issuer, account]) => [canonicalIssuer(issuer), readAccount(account)]);
		return {
			audience: this.#audience,
			...(typeof current === 'string' && { current: canonicalIssuer(current) }),
			accounts: accountsOf(Object.fromEntries(read)),
		};
	}
}

function readAccount(stored: unknown): Account {
	return present({
		client: readClient(own(stored, 'client')),
		tokens: readTokens(own(stored, 'tokens')),
		endpoints: textsIn(stored, 'endpoints'),
	});
}

function secretsOf({ tokens, client }: Account): string[] {
	return [tokens?.access_token, tokens?.refresh_token, client?.client_secret].filter((secret) => secret !== undefined);
}

/** Without a prototype, because servers choose the keys. */
function accountsOf(accounts: Readonly<Record<string, Account>>): Readonly<Record<string, Account>> {
	return Object.assign(Object.create(null), accounts);
}

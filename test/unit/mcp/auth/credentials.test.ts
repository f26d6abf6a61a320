import { expect, it } from 'vitest';
import type { HttpDefinition } from '../../../../src/config/definition.ts';
import { Credentials } from '../../../../src/mcp/auth/credentials.ts';
import { HOSTILE_VALUES, replaced } from '../../../replaced.ts';
import { define } from '../testClient.ts';

const A = 'https://a.example.com';
const B = 'https://b.example.com';

const tokens = (access_token: string) => ({ access_token, token_type: 'Bearer' });

/** A store of secrets that fails as often as the test says. */
class Store {
	text: string | undefined;
	failures = 0;

	async read() {
		this.#mayFail();
		return this.text;
	}

	async write(text: string) {
		this.#mayFail();
		this.text = text;
	}

	async remove() {
		this.#mayFail();
		this.text = undefined;
	}

	#mayFail() {
		if (this.failures > 0) {
			this.failures--;
			throw new Error('The store is locked.');
		}
	}
}

const open = (store: Store) =>
	new Credentials(define('http', { url: 'https://example.com/mcp' }) as HttpDefinition, store, { add: () => {} });

it('are read once the store can be read again', async () => {
	const store = new Store();
	await open(store).save(A, { tokens: tokens('one') }, 0);
	const credentials = open(store);
	store.failures = 1;
	await expect(credentials.token()).rejects.toThrow('The store is locked.');
	expect(await credentials.token()).toBe('one');
});

it('are saved once the store can be written again', async () => {
	const store = new Store();
	const credentials = open(store);
	await credentials.save(A, { tokens: tokens('one') }, 0);
	store.failures = 1;
	await expect(credentials.save(A, { tokens: tokens('two') }, 0)).rejects.toThrow('The store is locked.');
	expect(await credentials.token()).toBe('one');
	expect(await credentials.save(A, { tokens: tokens('three') }, 0)).toBe(true);
	expect(await open(store).token()).toBe('three');
});

it('are not gone for the user where the store could not delete them', async () => {
	const store = new Store();
	const credentials = open(store);
	await credentials.save(A, { tokens: tokens('one') }, 0);
	store.failures = 1;
	await expect(credentials.forget()).rejects.toThrow('The store is locked.');
	expect([credentials.current, await credentials.token()]).toEqual([A, 'one']);
	expect(await credentials.forget()).toMatchObject({ issuer: A, account: { tokens: tokens('one') } });
	expect([credentials.current, await credentials.token(), store.text]).toEqual([undefined, undefined, undefined]);
});

it('of one authorization server stay when those of another are saved', async () => {
	const store = new Store();
	const credentials = open(store);
	await credentials.save(A, { client: { client_id: 'a' }, tokens: tokens('one') }, 0);
	await credentials.save(B, { client: { client_id: 'b' } }, 0);
	expect(credentials.current).toBe(A);
	await credentials.save(B, { tokens: tokens('two') }, 0);
	for (const each of [credentials, open(store)]) {
		expect(await each.of(A)).toEqual({ client: { client_id: 'a' }, tokens: tokens('one') });
		expect(await each.signedIn()).toEqual({
			issuer: B,
			account: { client: { client_id: 'b' }, tokens: tokens('two') },
		});
	}
});

it('of an authorization server are those that it issued, whatever its name is', async () => {
	const store = new Store();
	const credentials = open(store);
	await credentials.save('__proto__', { tokens: tokens('one') }, 0);
	for (const each of [credentials, open(store)]) {
		expect(await each.of('__proto__')).toEqual({ tokens: tokens('one') });
		expect(await each.of('access_token')).toEqual({});
		expect(await each.of('constructor')).toEqual({});
	}
});

it('keep the client of a sign-in that is being saved, not another one that is registered meanwhile', async () => {
	const credentials = open(new Store());
	const account = {
		client: { client_id: 'a' },
		tokens: { ...tokens('one'), refresh_token: 'two' },
		endpoints: ['https://a.example/token'],
	};
	void credentials.save(A, account, 0);
	await credentials.saveClient(A, { client_id: 'b' }, 0);
	expect(await credentials.of(A)).toEqual(account);
});

it('of a sign-in are kept whose client is still being saved', async () => {
	const credentials = open(new Store());
	const client = { client_id: 'a' };
	void credentials.saveClient(A, client, 0);
	expect(await credentials.saveSignIn(A, { client, tokens: tokens('one'), endpoints: [] }, 0)).toBe(true);
});

it.each(HOSTILE_VALUES)('that are damaged are as good as none, and are repaired by signing out: %j', async (by) => {
	const store = new Store();
	const account = { client: { client_id: 'a' }, tokens: { ...tokens('one'), refresh_token: 'two' }, endpoints: [A] };
	await open(store).save(A, account, 0);
	for (const damaged of replaced(JSON.parse(store.text ?? ''), by)) {
		store.text = JSON.stringify(damaged);
		const credentials = open(store);
		const token = await credentials.token();
		expect(token === undefined || typeof token === 'string').toBe(true);
		expect(await credentials.save(A, { tokens: tokens('three') }, 0)).toBe(true);
		store.text = JSON.stringify(damaged);
		await open(store).forget();
		expect(store.text).toBeUndefined();
	}
});

it('are found by an issuer with and without the slash of no path', async () => {
	const store = new Store();
	await open(store).save(`${A}/`, { tokens: tokens('one') }, 0);
	expect(await open(store).of(A)).toEqual({ tokens: tokens('one') });
	store.text = store.text?.replaceAll(`"${A}"`, `"${A}/"`);
	expect(await open(store).of(`${A}/`)).toEqual({ tokens: tokens('one') });
	expect(await open(store).of(`${A}/path/`)).toEqual({});
	expect((await open(store).signedIn())?.issuer).toBe(A);
});

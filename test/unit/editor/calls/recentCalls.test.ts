import { beforeEach, describe, expect, it } from 'vitest';
import { RecentCalls } from '../../../../src/editor/calls/recentCalls.ts';
import { Secrets } from '../../../../src/privacy/secrets.ts';
import { TraceLog } from '../../../../src/trace/log.ts';
import { memento } from '../storage.ts';

describe('what was called last', () => {
	const stored = new Map<string, string>();
	const secrets = new Secrets();
	/** The servers that have the name of another one now. */
	const replaced = new Set<string>();
	const identify = (server: string) => (replaced.has(server) ? `another ${server}` : server);
	let calls: RecentCalls;

	beforeEach(() => {
		stored.clear();
		replaced.clear();
		calls = new RecentCalls(memento(stored), secrets, identify);
	});

	it('comes first, each tool once, with its last arguments', async () => {
		await calls.add('a', 'one', {}, { x: 1 });
		await calls.add('a', 'two', {}, {});
		await calls.add('b', 'one', {}, { y: 1 });
		await calls.add('a', 'one', {}, { x: 2 });
		expect(calls.all.map(({ server, tool }) => `${server} ${tool}`)).toEqual(['a one', 'b one', 'a two']);
		expect(calls.argsOf('a', 'one')).toEqual({ x: 2 });
		expect(calls.argsOf('c', 'one')).toBeUndefined();
	});

	it('is not of another server that has the name now, until the first one has it again', async () => {
		await calls.add('a', 'one', {}, { x: 1 });
		await calls.add('b', 'one', {}, { y: 1 });
		replaced.add('a');
		expect(calls.argsOf('a', 'one')).toBeUndefined();
		expect(calls.all.map(({ server }) => server)).toEqual(['b']);
		await calls.add('a', 'one', {}, { x: 2 });
		expect(calls.argsOf('a', 'one')).toEqual({ x: 2 });
		replaced.clear();
		expect(calls.argsOf('a', 'one')).toEqual({ x: 1 });
	});

	it('is read as far as it is well-formed', async () => {
		await calls.add('a', 'one', {}, { x: 1 });
		const [good] = calls.all;
		const bad = [
			null,
			'x',
			{ ...good, server: 1 },
			{ ...good, identity: undefined },
			{ ...good, tool: {} },
			{ ...good, args: null },
		];
		stored.set('recentCalls', JSON.stringify([...bad, good]));
		expect(calls.all).toEqual([good]);
		stored.set('recentCalls', '{"a":1}');
		expect(calls.all).toEqual([]);
		await calls.add('a', 'one', {}, { x: 1 });
		expect(calls.all).toEqual([good]);
	});

	it('is no longer remembered after many others', async () => {
		for (let at = 0; at < 30; at++) {
			await calls.add('a', `tool ${at}`, {}, {});
		}
		expect(calls.all.length).toBe(20);
		expect(calls.argsOf('a', 'tool 9')).toBeUndefined();
	});

	it('keeps no repetition of what was entered masked in any form', async () => {
		const trace = new TraceLog(() => 10);
		trace.privacy.entered.add(['hunter-22']);
		await new RecentCalls(memento(stored), trace.privacy, identify).add(
			'a',
			'note',
			{},
			{ text: 'It is hunter-22.', title: 'Note' },
		);
		expect(calls.argsOf('a', 'note')).toEqual({ title: 'Note' });
	});

	it('keeps no secret: no secret field, nothing of the configuration, nothing that looks like a credential', async () => {
		secrets.add(['configured-key']);
		const properties = {
			name: { type: 'string' },
			password: { type: 'string' },
			pin: { type: 'string', format: 'password' },
			deep: { type: 'object', properties: { apiKey: { type: 'string' }, port: { type: 'number' } } },
		};
		const args = {
			name: 'Ada',
			password: 'hunter2-hunter2',
			pin: '1234',
			deep: { apiKey: 'k-123456', port: 80 },
			header: 'Bearer abcdefghijklmnop',
			note: 'my configured-key',
		};
		await calls.add('a', 'login', { type: 'object', properties }, args);
		expect(calls.argsOf('a', 'login')).toEqual({ name: 'Ada', deep: { port: 80 } });
		expect([...stored.values()].join()).not.toMatch(/hunter2|1234|k-123|abcdef|configured/);
	});

	it('is not remembered if the server has given it a very long name', async () => {
		await calls.add('a', 'x'.repeat(30_000), {}, {});
		expect(stored.size).toBe(0);
	});

	it('forgets arguments that are very long', async () => {
		await calls.add('a', 'one', {}, { text: 'x'.repeat(30_000) });
		expect(calls.argsOf('a', 'one')).toEqual({});
	});
});

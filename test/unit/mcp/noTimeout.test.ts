import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noTimeoutFetch } from '../../../src/mcp/http/noTimeoutFetch.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../rawServer/rawServer.ts';
import { callRawServerTool, form } from './faults/rawServerFixtures.ts';
import { serving } from './rawServerSteps.ts';
import { testClients } from './testClient.ts';
import { eventually } from './timing.ts';

const world = testClients();

interface Dispatcher {
	dispatch(options: object, handler: object): boolean;
}

/** The global dispatcher of the platform's `fetch`. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** Shortens the response timeout of the platform's `fetch` from five minutes to a moment. */
async function makeImpatient(): Promise<void> {
	// Created by the first request.
	await fetch('data:,');
	const platform = globalThis as unknown as Record<symbol, Dispatcher>;
	const patient = platform[DISPATCHER] as Dispatcher;
	platform[DISPATCHER] = {
		dispatch: (options, handler) => patient.dispatch({ ...options, headersTimeout: 100, bodyTimeout: 100 }, handler),
	};
	onTestFinished(() => {
		platform[DISPATCHER] = patient;
	});
}

/** Resolves once the platform's `fetch` has timed out on an equally silent server. */
async function patienceOfThePlatform(): Promise<void> {
	const silent = await serving((_request, response) => response.writeHead(200).flushHeaders());
	const response = await fetch(silent);
	await expect(response.text()).rejects.toMatchObject({ cause: { code: 'UND_ERR_BODY_TIMEOUT' } });
}

describe("a user may take longer than the platform's timeout for a silent server (A04)", () => {
	it('while a server asks on the stream of a call', async () => {
		const here = world();
		await makeImpatient();
		const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open);
		const pending = rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		await patienceOfThePlatform();
		expect(elicitation.state).toBe('asking');
		await here.registry.accept(elicitation, { name: 'Ada' });
		await pending.response;
		rawServer.finish(call, { patient: true });
		expect(await calling).toMatchObject({ structuredContent: { patient: true } });
	});

	it.each([LEGACY, MODERN] as const)(
		'and a server of %s may take as long before it says the first word',
		async (revision) => {
			await makeImpatient();
			const { rawServer, calling, call } = await callRawServerTool(world(), RawHttpServer.open, { revision });
			await patienceOfThePlatform();
			rawServer.finish(call, { patient: true });
			expect(await calling).toMatchObject({ structuredContent: { patient: true } });
		},
	);
});

describe('noTimeoutFetch', () => {
	it('delivers a body as fast as it is read', async () => {
		let written = 0;
		const piece = Buffer.alloc(1024 * 1024);
		const url = await serving((_request, response) => {
			const more = () => {
				while (written < 64 && response.write(piece)) written++;
				if (written++ >= 64) response.end();
			};
			response.on('drain', more);
			more();
		});
		const reader = (await noTimeoutFetch(url)).body?.getReader();
		await reader?.read();
		// After another round trip, everything that could be sent has been sent.
		await noTimeoutFetch(url).then(({ body }) => body?.cancel());
		expect(written).toBeLessThan(60);
		let length = 0;
		for (;;) {
			const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
			if (done) break;
			length += value?.length ?? 0;
		}
		expect(length).toBeGreaterThan(32 * 1024 * 1024);
	});

	it('rejects with the abort reason, before and after the response has started', async () => {
		const url = await serving((request, response) => request.url === '/begun' && response.writeHead(200).write('a'));
		const abort = new AbortController();
		const waiting = noTimeoutFetch(url, { signal: abort.signal });
		const begun = await noTimeoutFetch(`${url}/begun`, { signal: abort.signal });
		const reading = begun.text();
		abort.abort(new Error('enough'));
		await expect(waiting).rejects.toThrow('enough');
		await expect(reading).rejects.toThrow();
		await expect(noTimeoutFetch(url, { signal: abort.signal })).rejects.toThrow('enough');
	});

	it('lets any number of requests share a signal, and leaves no listeners on it', async () => {
		const url = await serving((_request, response) => response.end('{}'));
		const warnings: string[] = [];
		const note = ({ name }: Error) => warnings.push(name);
		process.on('warning', note);
		onTestFinished(() => void process.off('warning', note));
		const { signal } = new AbortController();
		const all = Array.from({ length: 50 }, () => noTimeoutFetch(url, { signal }).then((response) => response.text()));
		expect(await Promise.all(all)).toEqual(all.map(() => '{}'));
		await eventually(() => getEventListeners(signal, 'abort').length === 0);
		expect(warnings).toEqual([]);
	});
});

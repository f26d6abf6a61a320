import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
	choices,
	confirmation,
	everyField,
	extrasFor,
	meal,
	orderOf,
	table,
	twoElicitations,
} from '../../../src/demo/forms.ts';
import { demoPeer, type Era, inTurn, type Peer, textOf, type Wire } from './peer.ts';

const refusals = ['decline', 'cancel'] as const;

let peer: Peer;

async function connect(era: Era): Promise<void> {
	peer = await demoPeer(era);
}

afterEach(() => peer?.close());

/** The results in which the server asked for input. */
function rounds(): Wire[] {
	return peer.sent('server', ({ result }) => result?.resultType === 'input_required').map(({ result }) => result);
}

const press = (url: string, method = 'POST') => fetch(url, { method });

/** A user who opens the page and presses its button. */
const pressing = ({ url }: Wire) => {
	setImmediate(() => press(url));
	return { action: 'accept' };
};

describe.each<Era>(['2026-07-28', '2025-11-25'])('the demo in revision %s', (era) => {
	beforeEach(() => connect(era));

	it('lists its tools in the order of a tour, each with a title and one sentence', async () => {
		const { tools } = await peer.client.listTools();
		expect(tools.map(({ name }) => name)).toEqual([
			'book-table',
			'confirm',
			'all-fields',
			'choices',
			'wizard',
			'two-at-once',
			'slow-order',
			'long-report',
			'sign-in',
			'needs-sign-in',
			'echo',
		]);
		for (const { title, description } of tools) {
			expect(title).toMatch(/^[A-Z]/);
			expect(description).toMatch(/^[A-Z][^.]*\.$/);
		}
	});

	it.each([
		['confirm', confirmation, {}],
		['all-fields', everyField, { name: 'Ada', guests: 1, terms: false, days: ['Tue'] }],
		['book-table', table, { date: '2027-01-31', time: '20:00', guests: 2 }],
		['choices', choices, { size: 'S', timeZone: 'Europe/Vienna' }],
	])(
		'%s sends its schema as it is written and shows the accepted content to the letter',
		async (tool, form, content) => {
			peer.person = () => ({ action: 'accept', content });
			const result = await peer.call(tool);
			expect(peer.elicitations).toEqual([{ mode: 'form', ...form }]);
			expect(result.structuredContent).toEqual({ action: 'accept', content });
			for (const [name, value] of Object.entries(content))
				expect(textOf(result)).toContain(`${name} = ${JSON.stringify(value)}`);
		},
	);

	it('answers decline and cancel apart from each other, and neither as a failure', async () => {
		const texts = new Set<string>();
		for (const action of refusals) {
			peer.person = () => ({ action });
			const result = await peer.call('book-table');
			expect(result.structuredContent).toEqual({ action });
			expect(result.isError).toBeUndefined();
			texts.add(textOf(result));
		}
		expect(texts.size).toBe(2);
	});

	it('shows content that no schema would allow, unchecked', async () => {
		const content = { surprise: ['a', ''], empty: '' };
		peer.person = () => ({ action: 'accept', content });
		expect((await peer.call('confirm')).structuredContent).toEqual({ action: 'accept', content });
	});

	it('offers about two hundred time zones', () => {
		const { timeZone } = choices.requestedSchema.properties as Wire;
		expect(timeZone.enum.length).toBeGreaterThan(150);
		expect(timeZone.enum).toContain('UTC');
	});

	it('the wizard asks three elicitations, each depending on the one before', async () => {
		const answers = [{ meal: 'Soup' }, { extras: ['Cream', 'Chives'] }, { portions: 3 }];
		peer.person = inTurn(...answers.map((content) => ({ action: 'accept', content })));
		const result = await peer.call('wizard');
		expect(peer.elicitations).toEqual(
			[meal, extrasFor('Soup'), orderOf('Soup', ['Cream', 'Chives'])].map((form) => ({
				mode: 'form',
				...form,
			})),
		);
		const [first, second, third] = answers.map((content) => ({ action: 'accept', content }));
		expect(result.structuredContent).toEqual({ answers: { meal: first, extras: second, order: third } });
	});

	it.each(refusals)('the wizard stops at a %s', async (action) => {
		peer.person = inTurn({ action: 'accept', content: { meal: 'Pizza' } }, { action });
		const result = await peer.call('wizard');
		expect(textOf(result)).toContain('Stopped at request 2 of 3');
		expect(result.structuredContent).toMatchObject({ answers: { extras: { action } } });
		expect(peer.elicitations).toHaveLength(2);
	});

	it('two-at-once asks both elicitations before it needs either answer', async () => {
		let both: () => void = () => {};
		const asked = new Promise<void>((resolve) => {
			both = resolve;
		});
		peer.person = async ({ message }) => {
			if (peer.elicitations.length === 2) both();
			await asked;
			return message === twoElicitations.drink.message
				? { action: 'accept', content: { drink: 'Tea' } }
				: { action: 'decline' };
		};
		const result = await peer.call('two-at-once');
		expect(result.structuredContent).toEqual({
			answers: { drink: { action: 'accept', content: { drink: 'Tea' } }, dessert: { action: 'decline' } },
		});
	});

	it('echo returns its arguments', async () => {
		const args = { text: 'hello', number: 0, boolean: false, mood: 'calm' };
		expect((await peer.call('echo', args)).structuredContent).toEqual(args);
	});

	it('sign-in goes on when the button of its page was pressed', async () => {
		peer.person = async ({ url }) => {
			const page = await press(url, 'GET');
			expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
			expect(await page.text()).not.toMatch(/https?:|<script/);
			setImmediate(() => press(url));
			return { action: 'accept' };
		};
		const result = await peer.call('sign-in');
		expect(textOf(result)).toContain('pressed its button');
		expect(result.structuredContent).toEqual({ action: 'accept' });
		expect(peer.elicitations[0]?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\/[0-9a-f]{64}$/);
	});

	it.each(refusals)('sign-in takes a %s for an answer and stops listening', async (action) => {
		peer.person = () => ({ action });
		const result = await peer.call('sign-in');
		expect(result.structuredContent).toEqual({ action });
		await expect(press(peer.elicitations[0]?.url, 'GET')).rejects.toThrow();
	});

	it('serves nothing but the page of the token, and only the button finishes it', async () => {
		peer.person = async ({ url }) => {
			expect((await press(new URL('/sign-in/guess', url).href)).status).toBe(404);
			expect((await press(new URL('/', url).href, 'GET')).status).toBe(404);
			expect((await press(url, 'PUT')).status).toBe(405);
			expect(await (await press(url, 'GET')).text()).toContain('<button');
			return { action: 'decline' };
		};
		await peer.call('sign-in');
		expect(peer.elicitations).toHaveLength(1);
	});
});

describe('the demo in revision 2025-11-25 alone', () => {
	beforeEach(() => connect('2025-11-25'));

	it('sends the completion notice with the id of the request, before the result', async () => {
		peer.person = pressing;
		await peer.call('sign-in');
		const methods = peer.sent('server', () => true).map(({ method }) => method ?? 'response');
		expect(methods.slice(-3)).toEqual(['elicitation/create', 'notifications/elicitation/complete', 'response']);
		const [notice] = peer.sent('server', ({ method }) => method === 'notifications/elicitation/complete');
		expect(notice?.params).toEqual({ elicitationId: peer.elicitations[0]?.elicitationId });
	});

	it('refuses with -32042 until both pages were finished, then starts again', async () => {
		const refused = async (): Promise<Wire[]> => {
			const error: Wire = await peer.call('needs-sign-in').then(Promise.reject.bind(Promise), (reason) => reason);
			expect(error.code).toBe(-32042);
			return error.data.elicitations;
		};
		const both = await refused();
		expect(both).toHaveLength(2);
		for (const entry of both) {
			expect(Object.keys(entry).sort()).toEqual(['elicitationId', 'message', 'mode', 'url']);
			expect(entry.mode).toBe('url');
		}
		expect(await refused()).toEqual(both);
		await press(both[0]?.url);
		expect(await refused()).toEqual([both[1]]);
		await press(both[1]?.url);
		for (const { elicitationId } of both as Array<{ elicitationId: string }>) {
			await peer.until(({ params }) => params?.elicitationId === elicitationId);
		}
		expect(textOf(await peer.call('needs-sign-in'))).toContain('Both accounts are connected');
		expect((await refused()).map(({ elicitationId }) => elicitationId)).not.toContain(both[0]?.elicitationId);
		expect(peer.elicitations).toEqual([]);
	});

	it('withdraws its elicitation and closes its page when the call is cancelled', async () => {
		const call = new AbortController();
		peer.person = () => {
			call.abort();
			return new Promise(() => {});
		};
		await expect(peer.call('sign-in', {}, call.signal)).rejects.toThrow();
		const [pending] = peer.sent('server', ({ method }) => method === 'elicitation/create');
		const cancelled = await peer.until(({ method }) => method === 'notifications/cancelled');
		expect(cancelled.params.requestId).toBe(pending?.id);
		await expect(press(pending?.params.url, 'GET')).rejects.toThrow();
	});

	it('tells when the client answers with content that the protocol does not know, which the SDK refuses', async () => {
		peer.person = () => ({ action: 'accept', content: { nested: { deep: [null, 1] } } });
		const result = await peer.call('confirm');
		expect(result.isError).toBe(true);
		expect(textOf(result)).toContain('elicitation/create');
	});

	it('tells when the client refuses an elicitation, and withdraws the one beside it', async () => {
		peer.person = ({ message }) => {
			if (message === twoElicitations.drink.message) throw new Error('no bar here');
			return new Promise(() => {});
		};
		const result = await peer.call('two-at-once');
		expect(result.isError).toBe(true);
		expect(textOf(result)).toContain('no bar here');
		expect(peer.sent('server', ({ method }) => method === 'notifications/cancelled')).toHaveLength(1);
	});
});

describe('the demo in revision 2026-07-28 alone', () => {
	beforeEach(() => connect('2026-07-28'));

	it('shows even content that the protocol does not know', async () => {
		const content = { nested: { deep: [null, 1] }, empty: '' };
		peer.person = () => ({ action: 'accept', content });
		expect((await peer.call('confirm')).structuredContent).toEqual({ action: 'accept', content });
	});

	it('carries no state before there is any, and then one that changes from round to round', async () => {
		peer.person = inTurn(
			{ action: 'accept', content: { meal: 'Pizza' } },
			{ action: 'accept', content: {} },
			{ action: 'accept', content: { portions: 1 } },
		);
		await peer.call('wizard');
		const states = rounds().map(({ requestState }) => requestState);
		expect(states).toEqual([undefined, expect.any(String), expect.any(String)]);
		expect(new Set(states).size).toBe(3);
		expect(rounds().map(({ inputRequests }) => Object.keys(inputRequests))).toEqual([['meal'], ['extras'], ['order']]);
	});

	it('puts both elicitations of two-at-once into one result', async () => {
		await peer.call('two-at-once');
		expect(rounds()).toHaveLength(1);
		expect(Object.keys(rounds()[0]?.inputRequests)).toEqual(['drink', 'dessert']);
	});

	it('knows neither elicitationId nor completion notices', async () => {
		peer.person = pressing;
		await peer.call('sign-in');
		expect(Object.keys(peer.elicitations[0] ?? {}).sort()).toEqual(['message', 'mode', 'url']);
		expect(rounds()[0]?.requestState).toEqual(expect.any(String));
		expect(peer.sent('server', ({ method }) => method !== undefined)).toEqual([]);
	});

	it('asks for both pages at once where older revisions know -32042', async () => {
		peer.person = pressing;
		const result = await peer.call('needs-sign-in');
		expect(textOf(result)).toContain('Both accounts are connected');
		expect(Object.keys(rounds()[0]?.inputRequests)).toEqual(['calendar', 'mail']);
	});

	it.each(['forged', 'of another tool'])('refuses a state that is %s', async (kind) => {
		peer.person = inTurn({ action: 'accept', content: { meal: 'Pizza' } });
		await peer.call('wizard');
		const state: string = rounds()[1]?.requestState;
		const params = {
			name: kind === 'forged' ? 'wizard' : 'sign-in',
			requestState: kind === 'forged' ? `x${state}` : state,
		};
		await expect(peer.client.callTool(params, { allowInputRequired: true })).rejects.toMatchObject({ code: -32602 });
	});
});

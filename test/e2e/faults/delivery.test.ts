import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight, variants } from '../../nightly.ts';
import type { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, type Wire } from '../../rawServer/rawServer.ts';
import { type AuthorizationServer, authorizationServer, protectedServer } from '../../servers/authorization.mjs';
import {
	answerIn,
	callRawServer,
	callTool,
	type Editor,
	failureOf,
	formOf,
	formOfServer,
	openEditor,
	openRawServer,
	servers,
	structured,
	until,
} from '../driver/index.ts';
import { openEditorWith, openRawServers, type RawServers } from './rawServerFixtures.ts';

const elicitation = formOf({ a: { type: 'string' } }, [], 'Deploy to production?');
const GONE = { status: 410 } as const;

let rawServers: RawServers;
let editor: Editor;

/** What the server does with the next responses; afterwards it takes them. */
function refuse(...refusals: ReturnType<RawHttpServer['refusePosts']>[]): void {
	rawServers.web.refusePosts = ({ method }) => (method === undefined ? refusals.shift() : undefined);
}

/** An elicitation of the HTTP server, with something entered into its form. */
async function asked() {
	const call = await callRawServer(editor, rawServers, 'web');
	const { id, response } = rawServers.web.ask(elicitation, call);
	const form = await formOfServer(editor, 'web');
	await form.getByLabel('a', { exact: true }).fill('what was entered');
	return { call, id, response, form };
}

async function finish(call: Wire): Promise<void> {
	rawServers.web.finish(call, { through: true });
	expect(await structured(editor)).toEqual({ through: true });
	await editor.pending().waitFor({ state: 'hidden' });
}

const accepted = { action: 'accept', content: { a: 'what was entered' } };

beforeAll(async () => {
	rawServers = await openRawServers();
	editor = await openEditorWith(rawServers, { 'mcpElicitation.callTimeout': 5 });
});

beforeEach(() => editor.closeTabs());

describe('D01: a response that the server does not take', () => {
	itByNight.each(
		variants<[string, ReturnType<RawHttpServer['refusePosts']>]>(
			['is refused with 503', { status: 503 }],
			['is refused with 429 for a second', { status: 429, headers: { 'retry-after': '1' } }],
			['meets a connection that breaks', 'broken'],
		),
	)('gets there by itself where it %s, without a word', async (_how, refusal) => {
		refuse(refusal);
		const { call, id, response, form } = await asked();
		await answerIn(form, 'Accept');
		expect((await response).result).toEqual(accepted);
		await finish(call);
		expect(rawServers.web.responses(id)).toHaveLength(1);
		expect(await editor.notifications()).toEqual([]);
	});

	it('is told, listed, and sent again from the list', async () => {
		refuse(GONE);
		const { call, id, response, form } = await asked();
		await answerIn(form, 'Accept');
		const notice = await editor.notification('web: The response to "Deploy to production?" could not be delivered.');
		expect(await notice.message()).toContain('410');
		expect(await notice.buttons()).toEqual(['Send Again', 'Show Timeline']);
		await editor.treeItem(/web: Deploy to production\?\s*accepted, not delivered · requested by tool act/);
		await editor.screenshot('undelivered notification and view');
		await notice.dismiss();
		await editor.pending().click();
		await editor.quickInput.shows('Choose an elicitation');
		const entry = editor.quickInput.entry('accepted, not delivered');
		await entry.hover();
		await editor.screenshot('undelivered list');
		await editor.quickInput.pressOnEntry(/accepted, not delivered/, 'Send Again');
		expect((await response).result).toEqual(accepted);
		await entry.waitFor({ state: 'detached' });
		await editor.quickInput.escape();
		await finish(call);
		expect(rawServers.web.responses(id)).toHaveLength(1);
	});

	itByNight('is sent again from the notification, after all attempts by itself have failed', async () => {
		refuse({ status: 500 }, 'broken', { status: 502 }, { status: 503 });
		const { call, response, form } = await asked();
		await answerIn(form, 'Decline');
		await (await editor.notification('could not be delivered')).press('Send Again');
		expect((await response).result).toEqual({ action: 'decline' });
		await finish(call);
	});

	itByNight(
		'is told anew when it fails again, and left alone when it is dismissed in the view; the call then fails for that reason',
		async () => {
			refuse(GONE, GONE);
			const { form } = await asked();
			await answerIn(form, 'Accept');
			await (await editor.notification('could not be delivered')).press('Send Again');
			await until(
				'the second failure',
				() => rawServers.web.log.filter((line) => line === 'POST response').length >= 2,
			);
			await (await editor.notification('could not be delivered')).dismiss();
			const row = await editor.treeItem(/accepted, not delivered/);
			await row.hover();
			await row.getByRole('button', { name: 'Dismiss Undelivered Response' }).click();
			await editor.pending().waitFor({ state: 'hidden' });
			expect(await failureOf(editor, 'web')).toMatch(
				/^web: Your response to "act" could not be delivered\..*Call it again to be asked again\./,
			);
		},
	);

	itByNight('is not offered again where the session is gone (404); what was entered is in the timeline', async () => {
		refuse({ status: 404 });
		const { form } = await asked();
		await answerIn(form, 'Accept');
		const notice = await editor.notification('could not be delivered. The session with the server has expired.');
		expect(await notice.buttons()).toEqual(['Show Timeline']);
		await notice.press('Show Timeline');
		const timeline = await editor.frameOf('button', 'Export…');
		await timeline.getByText('what was entered').first().waitFor();
		await timeline.getByText('not delivered').first().waitFor();
		await editor.screenshot('undelivered timeline');
		await editor.pending().waitFor({ state: 'hidden' });
		expect(await failureOf(editor, 'web')).toContain('Your response to "act" could not be delivered.');
	});

	itByNight('is not told where the user has cancelled the call: nothing that they entered is lost (D03)', async () => {
		refuse(GONE);
		await asked();
		const posted = () => rawServers.web.log.filter((line) => line === 'POST response').length;
		const before = posted();
		await editor.command('MCP Elicitation: Cancel Call');
		await until('the response to be refused', () => posted() > before);
		await editor.pending().waitFor({ state: 'hidden' });
		await editor.closeTabs();
		const { call, response, form } = await asked();
		await answerIn(form, 'Accept');
		expect((await response).result).toEqual(accepted);
		await finish(call);
		expect(await editor.notifications()).toEqual([]);
	});

	itByNight('is told for a process that no longer reads', async () => {
		const call = await callRawServer(editor, rawServers, 'pipe');
		rawServers.pipe.ask(elicitation, call);
		const form = await formOfServer(editor, 'pipe');
		await rawServers.pipe.deafen();
		await answerIn(form, 'Accept');
		const notice = await editor.notification('pipe: The response to "Deploy to production?" could not be delivered.');
		expect(await notice.buttons()).toEqual(['Show Timeline']);
		await notice.dismiss();
		await rawServers.pipe.die();
		expect(await failureOf(editor, 'pipe')).toContain('Your response to "act" could not be delivered.');
	});

	itByNight('is told with the failure of its call where a retry of the call carries it (2026-07-28)', async () => {
		const rawServer = rawServers.webRounds;
		const call = await callRawServer(editor, rawServers, 'webRounds');
		rawServer.answer(call, {
			resultType: 'input_required',
			inputRequests: { a: { method: 'elicitation/create', params: elicitation } },
		});
		const form = await formOfServer(editor, 'webRounds');
		rawServer.refusePosts = ({ method }) => (method === 'tools/call' ? 'broken' : undefined);
		await answerIn(form, 'Decline');
		expect(await failureOf(editor, 'webRounds')).toMatch(
			/Your response to "act" could not be delivered\..*was lost before "act" responded/,
		);
		expect(await editor.notifications()).toEqual([]);
		rawServer.refusePosts = () => undefined;
		expect(rawServer.log.filter((line) => line === 'POST tools/call')).toHaveLength(2);
	});
});

describe('D03: a call that is cancelled while it asks', () => {
	itByNight.each(variants('web', 'pipe'))(
		'lets a server that serves one call at a time (%s) go on with the next; the form says what was sent',
		async (server) => {
			const rawServer = rawServers[server];
			const { id, response } = rawServer.ask(elicitation, await callRawServer(editor, rawServers, server));
			const form = await formOfServer(editor, server);
			await form.getByLabel('a', { exact: true }).fill('what was entered');
			await editor.command('MCP Elicitation: Cancel Call');
			await form
				.getByRole('status')
				.filter({ hasText: 'The call was cancelled. "cancel" was sent to the server.' })
				.waitFor();
			expect(await form.getByLabel('a', { exact: true }).inputValue()).toBe('what was entered');
			expect((await response).result).toEqual({ action: 'cancel' });
			expect(rawServer.received.findIndex(({ method }) => method === 'notifications/cancelled')).toBeLessThan(
				rawServer.received.findIndex((message) => message.id === id && message.method === undefined),
			);
			await editor.screenshot(`cancelled call ${server}`);
			await editor.closeTabs();
			rawServer.finish(await callRawServer(editor, rawServers, server), { next: true });
			expect(await structured(editor)).toEqual({ next: true });
		},
	);
});

describe('D01: a response that is refused with 401', () => {
	const PAGES = 'https://login.example.com';
	let authorization: AuthorizationServer;
	let protectedOne: Awaited<ReturnType<typeof protectedServer>>;
	afterAll(() => Promise.all([authorization?.stop(), protectedOne?.stop()]));

	itByNight('is sent again once the sign-in is renewed, without asking', async () => {
		authorization = await authorizationServer({ page: true, pages: PAGES });
		const guarded = await openRawServer('http', { revision: LEGACY });
		protectedOne = await protectedServer(authorization, { resource: String(guarded.definition['url']) });
		const metadata = new URL('/.well-known/oauth-protected-resource/mcp', protectedOne.url).href;
		const ended = new Set<string | undefined>([undefined]);
		let last: string | undefined;
		guarded.refusePosts = (_message, headers) => {
			last = headers.authorization;
			return ended.has(last)
				? { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${metadata}"` } }
				: undefined;
		};
		const own = await openEditor({
			machineSettings: servers({ guarded: guarded.definition }),
			settings: { 'mcpElicitation.form.presentation': 'webview' },
		});
		await own.page.context().route(
			({ origin }) => origin === PAGES,
			async (route) => {
				const { pathname, search } = new URL(route.request().url());
				const url = `${authorization.issuer}${pathname}${search}`;
				await route.fulfill({ response: await route.fetch({ url, maxRedirects: 0 }) });
			},
		);
		await own.command('MCP Elicitation: Start Server');
		await (await own.modal()).press('Sign In');
		await (await own.externalPage(/\/authorize\?/)).getByRole('button', { name: 'Allow' }).click();
		await guarded.until(() => guarded.requests('tools/list').length > 0);
		await own.page.bringToFront();
		await callTool(own, { tool: 'act' });
		const call = await guarded.expect('tools/call');
		const { response } = guarded.ask(elicitation, call);
		const form = await formOfServer(own, 'guarded');
		ended.add(last);
		await answerIn(form, 'Decline');
		expect((await response).result).toEqual({ action: 'decline' });
		expect(authorization.seen.tokens.map(({ grant_type }) => grant_type)).toEqual([
			'authorization_code',
			'refresh_token',
		]);
		guarded.finish(call, { through: true });
		expect(await structured(own)).toEqual({ through: true });
	});
});

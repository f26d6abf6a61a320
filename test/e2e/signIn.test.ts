import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import { type AuthorizationServer, authorizationServer, protectedServer } from '../servers/authorization.mjs';
import { callTool, type Editor, failureOf, openEditor, servers, structured, until } from './driver/index.ts';

/** Where the authorization server's pages are for the browser of these tests. */
const PAGES = 'https://login.example.com';
/** `аррӏе.com`, in letters that look like others. */
const SPOOF = 'https://xn--80ak6aa92e.com';

let authorization: AuthorizationServer;
let server: Awaited<ReturnType<typeof protectedServer>>;

beforeAll(async () => {
	authorization = await authorizationServer({ page: true, pages: PAGES });
	server = await protectedServer(authorization);
});

afterAll(async () => {
	await server.stop();
	await authorization.stop();
});

beforeEach(() => {
	server.requests.length = 0;
	authorization.clients.clear();
});

async function open(more: object = {}): Promise<Editor> {
	const editor = await openEditor({ machineSettings: servers({ guarded: { url: server.url, ...more } }) });
	const isPage = ({ origin }: URL) => origin === PAGES || origin === SPOOF;
	await editor.page.context().route(isPage, async (route) => {
		const { pathname, search } = new URL(route.request().url());
		const url = `${authorization.issuer}${pathname}${search}`;
		await route.fulfill({ response: await route.fetch({ url, maxRedirects: 0 }) });
	});
	return editor;
}

const start = (editor: Editor) => editor.command('MCP Elicitation: Start Server');

/** Agrees to sign in, and does so on the page of the authorization server. */
async function signIn(editor: Editor): Promise<void> {
	await (await editor.modal()).press('Sign In');
	const page = await editor.externalPage(/\/authorize\?/);
	await page.getByRole('button', { name: 'Allow' }).click();
}

/** The tokens that the server has been shown. */
const shownTokens = () => new Set(server.requests.flatMap(({ authorization }) => authorization ?? []));

it('asks before the browser opens, signs in on the real page, and shows the token to the server', async () => {
	const editor = await open();
	await start(editor);
	const consent = await editor.modal();
	expect(await consent.message()).toBe('"guarded" wants you to sign in at login.example.com (example.com).');
	const detail = await consent.detail();
	expect(detail).toContain(`Server: ${server.url}`);
	expect(detail).toContain(`Sign-in URL: ${PAGES}/authorize`);
	expect(detail).toContain(`Authorization server: ${authorization.issuer}`);
	expect(detail).toContain('kept in the secret storage of the editor');
	expect((await consent.buttons()).sort()).toEqual(['Cancel', 'Sign In']);
	expect(editor.externalPages()).toEqual([]);
	await editor.screenshot('sign-in consent');

	await consent.escape();
	const notice = await editor.notification(`You did not sign in at ${authorization.issuer}`);
	expect(editor.externalPages()).toEqual([]);
	await notice.press('Sign In');
	await signIn(editor);

	await editor.showViews();
	await editor.treeItem(/guarded.*2 tools/);
	await callTool(editor, { tool: 'whoami' });
	const [client] = authorization.clients.keys();
	expect(await structured(editor)).toMatchObject({ tool: 'whoami', client });
	expect(shownTokens().size).toBe(1);
	expect(await editor.tooltip(await editor.treeItem(/guarded/))).toContain(`Signed in at: ${authorization.issuer}`);

	await editor.command('MCP Elicitation: Stop Server');
	await editor.treeItem(/guarded\s*stopped/);
	await start(editor);
	await editor.treeItem(/guarded.*2 tools/);
	expect(shownTokens().size).toBe(1);
});

itByNight('shows the whole page that opens, and names every endpoint that is on somebody else’s domain', async () => {
	const { behavior } = authorization;
	Object.assign(behavior, { query: '?tenant=a%2Fb&then=%23c', tokens: 'https://tokens.example.net' });
	behavior.registrations = 'https://register.example.org';
	const editor = await open();
	await start(editor);
	const consent = await editor.modal();
	const detail = await consent.detail();
	expect(detail).toContain(`Sign-in URL: ${PAGES}/authorize?tenant=a%2Fb&then=%23c\n`);
	expect(detail).toContain('Token endpoint: https://tokens.example.net/token\n');
	expect(detail).toContain('Registration endpoint: https://register.example.org/register\n');
	expect(detail).toContain('⚠ The token endpoint is on example.net, the URL on example.com.');
	expect(detail).toContain('⚠ The registration endpoint is on example.org, the URL on example.com.');
	await editor.screenshot('sign-in consent with other domains');
	Object.assign(behavior, { tokens: '', registrations: '' });
	await consent.escape();
	await (await editor.notification('You did not sign in')).press('Sign In');
	await (await editor.modal()).press('Sign In');
	const page = await editor.externalPage(/\/authorize\?/);
	expect(page.url()).toMatch(/^https:\/\/login\.example\.com\/authorize\?tenant=a%2Fb&then=%23c&response_type=code&/);
	behavior.query = '';
	await page.getByRole('button', { name: 'Allow' }).click();
	await editor.showViews();
	await editor.treeItem(/guarded.*2 tools/);
});

itByNight(
	'comes back on the loopback interface with a client of the user’s own, and forgets all of it on signing out',
	async () => {
		authorization.clients.set('mine', 'hush');
		authorization.behavior.methods = ['client_secret_basic'];
		const editor = await open({ oauth: { clientId: 'mine', scopes: ['read', 'write'] } });
		await start(editor);
		const consent = await editor.modal();
		expect(await consent.detail()).toContain('\n\nRequested permissions: read, write\n\n');
		await consent.press('Sign In');
		await editor.quickInput.shows('The secret of the client "mine"');
		await editor.quickInput.enter('hush');
		const waiting = await editor.notification('Waiting for you to sign in');
		expect(await waiting.buttons()).toEqual(['Cancel']);
		const page = await editor.externalPage(/\/authorize\?/);
		const redirect = new URL(new URL(page.url()).searchParams.get('redirect_uri') ?? '');
		const forged = await fetch(`${redirect}?state=guessed&code=forged`);
		expect([forged.status, await forged.text()]).toEqual([
			400,
			expect.stringContaining('does not belong to a sign-in'),
		]);
		await page.getByRole('button', { name: 'Allow' }).click();
		await page.getByText('You can close this page and go back to the editor.').waitFor();
		await editor.page.bringToFront();

		await editor.showViews();
		await editor.treeItem(/guarded.*2 tools/);
		await until('the listener to be gone', () =>
			fetch(redirect).then(
				() => false,
				() => true,
			),
		);

		await editor.chooseFromMenu(/guarded/, 'Sign Out');
		await editor.notification('You are signed out of "guarded".');
		await editor.treeItem(/guarded\s*stopped/);
		expect(authorization.seen.revoked).toHaveLength(1);
		await start(editor);
		await (await editor.modal()).press('Sign In');
		await editor.quickInput.shows('The secret of the client "mine"');
		await editor.quickInput.escape();
		await (await editor.notification('You did not sign in')).dismiss();
	},
);

itByNight('can be cancelled while the browser is open, and refused there', async () => {
	authorization.behavior.pages = SPOOF;
	const editor = await open();
	await start(editor);
	const consent = await editor.modal();
	expect(await consent.message()).toContain('sign in at xn--80ak6aa92e.com.');
	expect(await consent.detail()).toMatch(/⚠ .*"xn--80ak6aa92e" is written "аррӏе"/);
	await consent.press('Sign In');
	await (await editor.externalPage(/\/authorize\?/)).close();
	await (await editor.notification('Waiting for you to sign in')).press('Cancel');
	const notice = await editor.notification('was cancelled');
	await notice.press('Sign In');
	await (await editor.modal()).press('Sign In');
	const page = await editor.externalPage(/\/authorize\?/);
	await page.getByRole('button', { name: 'Deny' }).click();
	await editor.page.bringToFront();
	await (await editor.notification('The authorization server refused the sign-in (access_denied): Not you.')).dismiss();

	await editor.showViews();
	await (await editor.treeItem(/refused the sign-in/)).click();
	await (await editor.modal()).escape();
	await (await editor.notification('You did not sign in')).dismiss();
	expect(shownTokens().size).toBe(0);
});

itByNight(
	'is asked for the id of a client where none is registered, and signs in anew from a call whose renewal was refused',
	async () => {
		Object.assign(authorization.behavior, { pages: PAGES, registration: false, methods: ['none'] });
		authorization.clients.set('mine', undefined);
		const editor = await open();
		await start(editor);
		await (await editor.modal()).press('Sign In');
		await editor.quickInput.shows(/Register one that returns to http\S+\/callback/);
		await editor.quickInput.enter('mine');
		await editor.quickInput.shows('The secret of the client "mine"');
		await editor.quickInput.enter('');
		const page = await editor.externalPage(/client_id=mine/);
		await page.getByRole('button', { name: 'Allow' }).click();
		await editor.page.bringToFront();
		await editor.showViews();
		await editor.treeItem(/guarded.*2 tools/);

		authorization.expire('access');
		authorization.behavior.tokenRefusal = 'invalid_request';
		await callTool(editor, { tool: 'whoami' });
		expect(await failureOf(editor, 'guarded')).toContain('(invalid_request): No. . Sign in again.');
		authorization.behavior.tokenRefusal = '';
		await (await editor.frameOf('button', 'Sign In')).getByRole('button', { name: 'Sign In' }).click();
		await signIn(editor);
		await editor.page.bringToFront();
		expect(await structured(editor)).toMatchObject({ tool: 'whoami', client: 'mine' });
		authorization.behavior.registration = true;
	},
);

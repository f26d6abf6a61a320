import { beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../src/elicitation/json.ts';
import type { PersonaForm } from '../../src/elicitation/personas/persona.ts';
import { type Editor, openEditor, Probe, until } from '../e2e/driver/index.ts';
import { RawHttpServer } from '../rawServer/http.ts';
import { LEGACY, MODERN, type Wire } from '../rawServer/rawServer.ts';
import { agrees, KEYWORDS } from './agrees.ts';

/** The editor's own client, for a call that no chat makes: it requests input in notifications and pickers. */
const ID = 'vscode';

/** A tool that is called without a confirmation. Its name tells its server. */
const tool = (name: string) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } });

let servers: Record<string, RawHttpServer>;
let editor: Editor;
let server: RawHttpServer;
let call: Wire;

beforeAll(async () => {
	servers = {
		'2025-06-18': await RawHttpServer.open({ revision: '2025-06-18', tools: [tool('older')] }),
		'2025-11-25': await RawHttpServer.open({ revision: LEGACY, tools: [tool('request')] }),
		'2026-07-28': await RawHttpServer.open({ revision: MODERN, tools: [tool('modern')] }),
	};
	const definitions = Object.entries(servers).map(([name, { definition }]) => [name, { type: 'http', ...definition }]);
	editor = await openEditor({
		beside: ['probe'],
		settings: { 'mcpElicitation.discoverMcpJson': false, 'chat.disableAIFeatures': false },
		files: { '.vscode/mcp.json': JSON.stringify({ servers: Object.fromEntries(definitions) }) },
	});
	server = servers['2025-11-25'] as RawHttpServer;
	const probe = await Probe.in(editor);
	await until('all servers to be reached', async () => {
		await probe.run('workbench.mcp.startServer', '*', { autoTrustChanges: true });
		return Object.values(servers).every(({ received }) => received.length > 0);
	});
	const found = await until('the tool', async () => (await probe.tools()).find((name) => name.endsWith('_request')));
	const used = probe.useTool(found, {}).then(() => {
		throw new Error('The tool was not called.');
	});
	// The tool is used until the window closes.
	used.catch(() => {});
	call = await Promise.race([server.expect('tools/call'), used]);
	return () => Promise.all(Object.values(servers).map((each) => each.close()));
});

let requests = 0;

function form(property: JsonObject, required: boolean): JsonObject {
	const message = `Request ${++requests}.`;
	return { message, requestedSchema: { type: 'object', properties: { p: property }, required: required ? ['p'] : [] } };
}

/** What the client sends when its user does this in the picker of the only property. */
async function sent(property: JsonObject, act: () => Promise<unknown>, required = false): Promise<JsonObject> {
	const params = form(property, required);
	const { response } = server.ask(params, call);
	await (await editor.notification(String(params.message))).press('Respond');
	await editor.quickInput.shows(required ? '' : 'Optional');
	await act();
	return (await response).result as JsonObject;
}

async function typed(text: string): Promise<void> {
	await editor.quickInput.fill(text);
	await editor.quickInput.accept();
}

/** True if a value that the keyword forbids is sent. */
async function ignores(property: JsonObject, value: string): Promise<boolean> {
	const params = form(property, true);
	const { response } = server.ask(params, call);
	await (await editor.notification(String(params.message))).press('Respond');
	await editor.quickInput.fill(value);
	const isStopped = await until('a judgement', async () => {
		if ((await editor.quickInput.prompt()) !== '') {
			return 'stopped';
		}
		return (await editor.quickInput.entries()).some((entry) => entry.includes(value)) && 'passed';
	});
	await (isStopped === 'stopped' ? editor.quickInput.escape() : editor.quickInput.accept());
	const { action } = ((await response) as Wire).result;
	return action === 'accept';
}

it('does what its persona says', async () => {
	const [hello] = server.requests('initialize');
	const { clientInfo, capabilities } = hello.params;
	const declares: Record<string, JsonObject> = { '2025-11-25': capabilities.elicitation };
	const older = servers['2025-06-18'];
	await older?.expect('notifications/initialized');
	declares['2025-06-18'] = older?.requests('initialize')[0].params.capabilities.elicitation;
	expect(servers['2026-07-28']?.requests('server/discover')).toEqual([]);

	const ignored: string[] = [];
	for (const [name, property, value] of KEYWORDS) {
		if (await ignores(property, value)) {
			ignored.push(name);
		}
	}

	const blank: Record<string, unknown> = {};
	const kinds: readonly (readonly [string, JsonObject])[] = [
		['text', { type: 'string' }],
		['number', { type: 'number' }],
		['boolean', { type: 'boolean' }],
		['choice', { type: 'string', enum: ['a', 'b'] }],
	];
	for (const [kind, property] of kinds) {
		const { content } = (await sent(property, () => editor.quickInput.pick('None'))) as { content: JsonObject };
		if (Object.hasOwn(content, 'p')) {
			blank[kind] = content.p;
		}
	}
	const list = await sent({ type: 'array', items: { type: 'string' } }, () => typed('a'));

	const zero = form({ type: 'number', default: 0 }, false);
	const { response: toZero } = server.ask(zero, call);
	await (await editor.notification(String(zero.message))).press('Respond');
	await editor.quickInput.shows('Optional');
	const offered = await editor.quickInput.entries();
	await editor.screenshot('persona vscode');
	await editor.quickInput.escape();
	expect((await toZero).result).toEqual({ action: 'cancel' });

	const cancelled = form({ type: 'string' }, false);
	const { response: toCancel } = server.ask(cancelled, call);
	const notification = await editor.notification(String(cancelled.message));
	const buttons = await notification.buttons();
	await (await notification.shown()).hover();
	await notification.element.getByRole('button', { name: /More Actions/ }).click();
	await editor.page.getByRole('menuitem', { name: 'Cancel', exact: true }).hover();
	// A menu ignores clicks right after it opens.
	await editor.page.keyboard.press('Enter');
	const cancel = (await toCancel).result.action;

	const [one, two] = [form({ type: 'string' }, true), form({ type: 'string' }, true)];
	const { response: toOne } = server.ask(one, call);
	await (await editor.notification(String(one.message))).press('Respond');
	await until('the first picker', () => editor.quickInput.element.isVisible());
	const { response: toTwo } = server.ask(two, call);
	await (await editor.notification(String(two.message))).press('Respond');
	const ended = (await toOne).result.action;
	await editor.quickInput.escape();
	await toTwo;

	const url = 'http://127.0.0.1:9/sign-in?for=me';
	const page = { mode: 'url', message: 'Sign in.', url, elicitationId: 'e' };
	const { response: toPage } = server.ask(page, call);
	const opening = await editor.notification('Sign in.');
	const words = await (await opening.shown()).locator('.notification-list-item-message').innerText();
	await opening.press('Open URL');
	await toPage;

	const measured: PersonaForm = {
		ignores: ignored,
		omits: Object.hasOwn(list.content as object, 'p') ? [] : ['list'],
		blank: blank as NonNullable<PersonaForm['blank']>,
		losesFalsyDefaults: !offered.includes('0'),
		declines: buttons.includes('Decline'),
		cancel,
	};
	await agrees(ID, {
		version: clientInfo.version.split('.').slice(0, 2).join('.'),
		declares,
		form: measured,
		url: { opens: 'afterConsent', showsHost: words !== `Sign in. This will open ${url}` },
		several: ended === 'cancel' ? 'newest' : 'all',
	});
});

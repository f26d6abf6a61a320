import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Locator } from 'playwright-core';
import { it } from 'vitest';
import type { JsonObject } from '../../src/elicitation/json.ts';
import { succeeds } from '../e2e/driver/waiting.ts';
import { launchBrowser } from '../harness/browser.mjs';
import { chromium, editorNode, npmProgram } from '../harness/toolchain.mjs';
import { RawHttpServer } from '../rawServer/http.ts';
import type { Wire } from '../rawServer/rawServer.ts';
import { agrees, freePort, KEYWORDS, KINDS } from './agrees.ts';

/** The release that is measured, about 110 MB with its dependencies. */
const VERSION = '2.12.0';

/** Starts the web client for a server. Resolves to its address, which holds the token that it demands. */
async function inspect(url: string, stop: AbortSignal): Promise<string> {
	const program = join(await npmProgram('@modelcontextprotocol/inspector', VERSION), 'clients/launcher/build/index.js');
	const args = ['--web', '--transport', 'http', '--server-url', url];
	const port = String(await freePort());
	const { stdout } = spawn(await editorNode(), [program, ...args], {
		env: { ...process.env, CLIENT_PORT: port, MCP_AUTO_OPEN_ENABLED: 'false', MCP_INSPECTOR_SECRET_STORE: 'memory' },
		stdio: ['ignore', 'pipe', 'ignore'],
		signal: stop,
	}).on('error', () => {});
	for await (const line of createInterface({ input: stdout })) {
		const found = /http:\S+TOKEN=\S+/.exec(line);
		if (found) {
			stdout.resume();
			return found[0];
		}
	}
	throw new Error('Inspector has ended.');
}

const FALSY: JsonObject = {
	text: { type: 'string', default: '' },
	number: { type: 'number', default: 0 },
	boolean: { type: 'boolean', default: false },
};

/** The content, or undefined if the form is not sent. */
async function submitted(dialog: Locator, response: Promise<Wire>): Promise<JsonObject | undefined> {
	// The button follows the input after a moment.
	const button = dialog.getByRole('button', { name: 'Submit', exact: true });
	return (await succeeds(button.click({ timeout: 3_000 }))) ? (await response).result.content : undefined;
}

it('MCP Inspector does what its persona says', async () => {
	const server = await RawHttpServer.open({ tools: [{ name: 'act', inputSchema: { type: 'object' } }] });
	const stop = new AbortController();
	const browser = await launchBrowser(await chromium());
	try {
		const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
		await page.goto(await inspect(String(server.definition['url']), stop.signal));
		await page.getByRole('switch').first().click({ force: true });
		await page.getByText('Tools', { exact: true }).first().click();
		await page.getByText('act', { exact: true }).first().click();
		await page.getByRole('button', { name: 'Execute Tool' }).click();
		const call = await server.expect('tools/call');
		const dialog = page.getByRole('dialog');

		let requests = 0;
		const request = async (properties: JsonObject, required: string[] = []): Promise<{ response: Promise<Wire> }> => {
			const message = `Request ${++requests}.`;
			const { response } = server.ask({ message, requestedSchema: { type: 'object', properties, required } }, call);
			await dialog.getByText(message).waitFor();
			return { response };
		};
		const press = (name: string): Promise<void> => dialog.getByRole('button', { name, exact: true }).click();

		const ignores: string[] = [];
		for (const [name, property, value] of KEYWORDS) {
			const { response } = await request({ p: property }, ['p']);
			await dialog.locator('input').last().pressSequentially(value);
			const sent = await submitted(dialog, response);
			if (sent === undefined) {
				await press('Cancel');
				await response;
			} else if (String(sent.p) === value) {
				ignores.push(name);
			}
		}

		const untouched = await request(KINDS);
		await press('Submit');
		const falsy = await request(FALSY);
		await press('Submit');
		const first = await request({});
		const second = server.ask({ message: 'Another.', requestedSchema: { type: 'object', properties: {} } }, call);
		await dialog.getByText('2 pending').waitFor();
		await press('Decline');
		await dialog.getByText('Another.').waitFor();
		await press('Cancel');
		const actions = [await first.response, await second.response].map(({ result }) => result.action);

		const url = 'http://127.0.0.1:9/sign-in?for=me';
		const opening = server.ask({ mode: 'url', message: 'Sign in.', url, elicitationId: 'e' }, call);
		await dialog.getByText('Sign in.').waitFor();
		const lines = (await dialog.innerText()).split('\n');
		const isOffered = await dialog.getByRole('button', { name: 'Open in Browser' }).isVisible();
		await press('Cancel');
		await opening.response;

		const refused = server.ask(
			{ message: 'm', requestedSchema: { type: 'object', properties: { p: { type: ['string', 'null'] } } } },
			call,
		);
		const initialize = server.requests('initialize')[0].params;
		await agrees('inspector', {
			version: VERSION,
			declares: { [initialize.protocolVersion]: initialize.capabilities.elicitation },
			refusal: (await refused.response).error.code,
			form: {
				ignores,
				blank: (await untouched.response).result.content,
				losesFalsyDefaults: Object.keys((await falsy.response).result.content).length < 3,
				declines: actions[0] === 'decline',
				cancel: actions[1],
			},
			url: { opens: isOffered ? 'afterConsent' : 'atOnce', showsHost: lines.includes('127.0.0.1:9') },
			several: 'oneByOne',
		});
	} finally {
		stop.abort();
		await browser.close();
		await server.close();
	}
});

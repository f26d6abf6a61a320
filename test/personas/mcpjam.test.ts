import { spawn } from 'node:child_process';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../src/elicitation/json.ts';
import type { PersonaForm } from '../../src/elicitation/personas/persona.ts';
import { succeeds, until } from '../e2e/driver/waiting.ts';
import { launchBrowser } from '../harness/browser.mjs';
import { chromium, editorNode, npmProgram } from '../harness/toolchain.mjs';
import { RawHttpServer } from '../rawServer/http.ts';
import type { Wire } from '../rawServer/rawServer.ts';
import { agrees, freePort, KEYWORDS, KINDS } from './agrees.ts';

/** The release that is measured, about 1.2 GB with its dependencies. */
const VERSION = '1.0.24';

/**
 * A module that makes every name and address this machine: the program listens on all interfaces and sends telemetry,
 * and has no option against either.
 */
const LOOPBACK = `
	import dns from 'node:dns';
	const { lookup } = dns;
	dns.lookup = (_name, ...rest) => lookup('127.0.0.1', ...rest);
`;

let program: string;

// Fetching it takes minutes, and does not count as the test's time.
beforeAll(async () => {
	program = await npmProgram('@mcpjam/inspector', VERSION);
});

/** Starts the web client for a server, and opens its tools. */
async function inspect(page: Page, definition: object, stop: AbortSignal): Promise<void> {
	const port = String(await freePort());
	const modules = ['--import', `data:text/javascript,${encodeURIComponent(LOOPBACK)}`];
	const servers = { mcpServers: { raw: { type: 'http', ...definition } } };
	spawn(await editorNode(), [...modules, 'dist/server/index.js'], {
		cwd: program,
		env: { ...process.env, NODE_ENV: 'production', PORT: port, MCP_CONFIG_DATA: JSON.stringify(servers) },
		stdio: 'ignore',
		signal: stop,
	}).on('error', () => {});
	const address = `http://127.0.0.1:${port}/`;
	await until('MCPJam', () => succeeds(fetch(address)));
	await page.route(
		({ hostname }) => hostname !== '127.0.0.1',
		(route) => route.abort(),
	);
	await page.goto(`${address}#tools`);
	await page.getByText('continue as guest').click();
}

/** Keywords that a form may show: each with a property in which it has the text "Words". */
const SHOWN: readonly (readonly [string, JsonObject])[] = [
	['title', { type: 'string', title: 'Words' }],
	['description', { type: 'string', description: 'Words' }],
	['enumNames', { type: 'string', enum: ['a'], enumNames: ['Words'] }],
	['oneOf', { type: 'string', oneOf: [{ const: 'a', title: 'Words' }] }],
	['items', { type: 'array', items: { type: 'string', enum: ['Words'] } }],
	['default', { type: 'string', default: 'Words' }],
];

/** A schema that the SDK refuses. */
const REFUSED = { type: 'object', properties: { p: { type: ['string', 'null'] } } };

let requests = 0;

function form(properties: JsonObject, required: readonly string[] = []) {
	return { message: `Request ${++requests}.`, requestedSchema: { type: 'object', properties, required } };
}

/** A server's tool in the web client, and the form of its requests. */
class Tool {
	readonly #dialog: Locator;

	constructor(
		readonly server: RawHttpServer,
		readonly page: Page,
	) {
		this.#dialog = page.getByRole('dialog');
	}

	async call(): Promise<Wire> {
		await this.page.getByRole('button', { name: 'Execute' }).click();
		return this.server.expect('tools/call');
	}

	press(name: string): Promise<void> {
		return this.#dialog.getByRole('button', { name, exact: true }).click();
	}

	/** What is shown, including what is entered. */
	async shown(message: string): Promise<string> {
		await this.#dialog.getByText(message).waitFor();
		const inputs = await this.#dialog
			.locator('input')
			.evaluateAll((all: HTMLInputElement[]) => all.map((each) => each.value));
		return [await this.#dialog.innerText(), ...inputs].join('\n');
	}

	/** The result of a request after an act in its form, or of Cancel if nothing is sent. Calls end soon: each has its own. */
	async sent(params: ReturnType<typeof form>, act: (text: string) => Promise<void>): Promise<JsonObject> {
		const call = await this.call();
		const { response } = this.server.ask(params, call);
		await act(await this.shown(params.message));
		if ((await Promise.race([response, this.page.waitForTimeout(3_000)])) === undefined) {
			await this.press('Cancel');
		}
		const { result } = await response;
		await this.finish(call);
		return result;
	}

	async finish(call: Wire): Promise<void> {
		this.server.finish(call);
		await this.#dialog.waitFor({ state: 'hidden' });
	}

	async enter(value: string): Promise<void> {
		await this.#dialog.locator('input').last().pressSequentially(value);
		await this.press('Accept');
	}
}

async function measureForm(tool: Tool): Promise<PersonaForm> {
	const ignores: string[] = [];
	for (const [name, property, value] of KEYWORDS) {
		const { content } = await tool.sent(form({ p: property }, ['p']), () => tool.enter(value));
		if (String((content as JsonObject | undefined)?.['p']) === value) {
			ignores.push(name);
		}
	}
	const hides: string[] = [];
	let cancel: unknown;
	for (const [name, property] of SHOWN) {
		const result = await tool.sent(form({ p: property }), async (text) => {
			if (!text.includes('Words')) {
				hides.push(name);
			}
			await tool.press('Cancel');
		});
		cancel = result['action'];
	}
	const { content } = await tool.sent(form(KINDS), () => tool.press('Accept'));
	const { choice, ...blank } = content as { choice?: string };
	return { hides, ignores, blank, choosesFirst: choice === 'a', cancel: cancel as NonNullable<PersonaForm['cancel']> };
}

it('MCPJam does what its persona says', async () => {
	const server = await RawHttpServer.open({ tools: [{ name: 'act', inputSchema: { type: 'object' } }] });
	const stop = new AbortController();
	const browser = await launchBrowser(await chromium());
	try {
		const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
		await inspect(page, server.definition, stop.signal);
		await page.getByText('act', { exact: true }).click();
		const tool = new Tool(server, page);
		const measured = await measureForm(tool);

		const call = await tool.call();
		const refused = server.ask({ message: 'm', requestedSchema: REFUSED }, call);
		const refusal = (await refused.response).error.code;
		const url = server.ask({ mode: 'url', message: 'm', url: 'http://127.0.0.1:9/', elicitationId: 'e' }, call);
		expect((await url.response).error).toMatchObject({ code: -32602 });
		const forms = [form({}), form({})] as const;
		const [first, second] = forms.map((params) => server.ask(params, call).response);
		await tool.shown(forms[0].message);
		await tool.press('Decline');
		await tool.shown(forms[1].message);
		await tool.press('Cancel');
		const declines = (await first)?.result.action === 'decline';
		await second;
		await tool.finish(call);

		await tool.call();
		const start = Date.now();
		await server.expect('notifications/cancelled');
		const { protocolVersion, capabilities } = server.requests('initialize')[0].params;
		await agrees('mcpjam', {
			version: VERSION,
			declares: { [protocolVersion]: capabilities.elicitation },
			refusal,
			form: { ...measured, declines },
			waits: Math.round((Date.now() - start) / 1_000),
			several: 'oneByOne',
		});
	} finally {
		stop.abort();
		await browser.close();
		await server.close();
	}
});

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CDPSession, Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { CallKind } from '../../src/elicitation/call.ts';
import { fieldsOf } from '../../src/elicitation/form/readFields.ts';
import { own } from '../../src/elicitation/json.ts';
import { parsedJson } from '../../src/elicitation/jsonText.ts';
import { type Definitions, fieldCases } from '../field/case.ts';
import { type Filling, type Hands, runCase, Stage } from '../field/run.ts';
import { itByNight, nightly } from '../nightly.ts';
import { enterInto } from './driver/enterInto.ts';
import {
	answerIn,
	appears,
	callTool,
	clicks,
	consentTo,
	type Editor,
	openEditor,
	succeeds,
	TIMEOUT,
	until,
	urlPanelSaying,
} from './driver/index.ts';

/* By night, the cases of the field are tried in one window of a real editor, by mouse and keyboard. */

/** A person in front of an editor. */
class InEditor implements Hands {
	readonly patience = TIMEOUT + 5_000;

	constructor(
		private readonly editor: Editor,
		/** The name of the server. */
		private readonly server: string,
	) {}

	start(): Promise<void> {
		return this.editor.choose('MCP Elicitation: Start Server', this.server);
	}

	async call(kind: CallKind, name: string): Promise<void> {
		const { editor, server } = this;
		// The list may wait for a sign-in.
		const called = succeeds(callTool(editor, { server, tool: name }));
		await (kind === 'tool' || called);
	}

	async answer({ button, entries = {}, json, schema }: Filling): Promise<string[]> {
		const form = await this.#form();
		const fields = fieldsOf(schema);
		if (json) {
			const area = form.getByRole('textbox', { name: 'Response as JSON' });
			if (!(await area.isVisible())) {
				await form.getByText('Edit as JSON').click();
			}
			await area.fill(JSON.stringify(json));
		}
		for (const [key, act] of Object.entries(entries)) {
			const at = fields.findIndex((field) => field.key === key);
			const element = form.locator('.field').nth(at);
			const field = fields[at];
			if (typeof act === 'object' && act !== null && 'picks' in act) {
				await element.locator('input').first().fill(act.picks);
			} else if (field) {
				await enterInto(form, element, field, act as string);
			}
		}
		await answerIn(form, button);
		const alerts = () =>
			Promise.all(
				fields.map(async ({ key }, at) => {
					const texts = await form.locator('.field').nth(at).locator('.problem').allInnerTexts();
					return texts.filter(Boolean).map((text) => `${key}: ${text}`);
				}),
			);
		return until('the form to be answered or to say why not', async () => {
			const told = (await alerts().catch(() => [])).flat();
			return told.length > 0 ? told : form.isDetached() || (await this.#isOver(form)) ? [] : undefined;
		});
	}

	async open(url: string): Promise<void> {
		const { editor } = this;
		// What the person has not called for is asked for in a notification.
		const isNotified = async () => (await editor.notifications()).some((text) => text.includes(url));
		const asked = await until(`the consent to ${url}`, async () =>
			(await isNotified()) ? editor.notification(url) : (await urlPanelSaying(editor, url)) && 'page',
		);
		await (asked === 'page' ? consentTo(editor, url, 'Open URL') : asked.press('Open URL'));
		await (await editor.externalPage(new RegExp(url.replaceAll('.', '\\.')))).close();
	}

	async retry(): Promise<void> {
		const { editor } = this;
		await editor.showViews();
		const section = editor.page.locator('.pane', { has: editor.page.getByRole('button', { name: 'Pending Section' }) });
		const row = section.locator('.monaco-list-row').last();
		await until('the call to be retried', async (moment) => {
			await succeeds(row.hover({ timeout: moment }));
			return succeeds(row.getByRole('button', { name: 'Retry Now' }).click({ timeout: moment }));
		});
	}

	async signIn(): Promise<void> {
		const modal = this.editor.page.locator('.monaco-dialog-box');
		// After a call that has failed, it is offered.
		const offer = () => this.editor.webviews().map((frame) => frame.getByRole('button', { name: 'Sign In' }));
		await until('a sign-in to be asked for', async () => {
			for (const button of (await modal.isVisible()) ? [] : offer()) {
				await succeeds(button.click({ timeout: 200 }));
			}
			return modal.isVisible();
		});
		await (await this.editor.modal()).press('Sign In');
		// Another sign-in opens another page.
		await (await this.editor.externalPage(/[?&]code=/)).close();
		await this.editor.page.bringToFront();
	}

	async paste(text: string): Promise<string> {
		const { quickInput } = this.editor;
		await this.editor.command('MCP Elicitation: Add Server…');
		await quickInput.shows('Command line, URL, or JSON');
		const before = String(await quickInput.entries());
		await quickInput.fill(text);
		return until('something to be said of what was pasted', async () => {
			const said = await quickInput.entries();
			return said.length > 0 && String(said) !== before && said.join('\n');
		});
	}

	async add(): Promise<unknown> {
		const { quickInput, workspace } = this.editor;
		const file = join(workspace, '.vscode/mcp.json');
		await quickInput.accept();
		await quickInput.shows('Where should');
		await quickInput.pick('.vscode/mcp.json');
		const written = await until('the servers to be written', async () => {
			// It may be only half written.
			const value = parsedJson(await readFile(file, 'utf8').catch(() => '{}'));
			return own(value, 'servers') !== undefined && value;
		});
		await writeIn(this.editor, '.vscode/mcp.json', '{}');
		for (const name of Object.keys(own(written, 'servers') ?? {})) {
			await this.#listed(name, false);
		}
		return written;
	}

	async define(file: string, text: string, { problems = [], lists = [], fixed }: Definitions) {
		const { editor } = this;
		await writeIn(editor, file, text);
		for (const name of lists) {
			await this.#listed(name, true);
		}
		const rows = async () => (await editor.problems()).filter((row) => row.includes('MCP Elicitation ['));
		await until(`the problems ${problems}`, async () => {
			const told = await rows();
			return problems.every((problem) => told.some((row) => row.includes(problem)));
		});
		const told = await rows();
		const found = { problems: told, lists: [...lists], ...(fixed && { fixed: await this.#fix(file) }) };
		await writeIn(editor, file, '{}');
		await until('the problems to go', async () => (await rows()).length === 0);
		for (const name of lists) {
			await this.#listed(name, false);
		}
		return found;
	}

	/** Waits until a server can be started, or no more. */
	async #listed(name: string, isThere: boolean): Promise<void> {
		const { quickInput } = this.editor;
		await until(`${name} to be ${isThere ? 'listed' : 'gone'}`, async (moment) => {
			await this.editor.command('MCP Elicitation: Start Server');
			await quickInput.fill(name);
			const entry = quickInput.entryNamed(name);
			const found = await (isThere
				? appears(entry, moment)
				: succeeds(entry.waitFor({ state: 'hidden', timeout: moment })));
			await quickInput.escape();
			return found;
		});
	}

	/** All that the person sees of what is ours: pages, notifications, dialogs, lists. */
	async said(): Promise<string> {
		const { page } = this.editor;
		const pages = this.editor
			.webviews()
			.map((frame) => frame.evaluate(() => document.body.textContent ?? '').catch(() => ''));
		const native = page.locator(
			'.notification-list-item:visible, .monaco-dialog-box:visible, .quick-input-widget:visible, .markers-panel:visible',
		);
		return [...(await Promise.all(pages)), ...(await native.allInnerTexts())].join('\n').replaceAll('\u00a0', ' ');
	}

	/** Applies the quick fix of the first problem, and gives what the file then holds. */
	async #fix(file: string): Promise<unknown> {
		const { page, workspace } = this.editor;
		const read = () => readFile(join(workspace, file), 'utf8');
		const before = await read();
		const fix = page.locator('.action-widget .monaco-list-row.action').first();
		const problem = page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'MCP Elicitation' });
		await problem.first().dblclick();
		// It takes a while until the problem and its fix are gone, which is not to be applied twice.
		await until('the problem to go', async (moment) => {
			await page.keyboard.press('Control+.');
			await clicks(fix, moment);
			return succeeds(problem.first().waitFor({ state: 'hidden', timeout: 4 * moment }));
		});
		const isUnsaved = () => page.locator('.tab.dirty').isVisible();
		return until('the file to be fixed', async () => {
			if (await isUnsaved()) {
				await page.keyboard.press('Control+S');
			}
			const now = await read();
			// While it is written, it is empty.
			return now !== before && now !== '' && !(await isUnsaved()) && JSON.parse(now);
		});
	}

	#form(): Promise<Frame> {
		return until(`a form of ${this.server}`, async () => {
			for (const frame of this.editor.webviews()) {
				const ready = await frame
					.getByRole('form', { name: this.server, exact: true })
					.getByRole('button', { name: 'Decline', exact: true })
					.isEnabled({ timeout: 200 })
					.catch(() => false);
				if (ready) {
					return frame;
				}
			}
			return undefined;
		});
	}

	async #isOver(form: Frame): Promise<boolean> {
		const button = form.getByRole('button', { name: 'Decline', exact: true });
		return !(await button.isEnabled({ timeout: 200 }).catch(() => false));
	}
}

async function writeIn({ workspace }: Editor, file: string, text: string): Promise<void> {
	await mkdir(dirname(join(workspace, file)), { recursive: true });
	await writeFile(join(workspace, file), text, { mode: 0o755 });
}

/** Where the pages of an authorization server are for the browser: an editor would forward the ports of its own machine. */
const pagesOf = (file: string) => `https://${file}.login.example.com`;

const stages = new Map<string, Stage>();
let editor: Editor;
let browser: CDPSession;

beforeAll(async () => {
	if (!nightly) {
		return;
	}
	for (const [file, each] of fieldCases) {
		const stage = await Stage.open(each);
		stages.set(file, stage);
		if (stage.authorization) {
			stage.authorization.behavior.pages = pagesOf(file);
		}
	}
	const definitions = [...stages]
		.filter(([, { rawServer }]) => rawServer)
		.map(([file, { definition }]) => [file, definition]);
	editor = await openEditor({
		files: { '.mcp.json': '{}', '.vscode/mcp.json': '{}' },
		machineSettings: {
			'mcpElicitation.servers': Object.fromEntries(definitions),
			'mcpElicitation.rateLimit.perMinute': 10_000,
			'mcpElicitation.callTimeout': 5,
			'mcpElicitation.form.presentation': 'webview',
		},
	});
	// Files that change before the extension listens are not read again.
	await editor.showViews();
	await editor.treeItem(/stopped/);
	await editor.page.context().route(
		({ hostname }) => hostname.endsWith('.login.example.com'),
		async (route) => {
			const { origin, pathname, search } = new URL(route.request().url());
			const [, stage] = [...stages].find(([file]) => pagesOf(file) === origin) ?? [];
			const url = `${stage?.authorization?.issuer}${pathname}${search}`;
			await route.fulfill({ response: await route.fetch({ url, maxRedirects: 0 }) });
		},
	);
	browser = await editor.page.context().newCDPSession(editor.page);
});

afterAll(() => Promise.all([...stages.values()].map((stage) => stage.close())));

describe.each(fieldCases)('%s', (file, fieldCase) => {
	beforeEach(async () => {
		await Promise.all(editor.externalPages().map((page) => page.close()));
		await editor.closeTabs();
		await editor.command('Notifications: Clear All Notifications');
		for (const [path, content] of Object.entries(fieldCase.files ?? {})) {
			await writeIn(editor, path, content);
		}
		await browser.send('Emulation.setTimezoneOverride', { timezoneId: fieldCase.zone ?? '' });
	});

	itByNight(fieldCase.name, async () => {
		await runCase(fieldCase, stages.get(file) as Stage, new InEditor(editor, file));
	});
});

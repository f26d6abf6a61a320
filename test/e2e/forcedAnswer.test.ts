import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import type { RawServer } from '../rawServer/rawServer.ts';
import { callTool, type Editor, formOf, formOfServer, openEditor, openRawServer, servers } from './driver/index.ts';
import { until } from './driver/waiting.ts';

const ASKED = formOf({ code: { type: 'string', format: 'password' } }, ['code'], 'The code?');
/** What an editor, a browser and their tests write is in such folders. */
const OURS = /^(?:mcp-elicitation-(?:host|workspace)|playwright)/;

let raw: RawServer;
let editor: Editor;

beforeEach(async () => {
	raw = await openRawServer('stdio');
	editor = await openEditor({
		machineSettings: servers({ raw: raw.definition }),
		settings: {
			'mcpElicitation.form.presentation': 'webview',
			'files.autoSave': 'off',
			'editor.formatOnSave': true,
		},
	});
});

/** The files and the stores of the browser that hold one of these texts. */
async function storesContaining(texts: readonly string[]): Promise<{ [text: string]: string[] }> {
	const found = Object.fromEntries(texts.map((text): [string, string[]] => [text, []]));
	const look = (place: string, content: string | Buffer) => {
		for (const text of texts) {
			// Browsers keep texts in two bytes a character, too.
			if (content.includes(text) || (typeof content !== 'string' && content.includes(Buffer.from(text, 'utf16le')))) {
				found[text]?.push(place);
			}
		}
	};
	const folders = (await readdir(tmpdir())).filter((name) => OURS.test(name));
	for (const folder of folders) {
		for (const entry of await readdir(join(tmpdir(), folder), { recursive: true, withFileTypes: true }).catch(
			() => [],
		)) {
			const path = join(entry.parentPath, entry.name);
			// What is deleted meanwhile holds nothing.
			look(path, entry.isFile() ? await readFile(path).catch(() => '') : '');
		}
	}
	for (const frame of editor.page.frames()) {
		for (const [store, content] of await frame.evaluate(storesOf).catch(() => [])) {
			look(`${store} of ${frame.url()}`, content);
		}
	}
	return found;
}

/** Everything that a page has stored. Runs in the page. */
async function storesOf(): Promise<(readonly [store: string, content: string])[]> {
	const decoder = new TextDecoder();
	const textOf = (value: unknown): string =>
		JSON.stringify(value, (_, item) =>
			item instanceof ArrayBuffer || ArrayBuffer.isView(item) ? decoder.decode(item as ArrayBuffer) : item,
		) ?? '';
	const done = <T>(request: IDBRequest<T>) =>
		new Promise<T>((resolve, reject) => {
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => reject(request.error);
		});
	const stores: [string, string][] = [
		['localStorage', textOf({ ...localStorage })],
		['sessionStorage', textOf({ ...sessionStorage })],
	];
	for (const { name = '' } of await indexedDB.databases()) {
		const database = await done(indexedDB.open(name));
		for (const store of database.objectStoreNames) {
			const objects = database.transaction(store).objectStore(store);
			const [keys, values] = await Promise.all([done(objects.getAllKeys()), done(objects.getAll())]);
			stores.push([`${name}/${store}`, textOf([keys, values])]);
		}
		database.close();
	}
	return stores;
}

describe('what is written in a forced answer', () => {
	itByNight('is on no disk and in no store of the browser while it is written, and after it was sent', async () => {
		const secret = `planted-${crypto.randomUUID()}`;
		const call = await (async () => {
			await callTool(editor, { tool: 'act' });
			return raw.expect('tools/call');
		})();
		const asked = raw.ask(ASKED, call);
		await formOfServer(editor, 'raw', 'The code?');
		await editor.choose('MCP Elicitation: Force Response…', 'Accept with Edited Content…', 'What to send');
		const lens = editor.page.locator('.codelens-decoration').getByText('Send to raw');
		await lens.waitFor();
		await editor.page.locator('.view-line').first().click();
		await editor.page.keyboard.press('Control+A');
		await editor.page.keyboard.press('Delete');
		await editor.page.keyboard.insertText(`{ "code":    "${secret}" }`);
		await editor.page.locator('.view-line').getByText(secret).waitFor();
		await editor.screenshot('forced answer with a secret');

		// Whatever is unsaved is backed up in turn: by when the second of these is, a backup of the first document would be there.
		const tab = editor.page.getByRole('tab', { name: 'response to raw' });
		for (const control of [`control-${crypto.randomUUID()}`, `control-${crypto.randomUUID()}`]) {
			await editor.command('File: New Untitled Text File');
			await editor.page.getByRole('tab', { name: 'Untitled-', selected: true }).waitFor();
			await editor.page.locator('.editor-instance:visible .view-line').first().click();
			await editor.page.keyboard.insertText(control);
			const places = await until('the backup of a document', async () => {
				const found = await storesContaining([control, secret]);
				return (found[control]?.length ?? 0) > 0 && found;
			});
			expect(places[secret]).toEqual([]);
		}
		await tab.click();
		expect(await editor.page.locator('.tab.active.dirty').count()).toBe(0);
		// As it was written: nothing has formatted it.
		await editor.page.locator('.view-line').filter({ hasText: secret }).waitFor();
		// The editor draws a lens anew once its document has settled: a click on the old one is lost.
		await until('the response to be sent', async (moment) => {
			await lens.click({ timeout: moment }).catch(() => {});
			return Promise.race([asked.response, new Promise<undefined>((resolve) => setTimeout(resolve, moment))]);
		});
		expect((await asked.response).result).toEqual({ action: 'accept', content: { code: secret } });
		await tab.waitFor({ state: 'detached' });
		raw.finish(call, { ended: true });
		expect((await storesContaining([secret]))[secret]).toEqual([]);
	});
});

import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	appears,
	type Definition,
	type Editor,
	openEditor,
	recordingStarts,
	reuseEditor,
	servers,
	startsOf,
	succeeds,
	until,
} from './driver/index.ts';

const MCP_JSON = '.vscode/mcp.json';
const SHARED = '.mcp.json';

const json = (value: unknown) => JSON.stringify(value, undefined, '\t');
const mcpJson = (definitions: Readonly<Record<string, Definition>>, inputs: object[] = []) =>
	json({ servers: definitions, inputs });

async function write({ workspace }: Editor, file: string, text: string): Promise<void> {
	await writeFile(join(workspace, file), text);
}

/** Shows the servers, with all the room there is for them. */
async function showServers(editor: Editor): Promise<void> {
	await editor.showViews();
	for (const name of ['Pending Section', 'Timeline Section']) {
		const section = editor.page.getByRole('button', { name, expanded: true });
		if (await section.isVisible()) {
			await section.click();
		}
	}
}

/** Starts a stopped server, whether there are others to choose from or not. */
async function start(editor: Editor, name: string): Promise<void> {
	const item = await server(editor, name, 'stopped');
	const begun = async () => (await modals(editor)) > 0 || !(await item.isVisible());
	await until(`${name} to be started`, async (moment) => {
		await succeeds(item.hover({ timeout: moment }));
		await succeeds(item.getByRole('button', { name: 'Start Server' }).click({ timeout: moment }));
		// The view may be drawn anew at the very moment of the click, which then starts nothing.
		return succeeds(until('the start', begun, moment));
	});
}

/** The entry of a server in the view. */
function server(editor: Editor, name: string, description: string): Promise<Locator> {
	return editor.treeItem(new RegExp(`^\\s*${name}\\s*${description}`));
}

async function startAndAgree(editor: Editor, name: string): Promise<void> {
	await start(editor, name);
	await (await editor.modal()).press('Start Server');
	await running(editor, name);
}

const running = (editor: Editor, name: string) => server(editor, name, '2025-11-25');

const modals = (editor: Editor) => editor.page.locator('.monaco-dialog-box').count();

/** Waits until the Problems panel has a row that says this. */
function problem(editor: Editor, text: RegExp): Promise<string> {
	return until(`a problem that says ${text}`, async () => (await editor.problems()).find((row) => text.test(row)));
}

itByNight(
	'lists the servers of both files, with comments and trailing commas, and says what is wrong at its line',
	async () => {
		const editor = await reuseEditor({
			machineSettings: servers({ remote: {} }),
			settings: {
				...servers({ both: { command: 'node' } }),
				'mcpElicitation.inputs': [{ id: 'x', type: 'promptSting' }],
			},
			files: {
				[MCP_JSON]:
					'{\n\t// mine\n\t"servers": {\n\t\t"one": { "command": "node", },\n\t\t"both": { "command": "node" },\n\t},\n}',
				[SHARED]: [
					'{ /* of several clients */',
					'"mcpServers": {',
					'"two": { "type": "streamable-http", "url": "https://${HOST:-example.com}/mcp", "disabled": true },',
					'"three": { "command": "${NOT_SET_ANYWHERE}" },',
					'"four": { "command": "node", "agrs": [] },',
					'"both": { "command": "node" },',
					'} }',
				].join('\n'),
			},
		});
		await showServers(editor);
		for (const name of ['one', 'two', 'three', 'four', 'both']) {
			await server(editor, name, 'stopped');
		}
		await server(editor, 'remote', 'unusable definition');
		await problem(editor, /mcpElicitation\.inputs/);
		const rows = await editor.problems();
		expect(rows).toEqual(
			expect.arrayContaining([
				expect.stringMatching(
					/^three: "command" uses "\$\{NOT_SET_ANYWHERE\}", but .* MCP Elicitation \[Ln 4, Col 23\]$/,
				),
				expect.stringMatching(/^four: "agrs" is unknown and has no effect\. Did you mean "args"\? .*\[Ln 5, Col 30\]$/),
				expect.stringMatching(
					/^"both" is also defined in the settings of this workspace; that definition takes precedence.*\[Ln 6, Col 1\]$/,
				),
				expect.stringMatching(
					/^"both" is also defined in the settings of this workspace; that definition takes precedence.*\[Ln 5, Col 3\]$/,
				),
				expect.stringMatching(/^"mcpElicitation\.inputs\.0\.type" must be one of .*\[Ln 1, Col \d+\]$/),
				expect.stringMatching(
					/^remote: The definition has neither "command" nor "url"; add one\. .*\[Ln 1, Col \d+\]$/,
				),
			]),
		);
		expect(rows.filter((row) => /^(one|two):/.test(row))).toEqual([]);
		const both = await server(editor, 'both', 'stopped');
		expect(await editor.tooltip(both)).toMatch(
			/Defined in: the settings of this workspace\s+Also defined in: \.vscode\/mcp\.json\s+Also defined in: \.mcp\.json/,
		);
		await editor.screenshot('configuration problems');
	},
);

itByNight('shows a definition in its file, completes and checks it there, and fixes it on request', async () => {
	const editor = await reuseEditor({
		files: { [SHARED]: '{ // mine\n"mcpServers": {\n"a": {\n"command": "node", "agrs": []\n},\n} }' },
	});
	await editor.command('MCP Elicitation: Show Definition');
	await editor.page.getByRole('tab', { name: SHARED }).waitFor();
	await editor.statusBar('Ln 3, Col 4 (3 selected)');
	// The editor, too, lets such a file have comments and trailing commas, as soon as it has read what we say of it.
	await until('the editor to have no objections', async () => {
		const rows = await editor.problems();
		return rows.some((row) => row.includes('agrs')) && !rows.some((row) => /trailing comma|comments/i.test(row));
	});

	await editor.page.locator('.markers-panel .monaco-list-row').filter({ hasText: '"agrs"' }).dblclick();
	await editor.page.locator('.view-line').getByText('"agrs"').click();
	await editor.applyFix('Change to "args"', editor.page.locator('.view-line').filter({ hasText: '"args"' }));
	await editor.page.keyboard.press('Control+S');
	await until('no problem to be left', async () => !(await editor.problems()).some((row) => row.includes('agrs')));

	await editor.page.locator('.view-line').filter({ hasText: '"command"' }).click();
	await editor.page.keyboard.press('End');
	await editor.page.keyboard.type(', "');
	await editor.page.keyboard.press('Control+Space');
	const suggestions = editor.page.locator('.suggest-widget .monaco-list-row');
	await suggestions.filter({ hasText: 'envFile' }).first().waitFor();
	await editor.screenshot('configuration completion');

	await editor.page.keyboard.press('Escape');
	await editor.page.keyboard.press('Control+S');
	await problem(editor, /^This is not JSON: A colon is missing\./);
});

it('restarts only what a change touches, after consent where what it does has changed', async () => {
	const inputs: object[] = [];
	const one = recordingStarts('one', { env: { A: '1', B: '2' } });
	const two = recordingStarts('two');
	const editor = await reuseEditor({ files: { [MCP_JSON]: mcpJson({ one, two }, inputs) } });
	await showServers(editor);
	await startAndAgree(editor, 'one');
	await startAndAgree(editor, 'two');
	const count = () => [startsOf(editor, 'one').length, startsOf(editor, 'two').length];
	expect(count()).toEqual([1, 1]);

	// Another argument: asked again, with what has changed in words.
	await write(
		editor,
		MCP_JSON,
		mcpJson({ one: recordingStarts('one', { args: ['more'], env: { A: '1', B: '2' } }), two }),
	);
	const consent = await editor.modal();
	expect(await consent.message()).toContain('"one"');
	expect(await consent.detail()).toContain('What it starts has changed since you agreed to it: the arguments.');
	expect(await consent.detail()).toContain('Defined in: .vscode/mcp.json');
	expect(await consent.detail()).toMatch(/Argument \d+: more/);
	await editor.screenshot('configuration changed consent');
	await consent.press('Start Server');
	await until('one to be restarted', () => startsOf(editor, 'one').length === 2);
	await running(editor, 'one');

	// How elicitations are put is no part of what was agreed to.
	await write(
		editor,
		MCP_JSON,
		mcpJson({
			one: recordingStarts('one', { args: ['more'], env: { A: '1', B: '2' }, elicitation: { url: 'decline' } }),
			two,
		}),
	);
	await until('one to be restarted', () => startsOf(editor, 'one').length === 3);
	await running(editor, 'one');
	expect(await modals(editor)).toBe(0);

	// A file that is broken for a moment ends nothing, and says so.
	await write(editor, MCP_JSON, '{ "servers": { "one": ');
	await problem(
		editor,
		/^This is not JSON: .* Until it is, the servers that were defined here before stay as they were\./,
	);
	await running(editor, 'one');
	await running(editor, 'two');

	// The same in another order, and an unusable definition of what runs: nothing is restarted or ended.
	const { command, ...unusable } = two;
	await write(
		editor,
		MCP_JSON,
		mcpJson({
			two: { ...unusable, cmd: command },
			one: recordingStarts('one', { elicitation: { url: 'decline' }, env: { B: '2', A: '1' }, args: ['more'] }),
		}),
	);
	await problem(editor, /^two: The definition has neither "command" nor "url"/);
	await running(editor, 'one');
	await running(editor, 'two');
	expect(count()).toEqual([3, 1]);

	// A server whose definition is gone is ended; a new one appears; what was agreed to is remembered.
	await write(
		editor,
		MCP_JSON,
		mcpJson({ one: recordingStarts('one', { args: ['more'], env: { A: '1', B: '2' } }), three: two }),
	);
	await server(editor, 'three', 'stopped');
	await until('one to be restarted', () => startsOf(editor, 'one').length === 4);
	await running(editor, 'one');
	await until('two to be gone', async () => (await editor.page.getByText(/^two$/).count()) === 0);
	await rm(join(editor.workspace, MCP_JSON));
	// The rows may be drawn anew at any time: only the text of an empty view says that none is left.
	await editor.page.getByText('Try the Demo Server').waitFor();
	await write(editor, MCP_JSON, mcpJson({ one: recordingStarts('one', { args: ['more'], env: { A: '1', B: '2' } }) }));
	await server(editor, 'one', 'stopped');
	await start(editor, 'one');
	await until('one to be restarted', () => startsOf(editor, 'one').length === 5);
	expect(await modals(editor)).toBe(0);
	expect(count()).toEqual([5, 1]);
});

itByNight('lists no server of a folder that was renamed or deleted', async () => {
	const editor = await openEditor({ files: { [MCP_JSON]: mcpJson({ one: recordingStarts('one') }) } });
	await showServers(editor);
	await server(editor, 'one', 'stopped');
	const folders = ['.vscode', '.vscode.off'].map((name) => join(editor.workspace, name)) as [string, string];
	await rename(...folders);
	await editor.page.getByText('Try the Demo Server').waitFor();
	await rename(folders[1], folders[0]);
	await server(editor, 'one', 'stopped');
	await rm(folders[0], { recursive: true });
	await editor.page.getByText('Try the Demo Server').waitFor();
});

itByNight('resolves variables at the start, and asks again when what they stand for has changed', async () => {
	const settings = (value: string) => ({
		...servers({ it: recordingStarts('it', { args: ['${config:test.value}'] }), other: recordingStarts('other') }),
		'test.value': value,
	});
	const editor = await reuseEditor({ settings: settings('first') });
	await showServers(editor);
	await startAndAgree(editor, 'it');
	expect(startsOf(editor, 'it').map(({ args }) => args)).toEqual([['first']]);

	await write(editor, '.vscode/settings.json', json(settings('second')));
	// The editor reads its settings a moment after they were written; until then the first value counts.
	await until('the new value to count', async () => {
		const starts = startsOf(editor, 'it').length;
		await editor.command('MCP Elicitation: Restart Server');
		const outcome = await until('it to ask or to be restarted', async () =>
			(await modals(editor)) === 1 ? 'asked' : startsOf(editor, 'it').length > starts && 'restarted',
		);
		if (outcome === 'restarted') {
			await running(editor, 'it');
		}
		return outcome === 'asked';
	});
	const starts = startsOf(editor, 'it').length;
	const consent = await editor.modal();
	expect(await consent.detail()).toMatch(/changed since you agreed to it: the arguments\.[\s\S]*Argument \d+: second/);
	// Refused: it stays stopped, and what was agreed to before is asked for again.
	await consent.escape();
	await server(editor, 'it', 'stopped');
	expect(startsOf(editor, 'it')).toHaveLength(starts);
	await write(editor, '.vscode/settings.json', json(settings('first')));
	await until('the old value to count', async (moment) => {
		await start(editor, 'it');
		return until('it to be restarted', () => startsOf(editor, 'it').length === starts + 1, moment).catch(async () => {
			// Asked about, or which one it shall be: the view may be drawn anew at the very moment of the click.
			await editor.page.keyboard.press('Escape');
			return false;
		});
	});
	expect(await modals(editor)).toBe(0);
});

itByNight('starts nothing that was not shown: what changes while the user is asked is asked about anew', async () => {
	const editor = await reuseEditor({
		files: { [MCP_JSON]: mcpJson({ that: recordingStarts('that', { args: ['shown'] }) }) },
	});
	await showServers(editor);
	await start(editor, 'that');
	const consent = await editor.modal();
	expect(await consent.detail()).toMatch(/Argument \d+: shown/);
	await write(
		editor,
		MCP_JSON,
		mcpJson({ that: recordingStarts('that', { args: ['swapped'] }), other: { command: 'node' } }),
	);
	await server(editor, 'other', 'stopped');
	await consent.press('Start Server');
	const again = await editor.modal();
	expect(await again.detail()).toMatch(/changed since you agreed to it: the arguments\.[\s\S]*Argument \d+: swapped/);
	expect(startsOf(editor, 'that')).toEqual([]);
	await again.press('Start Server');
	await running(editor, 'that');
	expect(startsOf(editor, 'that').map(({ args }) => args)).toEqual([['swapped']]);
});

itByNight('takes a name from the strongest of the places that define it', async () => {
	const place = (at: string) => ({
		same: { command: 'node', args: [at] },
		[`only-${at.replace(' ', '-')}`]: { command: 'node' },
	});
	const setting = (at: string) => json(servers(place(at)));
	const editor = await openEditor({
		machineSettings: servers(place('machine')),
		workspaceFile: 'all.code-workspace',
		files: {
			'all.code-workspace': json({ folders: [{ path: 'a' }, { path: 'b' }], settings: servers(place('workspace')) }),
			'a/.vscode/settings.json': setting('folder a'),
			'b/.vscode/settings.json': setting('folder b'),
			'a/.vscode/mcp.json': mcpJson(place('mcp a')),
			'b/.vscode/mcp.json': mcpJson(place('mcp b')),
			'a/.mcp.json': json({ mcpServers: place('shared a') }),
			'b/.mcp.json': json({ mcpServers: place('shared b') }),
		},
	});
	// The editor under test loses the folders of a workspace file now and then when it opens one.
	await until('the editor to have the folders', async (moment) => {
		await showServers(editor);
		const found = await appears(editor.page.getByText('only-folder-b'), moment);
		return found || editor.reload().then(() => false);
	});
	const places: Readonly<Record<string, string>> = {
		'folder a': 'the settings of the folder a',
		'folder b': 'the settings of the folder b',
		workspace: 'the settings of this workspace',
		machine: 'your remote settings',
		'mcp a': 'a/.vscode/mcp.json',
		'mcp b': 'b/.vscode/mcp.json',
		'shared a': 'a/.mcp.json',
		'shared b': 'b/.mcp.json',
	};
	for (const [at, words] of Object.entries(places)) {
		const item = await server(editor, `only-${at.replace(' ', '-')}`, 'stopped');
		expect(await editor.tooltip(item), at).toContain(`Defined in: ${words}`);
	}
	/** What counts: the first line that says so. */
	const counting = async () => {
		const item = await server(editor, 'same', 'stopped');
		return (await editor.tooltip(item)).match(/Defined in: (.*)/)?.[1];
	};
	const empty: Readonly<Record<string, string>> = {
		'a/.vscode/settings.json': '{}',
		'b/.vscode/settings.json': '{}',
		'all.code-workspace': json({ folders: [{ path: 'a' }, { path: 'b' }], settings: {} }),
	};
	for (const [file, next] of [
		['', 'folder a'],
		['a/.vscode/settings.json', 'folder b'],
		['b/.vscode/settings.json', 'workspace'],
		['all.code-workspace', 'machine'],
	] as const) {
		if (file !== '') {
			await write(editor, file, empty[file] ?? '');
		}
		await until(`${next} to count`, async () => (await counting()) === places[next]);
	}
	await editor.screenshot('configuration places');
});

itByNight('reads neither file where the settings say so', async () => {
	const editor = await reuseEditor({
		settings: { 'mcpElicitation.discoverMcpJson': false },
		files: {
			[MCP_JSON]: mcpJson({ one: { command: 'node' } }),
			[SHARED]: json({ mcpServers: { two: { command: 'node' } } }),
		},
	});
	await showServers(editor);
	const view = editor.page.locator('.pane-body').filter({ hasText: 'Your settings exclude' });
	await view.hover();
	await view.getByRole('button', { name: 'Read from mcp.json' }).waitFor();
	await editor.screenshot('configuration not discovered');
	await write(editor, '.vscode/settings.json', json({ 'mcpElicitation.discoverMcpJson': true }));
	await server(editor, 'one', 'stopped');
	await server(editor, 'two', 'stopped');
});

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
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

const SECRET = 'planted-s3cret/and more';

const INPUTS = [
	{ id: 'token', type: 'promptString', description: 'The token [here](command:x)', password: true },
	{ id: 'region', type: 'pickString', options: ['eu', { label: 'America', value: 'us' }], default: 'us' },
	{ id: 'who', type: 'promptString', default: 'Ada' },
];

const env = { TOKEN: '${input:token}', REGION: '${input:region}', WHO: 'for ${input:who}' };

/** The values with which a server was started, each time. */
function given(editor: Editor, name: string): unknown[] {
	return startsOf(editor, name).map(({ env: { TOKEN, REGION, WHO } }) => [TOKEN, REGION, WHO]);
}

function workspace(definitions: Parameters<typeof servers>[0]) {
	return { ...servers(definitions), 'mcpElicitation.inputs': INPUTS };
}

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
	const begun = async () => (await consents(editor)) > 0 || !(await item.isVisible());
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
	await (await editor.startConsent()).press('Start Server');
	await running(editor, name);
}

const running = (editor: Editor, name: string) => server(editor, name, '2025-11-25');

/** The pages that ask for consent to a start. */
const consents = (editor: Editor) => editor.page.getByRole('tab', { name: /: Start$/ }).count();

/** Waits until the Problems panel has a row that says this. */
function problem(editor: Editor, text: RegExp): Promise<string> {
	return until(`a problem that says ${text}`, async () => (await editor.problems()).find((row) => text.test(row)));
}

describe('inputs', () => {
	itByNight('asks once for what a definition needs, keeps it, and shows no secret anywhere', async () => {
		const failing = {
			command: process.execPath,
			args: ['-e', 'console.error("bad token",process.argv[1])', '${input:token}'],
		};
		const editor = await reuseEditor({
			settings: workspace({ it: recordingStarts('it', { env }), other: recordingStarts('other', { env }), failing }),
		});
		await showServers(editor);
		await editor.choose('MCP Elicitation: Start Server', 'it');
		await editor.quickInput.shows('A value for "who"');
		expect(await editor.quickInput.input.inputValue()).toBe('Ada');
		await editor.quickInput.accept();
		const consent = await editor.startConsent();
		const detail = await consent.detail();
		expect(detail).toContain('Environment variables\nTOKEN=${input:token}\nREGION=${input:region}');
		// Nobody knows what this variable decides, so its value is known before.
		expect(await consent.alarms()).toEqual(['WHO=for Ada']);
		expect(detail).toContain('us  ← a choice for ${input:region}, shown as "America"');
		await consent.press('Start Server');

		await editor.quickInput.shows('The token ');
		expect(await editor.quickInput.title()).toBe('it · token');
		expect(await editor.quickInput.input.getAttribute('type')).toBe('password');
		// What a workspace says of its inputs is only text.
		expect(await editor.quickInput.element.locator('.quick-input-message a').count()).toBe(0);
		await editor.quickInput.enter(SECRET);
		await editor.quickInput.shows('A value for "region"');
		expect(await editor.quickInput.entries()).toEqual(['America', 'eu']);
		await editor.screenshot('input pick');
		await editor.quickInput.pick('eu');
		await editor.treeItem(/it\s*2025-11-25/);
		expect(given(editor, 'it')).toEqual([[SECRET, 'eu', 'for Ada']]);

		// Another server of the same place has the same values, but a secret is entered for the program that gets it.
		await editor.choose('MCP Elicitation: Start Server', 'other');
		await (await editor.startConsent()).press('Start Server');
		await editor.quickInput.shows('What you entered before was for something else. This goes to:');
		expect(await editor.quickInput.title()).toBe('other · token');
		await editor.screenshot('input again');
		await editor.quickInput.enter(SECRET);
		await until('other to be started', () => given(editor, 'other').length === 1);
		expect(given(editor, 'other')).toEqual([[SECRET, 'eu', 'for Ada']]);

		// Whatever a server says of its secret.
		await editor.command('MCP Elicitation: Start Server');
		const failed = await editor.startConsent();
		expect(await failed.detail()).toContain('Argument 3: ${input:token}');
		await failed.press('Start Server');
		await editor.quickInput.shows('The token');
		await editor.quickInput.enter(SECRET);
		const error = await editor.notification('Its last output');
		expect(await error.message()).toContain('Its last output: bad token ‹redacted›.');
		await error.dismiss();
		await editor.choose('MCP Elicitation: Show Server Log', 'it');
		await editor.page.getByText('My token is ‹redacted›.').waitFor();
		expect(await editor.page.locator('body').innerText()).not.toContain('planted-s3cret');

		await editor.choose('MCP Elicitation: Stop Server', 'it');
		await editor.treeItem(/it\s*stopped/);
		await editor.choose('MCP Elicitation: Start Server', 'it');
		await until('it to be started again', () => given(editor, 'it').length === 2);
		expect(given(editor, 'it')).toEqual([
			[SECRET, 'eu', 'for Ada'],
			[SECRET, 'eu', 'for Ada'],
		]);
	});

	itByNight(
		'asks one elicitation after the other when several servers start at once, and for the same value only once',
		async () => {
			const editor = await openEditor({
				settings: {
					...workspace({
						one: recordingStarts('one', { env: { TOKEN: '${input:token}', WHO: '${input:who}' } }),
						two: recordingStarts('two', { env: { TOKEN: '${input:token}', WHO: '${input:who}' } }),
					}),
				},
				machineSettings: { 'mcpElicitation.autoStart': true },
			});
			// What decides is entered before the consents, once for both.
			await editor.quickInput.shows('A value for "who"');
			await editor.quickInput.accept();
			// The page that was opened last is in front.
			for (const name of ['two', 'one']) {
				await (await editor.startConsent(name)).press('Start Server');
				await until(`the token for ${name}`, async () => (await editor.quickInput.title()) === `${name} · token`);
				await editor.quickInput.enter(SECRET);
			}
			await until('both to be started', () => given(editor, 'one').length === 1 && given(editor, 'two').length === 1);
			expect([...given(editor, 'one'), ...given(editor, 'two')]).toEqual([
				[SECRET, undefined, 'Ada'],
				[SECRET, undefined, 'Ada'],
			]);
		},
	);

	itByNight('lets what was entered be changed and forgotten', async () => {
		const editor = await reuseEditor({
			machineSettings: { ...servers({ mine: recordingStarts('mine', { env }) }), 'mcpElicitation.inputs': INPUTS },
		});
		await showServers(editor);
		const editInputs = () => editor.chooseFromMenu(/^mine/, 'Edit Inputs…');
		await editInputs();
		await editor.quickInput.shows('Inputs of mine');
		expect(await editor.quickInput.entry('token').innerText()).toContain('not entered yet');
		await editor.quickInput.pick('who');
		await editor.quickInput.shows('A value for "who"');
		await editor.quickInput.enter('Bob');
		await editor.quickInput.shows('Inputs of mine');
		expect(await editor.quickInput.entry('who').innerText()).toContain('Bob');
		await editor.quickInput.escape();

		await editor.command('MCP Elicitation: Start Server');
		// It writes into the workspace.
		await (await editor.startConsent()).press('Start Server');
		await editor.quickInput.shows('The token');
		await editor.quickInput.escape();
		const told = await editor.notification('mine: It was not started because nothing was entered for "token".');
		expect(given(editor, 'mine')).toEqual([]);
		await told.dismiss();
		await editor.command('MCP Elicitation: Start Server');
		await editor.quickInput.shows('The token');
		await editor.quickInput.enter(SECRET);
		await editor.quickInput.shows('A value for "region"');
		await editor.quickInput.pick('America');
		await showServers(editor);
		await editor.treeItem(/mine\s*2025-11-25/);
		expect(given(editor, 'mine')).toEqual([[SECRET, 'us', 'for Bob']]);

		await editInputs();
		await editor.quickInput.shows('Inputs of mine');
		expect(await editor.quickInput.entry('token').innerText()).toContain('••••••');
		await editor.screenshot('inputs');
		await editor.quickInput.pick('region');
		await editor.quickInput.shows('A value for "region"');
		await editor.quickInput.pick('eu');
		await editor.quickInput.shows('Inputs of mine');
		await editor.quickInput.pressOnEntry('token', 'Forget');
		await until('the token to be forgotten', async () =>
			(await editor.quickInput.entry('token').innerText()).includes('not entered yet'),
		);
		await editor.quickInput.escape();
		const offer = await editor.notification('Your changes take effect the next time "mine" is started.');
		await offer.press('Restart Server');
		await editor.quickInput.shows('The token');
		await editor.quickInput.enter('another');
		await until('mine to be restarted', () => given(editor, 'mine').length === 2);
		expect(given(editor, 'mine')[1]).toEqual(['another', 'eu', 'for Bob']);

		await editInputs();
		await editor.quickInput.shows('Inputs of mine');
		await editor.quickInput.pick('Forget All');
		await until(
			'everything to be forgotten',
			async () => (await editor.quickInput.element.getByText('not entered yet').count()) === 3,
		);
		expect(await editor.quickInput.entry('Forget All').count()).toBe(0);
		await editor.quickInput.escape();
	});
});

describe('files that define servers', () => {
	itByNight('restarts only what a change touches, after consent where what it does has changed', async () => {
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
		const consent = await editor.startConsent();
		expect(await consent.message()).toContain('one');
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
		expect(await consents(editor)).toBe(0);

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
		await write(
			editor,
			MCP_JSON,
			mcpJson({ one: recordingStarts('one', { args: ['more'], env: { A: '1', B: '2' } }) }),
		);
		await server(editor, 'one', 'stopped');
		await start(editor, 'one');
		await until('one to be restarted', () => startsOf(editor, 'one').length === 5);
		expect(await consents(editor)).toBe(0);
		expect(count()).toEqual([5, 1]);
	});

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
						'{\n\t// mine\n\t"servers": {\n\t\t"docs": { "command": "node", },\n\t\t"both": { "command": "node" },\n\t},\n}',
					[SHARED]: [
						'{ /* of several clients */',
						'"mcpServers": {',
						'"web": { "type": "streamable-http", "url": "https://${HOST:-example.com}/mcp", "disabled": true },',
						'"unset": { "command": "${NOT_SET_ANYWHERE}" },',
						'"typo": { "command": "node", "agrs": [] },',
						'"both": { "command": "node" },',
						'} }',
					].join('\n'),
				},
			});
			await showServers(editor);
			for (const name of ['docs', 'web', 'unset', 'typo', 'both']) {
				await server(editor, name, name === 'web' ? 'turned off' : 'stopped');
			}
			await server(editor, 'remote', 'unusable definition');
			await problem(editor, /mcpElicitation\.inputs/);
			const rows = await editor.problems();
			expect(rows).toEqual(
				expect.arrayContaining([
					expect.stringMatching(
						/^unset: "command" uses "\$\{NOT_SET_ANYWHERE\}", but .* MCP Elicitation \[Ln 4, Col 23\]$/,
					),
					expect.stringMatching(
						/^typo: "agrs" is unknown and has no effect\. Did you mean "args"\? .*\[Ln 5, Col 30\]$/,
					),
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
			expect(rows.filter((row) => /^(docs|web):/.test(row))).toEqual([]);
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
		await editor.showViews();
		await editor.chooseFromMenu(/^a\s*stopped/, 'Show Definition');
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
		// The editor says so itself.
		await problem(editor, /^Colon expected/);
	});

	itByNight('starts nothing that was not shown: what changes while the user is asked is asked about anew', async () => {
		const editor = await reuseEditor({
			files: { [MCP_JSON]: mcpJson({ that: recordingStarts('that', { args: ['shown'] }) }) },
		});
		await showServers(editor);
		await start(editor, 'that');
		const consent = await editor.startConsent();
		expect(await consent.detail()).toMatch(/Argument \d+: shown/);
		await write(
			editor,
			MCP_JSON,
			mcpJson({ that: recordingStarts('that', { args: ['swapped'] }), other: { command: 'node' } }),
		);
		await server(editor, 'other', 'stopped');
		await consent.press('Start Server');
		const again = await editor.startConsent();
		expect(await again.detail()).toMatch(/changed since you agreed to it: the arguments\.[\s\S]*Argument \d+: swapped/);
		expect(startsOf(editor, 'that')).toEqual([]);
		await again.press('Start Server');
		await running(editor, 'that');
		expect(startsOf(editor, 'that').map(({ args }) => args)).toEqual([['swapped']]);
	});

	itByNight(
		'says where each server is defined: in settings of every kind, and in the files of every folder',
		async () => {
			const place = (at: string) => ({ [`only-${at.replace(' ', '-')}`]: { command: 'node' } });
			const setting = (at: string) => json(servers(place(at)));
			const editor = await openEditor({
				machineSettings: servers(place('machine')),
				workspaceFile: 'all.code-workspace',
				files: {
					'all.code-workspace': json({
						folders: [{ path: 'a' }, { path: 'b' }],
						settings: servers(place('workspace')),
					}),
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
			await editor.screenshot('configuration places');
		},
	);

	itByNight('reads neither file where the settings say so', async () => {
		const editor = await reuseEditor({
			settings: { 'mcpElicitation.discoverMcpJson': false },
			files: {
				[MCP_JSON]: mcpJson({ own: { command: 'node' } }),
				[SHARED]: json({ mcpServers: { shared: { command: 'node' } } }),
			},
		});
		await showServers(editor);
		const view = editor.page.locator('.pane-body').filter({ hasText: 'Your settings exclude' });
		await view.hover();
		await view.getByRole('button', { name: 'Read from mcp.json' }).waitFor();
		await editor.screenshot('configuration not discovered');
		await write(editor, '.vscode/settings.json', json({ 'mcpElicitation.discoverMcpJson': true }));
		await server(editor, 'own', 'stopped');
		await server(editor, 'shared', 'stopped');
	});
});

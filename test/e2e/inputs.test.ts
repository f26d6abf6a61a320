import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import { type Editor, openEditor, recordingStarts, servers, startsOf, until } from './driver/index.ts';

const SECRET = 'planted-s3cret/and more';

const INPUTS = [
	{ id: 'token', type: 'promptString', description: 'The token [here](command:x)', password: true },
	{ id: 'region', type: 'pickString', options: ['eu', { label: 'America', value: 'us' }], default: 'us' },
	{ id: 'who', type: 'promptString', default: 'Ada' },
];

const env = { TOKEN: '${input:token}', REGION: '${input:region}', WHO: 'for ${input:who}' };

async function showServers(editor: Editor): Promise<void> {
	await editor.page.getByRole('tab', { name: 'MCP Elicitation', selected: false }).click();
}

/** The values with which a server was started, each time. */
function given(editor: Editor, name: string): unknown[] {
	return startsOf(editor, name).map(({ env: { TOKEN, REGION, WHO } }) => [TOKEN, REGION, WHO]);
}

function workspace(definitions: Parameters<typeof servers>[0]) {
	return { ...servers(definitions), 'mcpElicitation.inputs': INPUTS };
}

it('asks once for what a definition needs, keeps it, and shows no secret anywhere', async () => {
	const failing = {
		command: process.execPath,
		args: ['-e', 'console.error("bad token",process.argv[1])', '${input:token}'],
	};
	const editor = await openEditor({
		settings: workspace({ it: recordingStarts('it', { env }), other: recordingStarts('other', { env }), failing }),
	});
	await showServers(editor);
	await editor.choose('MCP Elicitation: Start Server', 'it');
	const consent = await editor.modal();
	const detail = await consent.detail();
	expect(detail).toContain(
		'Environment variables:\nTOKEN=••••••  ← from ${input:token}\nREGION=${input:region}\nWHO=for ${input:who}',
	);
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
	await editor.quickInput.shows('A value for "who"');
	expect(await editor.quickInput.input.inputValue()).toBe('Ada');
	await editor.quickInput.accept();
	await editor.treeItem(/it\s*2025-11-25/);
	expect(given(editor, 'it')).toEqual([[SECRET, 'eu', 'for Ada']]);

	// Another server of the same place has the same values, but a secret is entered for the program that gets it.
	await editor.choose('MCP Elicitation: Start Server', 'other');
	await (await editor.modal()).press('Start Server');
	await editor.quickInput.shows('What you entered before was for something else. This goes to:');
	expect(await editor.quickInput.title()).toBe('other · token');
	await editor.screenshot('input again');
	await editor.quickInput.enter(SECRET);
	await until('other to be started', () => given(editor, 'other').length === 1);
	expect(given(editor, 'other')).toEqual([[SECRET, 'eu', 'for Ada']]);

	// Whatever a server says of its secret.
	await editor.command('MCP Elicitation: Start Server');
	const failed = await editor.modal();
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

	await editor.reload();
	await editor.choose('MCP Elicitation: Start Server', 'it');
	await until('it to be started again', () => given(editor, 'it').length === 2);
	expect(given(editor, 'it')).toEqual([
		[SECRET, 'eu', 'for Ada'],
		[SECRET, 'eu', 'for Ada'],
	]);
});

itByNight('says in words that nothing was entered, and asks again the next time', async () => {
	const editor = await openEditor({
		machineSettings: {
			...servers({ mine: recordingStarts('mine', { env: { TOKEN: '${input:token}' } }) }),
			'mcpElicitation.inputs': INPUTS,
		},
	});
	await editor.command('MCP Elicitation: Start Server');
	// It writes into the workspace.
	await (await editor.modal()).press('Start Server');
	await editor.quickInput.shows('The token');
	await editor.quickInput.escape();
	const notification = await editor.notification('mine: It was not started because nothing was entered for "token".');
	expect(given(editor, 'mine')).toEqual([]);
	await notification.dismiss();
	await editor.command('MCP Elicitation: Start Server');
	await editor.quickInput.shows('The token');
	await editor.quickInput.enter(SECRET);
	await until('mine to be started', () => given(editor, 'mine').length === 1);
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
		// The second elicitation takes the place of the first one at once.
		const consent = await editor.modal();
		for (const name of ['one', 'two']) {
			await until(`consent to ${name}`, async () => (await consent.message()).includes(`"${name}"`));
			expect(await editor.quickInput.element.isVisible()).toBe(false);
			await consent.click('Start Server');
		}
		for (const name of ['one', 'two']) {
			await until(`the token for ${name}`, async () => (await editor.quickInput.title()) === `${name} · token`);
			await editor.quickInput.enter(SECRET);
		}
		await editor.quickInput.shows('A value for "who"');
		await editor.quickInput.accept();
		await until('both to be started', () => given(editor, 'one').length === 1 && given(editor, 'two').length === 1);
		expect([...given(editor, 'one'), ...given(editor, 'two')]).toEqual([
			[SECRET, undefined, 'Ada'],
			[SECRET, undefined, 'Ada'],
		]);
	},
);

itByNight('lets what was entered be changed and forgotten', async () => {
	const editor = await openEditor({
		machineSettings: { ...servers({ mine: recordingStarts('mine', { env }) }), 'mcpElicitation.inputs': INPUTS },
	});
	await editor.command('MCP Elicitation: Edit Inputs…');
	await editor.quickInput.shows('Inputs of mine');
	expect(await editor.quickInput.entry('token').innerText()).toContain('not entered yet');
	await editor.quickInput.pick('who');
	await editor.quickInput.shows('A value for "who"');
	await editor.quickInput.enter('Bob');
	await editor.quickInput.shows('Inputs of mine');
	expect(await editor.quickInput.entry('who').innerText()).toContain('Bob');
	await editor.quickInput.escape();

	await editor.command('MCP Elicitation: Start Server');
	await (await editor.modal()).press('Start Server');
	await editor.quickInput.shows('The token');
	await editor.quickInput.enter(SECRET);
	await editor.quickInput.shows('A value for "region"');
	await editor.quickInput.pick('America');
	await showServers(editor);
	await editor.treeItem(/mine\s*2025-11-25/);
	expect(given(editor, 'mine')).toEqual([[SECRET, 'us', 'for Bob']]);

	await editor.command('MCP Elicitation: Edit Inputs…');
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

	await editor.choose('MCP Elicitation: Edit Inputs…', 'Forget All', 'Inputs of mine');
	await until(
		'everything to be forgotten',
		async () => (await editor.quickInput.element.getByText('not entered yet').count()) === 3,
	);
	expect(await editor.quickInput.entry('Forget All').count()).toBe(0);
	await editor.quickInput.escape();
});

itByNight(
	'asks for a secret again when it would go to another program, and not when it goes where it went before',
	async () => {
		const change = (...args: string[]) =>
			writeFile(
				join(editor.workspace, '.vscode/settings.json'),
				JSON.stringify(workspace({ it: recordingStarts('it', { env: { TOKEN: '${input:token}' }, args }) })),
			);
		const editor = await openEditor({
			settings: workspace({ it: recordingStarts('it', { env: { TOKEN: '${input:token}' } }) }),
		});
		await editor.command('MCP Elicitation: Start Server');
		await (await editor.modal()).press('Start Server');
		await editor.quickInput.shows('The token');
		await editor.quickInput.enter(SECRET);
		await until('it to be started', () => given(editor, 'it').length === 1);

		await change('changed');
		await (await editor.modal()).press('Start Server');
		await editor.quickInput.shows('What you entered before was for something else. This goes to:');
		expect(given(editor, 'it')).toHaveLength(1);
		await editor.quickInput.enter('another');
		await until('it to be started again', () => given(editor, 'it').length === 2);

		await change();
		await (await editor.modal()).press('Start Server');
		await until('it to be started as it was', () => given(editor, 'it').length === 3);
		expect(startsOf(editor, 'it').map((start) => start.env['TOKEN'])).toEqual([SECRET, 'another', SECRET]);
	},
);

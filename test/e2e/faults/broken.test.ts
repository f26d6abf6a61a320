import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, beforeEach, expect } from 'vitest';
import { itByNight } from '../../nightly.ts';
import { ask, callTool, type Editor, formOf, openEditor, program, servers, structured } from '../driver/index.ts';

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({
		machineSettings: servers({
			missing: { command: '/nowhere/to-be-found' },
			leaving: program('raw', 'exit-at-once'),
			unreachable: { url: `http://127.0.0.1:${await unusedPort()}/mcp` },
			unusable: { args: ['no command'] },
			malformed: program('raw', 'malformed-elicit'),
			fickle: program('raw', 'cancel-elicit'),
			working: program('sdk1'),
		}),
	});
	await editor.showViews();
});

beforeEach(() => editor.closeTabs());

/** A port on which nobody listens. */
async function unusedPort(): Promise<number> {
	const probe = createServer();
	await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
	const { port } = probe.address() as AddressInfo;
	await new Promise((resolve) => probe.close(resolve));
	return port;
}

/** The neighbor of all the broken ones works on. */
async function worksOn(): Promise<void> {
	await editor.closeTabs();
	await ask(editor, formOf({}), 'working');
	await editor.quickInput.shows('Review');
	await editor.quickInput.pick(/Decline/);
	expect(await structured(editor)).toEqual({ action: 'decline' });
}

async function start(server: string): Promise<void> {
	await editor.choose('MCP Elicitation: Start Server', server, 'Choose a server');
}

itByNight.each([
	['missing', 'a command that does not exist', [/"\/nowhere\/to-be-found" was not found/, /Check "command"/]],
	['leaving', 'a server that ends at once', [/code 3/, /the moon is not full/, /terminal/]],
	['unreachable', 'a URL where nothing answers', [/ECONNREFUSED/, /Start the server, or correct "url"/]],
])('%s: %s is told in one message that names the server, the cause and the fix', async (server, _fault, says) => {
	await start(server);
	const message = await editor.notification(`${server}: `);
	const text = await message.message();
	for (const part of says) {
		expect(text).toMatch(part);
	}
	await editor.treeItem(new RegExp(`${server}\\s*failed`));
	// A message goes by itself after a while.
	expect([[text], []]).toContainEqual(await editor.notifications());
	await message.dismiss();
});

itByNight(
	'an unusable definition is told in one message, and the servers beside all the broken ones work on',
	async () => {
		await start('unusable');
		const message = await editor.notification('unusable: ');
		expect(await message.message()).toMatch(/neither "command" nor "url"/);
		expect(await message.message()).toMatch(/Correct its definition/);
		expect(await editor.notifications()).toHaveLength(1);
		await message.dismiss();
		await worksOn();
	},
);

itByNight.each([
	['missing-message', /"message" must be a string/],
	['invalid-url', /URL contains whitespace/],
])(
	'a malformed request (%s) is refused with -32602, and the user is told once who sent it (E07, A03)',
	async (tool, reason) => {
		await callTool(editor, { server: 'malformed', tool });
		const message = await editor.notification(/was refused/);
		expect(await message.message()).toMatch(/^malformed /);
		expect(await message.message()).toMatch(reason);
		expect(await structured(editor)).toMatchObject({ error: { code: -32602 } });
		expect((await editor.notifications()).filter((text) => text.includes('was refused')).length).toBeLessThanOrEqual(1);
		await message.dismiss();
	},
);

itByNight(
	'a call can be cancelled while it asks: its elicitation goes away, and nobody answers it twice (D03)',
	async () => {
		await callTool(editor, { server: 'fickle', tool: 'ask' });
		await editor.quickInput.shows('name');
		await editor.command('MCP Elicitation: Cancel Call');
		await editor.pending().waitFor({ state: 'hidden' });
		await editor.quickInput.gone();
		await callTool(editor, { server: 'fickle', tool: 'late-answers' });
		expect(await structured(editor)).toEqual({ lateAnswers: [] });
	},
);

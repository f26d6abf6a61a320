import { expect } from 'vitest';
import { isAlive, parentOf } from '../harness/processTree.mjs';
import { itByNight } from '../nightly.ts';
import { MODERN, type PendingRequest, type Wire } from '../rawServer/rawServer.ts';
import {
	callRawServer,
	consentTo,
	definitionsOf,
	type Editor,
	formOf,
	formOfServer,
	openEditor,
	openRawServer,
	servers,
	structured,
	TIMEOUT,
	until,
} from './driver/index.ts';

async function openRawServers() {
	return {
		pipe: await openRawServer('stdio'),
		web: await openRawServer('http'),
		rounds: await openRawServer('stdio', { revision: MODERN }),
	} as const;
}

/** An editor in the middle of everything that can be open with servers of every kind. */
interface Scene {
	readonly rawServers: Awaited<ReturnType<typeof openRawServers>>;
	readonly editor: Editor;
	readonly calls: { readonly pipe: Wire; readonly web: Wire };
	/** What the user has not answered. */
	readonly elicitations: { readonly pipe: PendingRequest; readonly web: PendingRequest };
	readonly pids: readonly number[];
}

async function everythingOpen(): Promise<Scene> {
	const rawServers = await openRawServers();
	const editor = await openEditor({
		settings: { 'mcpElicitation.form.presentation': 'webview' },
		machineSettings: servers(definitionsOf(rawServers)),
	});
	await editor.showViews();
	const pipe = await callRawServer(editor, rawServers, 'pipe');
	const ofPipe = rawServers.pipe.ask(formOf({}, [], 'Of the pipe'), pipe);
	await formOfServer(editor, 'pipe');
	const web = await callRawServer(editor, rawServers, 'web');
	const page = { mode: 'url', message: 'Please sign in', url: 'https://login.example.com/', elicitationId: '1' };
	const opened = rawServers.web.ask(page, web);
	await consentTo(editor, 'Please sign in', 'Open URL');
	await (await editor.externalPage(page.url)).close();
	await opened.response;
	const ofWeb = rawServers.web.ask(formOf({}, [], 'Of the web'), web);
	await formOfServer(editor, 'web');
	rawServers.rounds.answer(await callRawServer(editor, rawServers, 'rounds'), {
		resultType: 'input_required',
		inputRequests: { a: { method: 'elicitation/create', params: formOf({}, [], 'Of the rounds') } },
	});
	await formOfServer(editor, 'rounds');
	const pids = [...rawServers.pipe.pids, ...rawServers.rounds.pids].filter(isAlive);
	expect(pids).toHaveLength(2);
	return { rawServers, editor, calls: { pipe, web }, elicitations: { pipe: ofPipe, web: ofWeb }, pids };
}

/** Every server has seen the end, no process is left, and no elicitation was answered but with cancel. */
async function allEnded({ rawServers, calls, elicitations, pids }: Scene): Promise<void> {
	await Promise.all([
		rawServers.pipe.left(),
		rawServers.rounds.left(),
		rawServers.web.left(calls.web),
		rawServers.web.left(),
	]);
	await until('no process to be left', () => !pids.some(isAlive));
	const replies = [
		...rawServers.pipe.responses(elicitations.pipe.id),
		...rawServers.web.responses(elicitations.web.id),
	];
	expect(replies.filter(({ result }) => result?.action !== 'cancel')).toEqual([]);
	const sent = rawServers.rounds.requests('tools/call').map(({ params }) => params.inputResponses ?? 'called');
	expect(sent).toEqual(['called']);
}

/** A server can be started and called. */
async function worksOn({ editor, rawServers }: Scene): Promise<void> {
	rawServers.pipe.finish(await callRawServer(editor, rawServers, 'pipe'), { again: true });
	expect(await structured(editor)).toEqual({ again: true });
}

itByNight(
	'fault 29: when the window reloads every server sees the end; only the call that can be resumed is pending in the new one (F14, K16)',
	async () => {
		const scene = await everythingOpen();
		await scene.editor.reload();
		await allEnded(scene);
		expect(scene.rawServers.web.log.filter((line) => line === 'DELETE')).toHaveLength(1);
		await worksOn(scene);
		expect(await scene.editor.pending().innerText()).toContain('MCP 1');
	},
);

itByNight(
	'fault 30: when the extension host is killed no process and no form is left, and servers can be started again',
	async () => {
		const scene = await everythingOpen();
		const host = await parentOf(scene.pids[0] ?? 0);
		expect(host).toBeGreaterThan(1);
		process.kill(host ?? 0, 'SIGKILL');
		await allEnded(scene);
		// Another extension host has to start first.
		await until('the forms to be closed', () => scene.editor.webviews().length === 0, 3 * TIMEOUT);
		await worksOn(scene);
		await scene.editor.closeTabs();
		await scene.editor.reload();
		await worksOn(scene);
	},
);

itByNight('a server that cannot be started is told in one message that names it, the cause and the fix', async () => {
	const editor = await openEditor({ machineSettings: servers({ missing: { command: '/nowhere/to-be-found' } }) });
	await editor.showViews();
	await editor.command('MCP Elicitation: Start Server');
	const message = await editor.notification('missing: ');
	const text = await message.message();
	expect(text).toMatch(/"\/nowhere\/to-be-found" was not found.*Check "command"/);
	await editor.treeItem(/missing\s*failed/);
	// A message goes by itself after a while.
	expect([[text], []]).toContainEqual(await editor.notifications());
});

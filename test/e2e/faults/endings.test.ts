import { expect, it } from 'vitest';
import { isAlive, parentOf } from '../../harness/processTree.mjs';
import type { Question, Wire } from '../../puppet/puppet.ts';
import { callRawServer, type Editor, formOf, formOfServer, structured, until } from '../driver/index.ts';
import { type Cast, cast, stage } from './cast.ts';

/** An editor in the middle of everything that can be open with servers of every kind. */
interface Scene {
	readonly puppets: Cast;
	readonly editor: Editor;
	readonly calls: { readonly pipe: Wire; readonly web: Wire };
	/** What the person has not answered. */
	readonly questions: { readonly pipe: Question; readonly web: Question };
	readonly pids: readonly number[];
}

async function everythingOpen(): Promise<Scene> {
	const puppets = await cast();
	const editor = await stage(puppets);
	const pipe = await callRawServer(editor, puppets, 'pipe');
	const ofPipe = puppets.pipe.ask(formOf({}, [], 'Of the pipe'), pipe);
	await formOfServer(editor, 'pipe');
	const web = await callRawServer(editor, puppets, 'web');
	const page = { mode: 'url', message: 'Please sign in', url: 'https://login.example.com/', elicitationId: '1' };
	const opened = puppets.web.ask(page, web);
	await (await editor.notification('Please sign in')).press('Open URL');
	await (await editor.externalPage(page.url)).close();
	await opened.response;
	const ofWeb = puppets.web.ask(formOf({}, [], 'Of the web'), web);
	await formOfServer(editor, 'web');
	puppets.rounds.answer(await callRawServer(editor, puppets, 'rounds'), {
		resultType: 'input_required',
		inputRequests: { a: { method: 'elicitation/create', params: formOf({}, [], 'Of the rounds') } },
	});
	await formOfServer(editor, 'rounds');
	const pids = [...puppets.pipe.pids, ...puppets.rounds.pids].filter(isAlive);
	expect(pids).toHaveLength(2);
	return { puppets, editor, calls: { pipe, web }, questions: { pipe: ofPipe, web: ofWeb }, pids };
}

/** Every server has seen the end, no process is left, and no question was answered but with cancel. */
async function allEnded({ puppets, calls, questions, pids }: Scene): Promise<void> {
	await Promise.all([puppets.pipe.left(), puppets.rounds.left(), puppets.web.left(calls.web), puppets.web.left()]);
	await until('no process to be left', () => !pids.some(isAlive));
	const replies = [...puppets.pipe.responses(questions.pipe.id), ...puppets.web.responses(questions.web.id)];
	expect(replies.filter(({ result }) => result?.action !== 'cancel')).toEqual([]);
	expect(puppets.rounds.requests('tools/call')).toHaveLength(1);
}

/** A server can be started and called. */
async function worksOn({ editor, puppets }: Scene): Promise<void> {
	puppets.pipe.finish(await callRawServer(editor, puppets, 'pipe'), { again: true });
	expect(await structured(editor)).toEqual({ again: true });
}

it('fault 29: when the window reloads every server sees the end; nothing is pending in the new one (F14)', async () => {
	const scene = await everythingOpen();
	await scene.editor.reload();
	await allEnded(scene);
	expect(scene.puppets.web.log.filter((line) => line === 'DELETE')).toHaveLength(1);
	await worksOn(scene);
	expect(await scene.editor.pending().isVisible()).toBe(false);
});

it('fault 29: when the window closes every server sees the end (F14)', async () => {
	const scene = await everythingOpen();
	await scene.editor.close();
	await allEnded(scene);
});

it('fault 30: when the extension host is killed no process is left, and servers can be started again', async () => {
	const scene = await everythingOpen();
	const host = parentOf(scene.pids[0] ?? 0);
	expect(host).toBeGreaterThan(1);
	process.kill(host ?? 0, 'SIGKILL');
	await allEnded(scene);
	await scene.editor.reload();
	await worksOn(scene);
});

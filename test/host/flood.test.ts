import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { callTool, defineServers, formIsClosed, formsOf, present, run, until } from './support.ts';

/** Max time that the event loop may be blocked (ms), a third of what makes the editor call the host unresponsive. */
const MAX_BLOCKED = 1_000;

describe('a thousand elicitations at once', () => {
	before(async () => {
		await defineServers();
		await present('webview');
	});
	after(async () => {
		await run('stopServer', 'flood');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await formIsClosed('flood');
	});

	it('leave the extension host responsive; those neither shown nor held get one response (A01, fault 11)', async () => {
		await run('startServer', 'flood');
		const delay = monitorEventLoopDelay({ resolution: 5 });
		delay.enable();
		const began = Date.now();
		const { structuredContent } = await callTool('flood', 'flood', { count: 1_000, enough: 930 });
		const answered = Date.now() - began;
		await until('three forms', () => formsOf('flood').length === 3);
		delay.disable();
		const [worst, usual] = [delay.max, delay.percentile(50)].map((nanoseconds) => nanoseconds / 1e6);
		console.log(`930 of 1,000 answered after ${answered} ms; the event loop waited ${usual} ms, at most ${worst} ms`);
		assert.deepEqual(structuredContent, { answered: 930, again: 0 });
		assert.ok(Number(worst) < MAX_BLOCKED, `the event loop was busy for ${worst} ms`);
	});
});

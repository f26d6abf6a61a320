import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ask, callTool, defineServers, formIsClosed, formIsOpen, present, run } from './support.ts';

const elicitation = {
	message: 'An elicitation',
	requestedSchema: {
		type: 'object',
		properties: {
			agree: { type: 'boolean' },
			color: { type: 'string', enum: ['red', 'green'], default: 'green' },
		},
		required: ['agree'],
	},
};

describe('responding by command', () => {
	before(async () => {
		await defineServers();
		await present('webview');
	});

	afterEach(() => formIsClosed('sdk1'));

	it('a decline reaches the server without content (F02, F13)', async () => {
		const answer = ask(elicitation);
		await formIsOpen('sdk1');
		await run('declineElicitation');
		assert.deepEqual(await answer, { action: 'decline' });
	});

	it('a cancel reaches the server without content (F02, F13)', async () => {
		const answer = ask(elicitation);
		await formIsOpen('sdk1');
		await run('cancelElicitation');
		assert.deepEqual(await answer, { action: 'cancel' });
	});

	it('closing the tab is a cancel (F14)', async () => {
		const answer = ask(elicitation);
		await vscode.window.tabGroups.close(await formIsOpen('sdk1'));
		assert.deepEqual(await answer, { action: 'cancel' });
	});

	it('cancelling the call closes the form (A02)', async () => {
		const call = callTool('demo', 'book-table');
		const tab = await formIsOpen('demo');
		const outcome = assert.rejects(call);
		await run('cancelCall');
		await outcome;
		await vscode.window.tabGroups.close(tab);
	});
});

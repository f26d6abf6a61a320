import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, type CommandId } from '../../src/editor/common/commandTable.ts';
import { fullId } from '../../src/editor/common/contributions.ts';
import { extension } from './support.ts';

describe('contributions of the extension', () => {
	before(() => extension().activate());

	it('come with an extension that is active', () => {
		assert.equal(extension().isActive, true);
	});

	it('every command of the manifest is registered', async () => {
		const registered = new Set(await vscode.commands.getCommands(true));
		const missing = (Object.keys(COMMANDS) as CommandId[]).map(fullId).filter((command) => !registered.has(command));
		assert.deepEqual(missing, []);
	});

	it('every view can be focused', async () => {
		const registered = new Set(await vscode.commands.getCommands(true));
		for (const view of ['servers', 'pending', 'timeline']) {
			assert.ok(registered.has(`mcpElicitation.${view}.focus`), view);
		}
	});

	it('every setting has a default', () => {
		const { properties } = extension().packageJSON.contributes.configuration;
		for (const id of Object.keys(properties)) {
			assert.notEqual(vscode.workspace.getConfiguration().inspect(id)?.defaultValue, undefined, id);
		}
	});
});

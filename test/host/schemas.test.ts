import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extension, until } from './support.ts';

const PARAMS = {
	type: 'object',
	properties: { message: { type: 'string' }, requestedSchema: { type: 'object', properties: { a: { type: 'zip' } } } },
};

/** A request from the specification, and one that violates it, on separate lines. */
const TEXT = `{
"$defs": { "ElicitRequestFormParams": ${JSON.stringify(PARAMS)} },
"asked": { "message": "Where to?", "requestedSchema": { "type": "object", "properties": { "place": { "type": "zip" } } } }
}
`;

const settings = () => vscode.workspace.getConfiguration('mcpElicitation');

/** Lines that have diagnostics of this extension. */
function linesOf({ uri }: vscode.TextDocument): number[] {
	const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'MCP Elicitation');
	return [...new Set(ours.map(({ range }) => range.start.line))];
}

describe('schemas in a JSON file', () => {
	before(() => extension().activate());

	after(() => settings().update('checkSchemas', undefined, vscode.ConfigurationTarget.Global));

	it('are checked if they belong to elicitations, and not at all if the setting is off', async () => {
		const document = await vscode.workspace.openTextDocument({ language: 'json', content: TEXT });
		await vscode.window.showTextDocument(document);
		await until('the request to be checked', () => linesOf(document).length > 0);
		assert.deepEqual(linesOf(document), [2]);
		await settings().update('checkSchemas', false, vscode.ConfigurationTarget.Global);
		await until('nothing to be said any more', () => linesOf(document).length === 0);
		await settings().update('checkSchemas', true, vscode.ConfigurationTarget.Global);
		await until('the request to be checked again', () => linesOf(document).length > 0);
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
	});
});

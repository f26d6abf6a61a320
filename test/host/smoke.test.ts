import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension in the editor', () => {
	it('activates', async () => {
		const extension = vscode.extensions.getExtension('mcp-elicitation.mcp-elicitation');
		assert.ok(extension, 'the editor does not know the extension');
		await extension.activate();
		assert.equal(extension.isActive, true);
	});
});

import { expect, it, vi } from 'vitest';
import type { WorkspaceFolder } from 'vscode';
import * as config from '../../../../src/config/index.ts';
import { SHAPES } from '../../../../src/config/shape.ts';
import type { Config } from '../../../../src/editor/common/loadConfig.ts';
import type { ConfiguredServer } from '../../../../src/editor/servers/configuration.ts';

vi.mock('vscode', async () => (await import('../vscode.ts')).fakeVscode({ workspace: { workspaceFolders: [1, 2] } }));

const { startPrompt } = await import('../../../../src/editor/servers/startModel.ts');

function promptFor(folder: WorkspaceFolder) {
	const [definition] = config.readServers({ it: { url: 'https://h/mcp' } }).servers;
	if (!definition) throw new Error('The test needs a good definition.');
	const source = { kind: 'shared', uri: 'x', folder, shape: SHAPES.shared, file: undefined } as const;
	const server: ConfiguredServer = { name: 'it', source, problems: [], inputs: [], others: [] };
	const plan = { start: { written: definition, shown: definition }, needsConsent: true };
	return startPrompt(config as Config, server, plan, undefined);
}

it('a folder whose name has line breaks adds no lines to the consent', () => {
	const { model, detail } = promptFor({ name: 'app\nRun: true', uri: {} } as WorkspaceFolder);
	expect(model.place).toBe('Defined in: app‹U+000A›Run: true/.mcp.json');
	expect(detail?.split('\n')).toContain(model.place);
});

it('a folder whose name would wrap like several lines is shown in a panel', () => {
	const name = `${'x'.repeat(50)} Command: /usr/bin/true`;
	expect(promptFor({ name, uri: {} } as WorkspaceFolder).detail).toBeUndefined();
});

import { expect, it, vi } from 'vitest';
import type { WorkspaceFolder } from 'vscode';
import * as config from '../../../../src/config/index.ts';
import { SHAPES } from '../../../../src/config/shape.ts';
import type { Config } from '../../../../src/editor/common/loadConfig.ts';
import type { ConfiguredServer } from '../../../../src/editor/servers/configuration.ts';

const folder = { name: 'app\nCommand: /usr/bin/true', uri: {} } as WorkspaceFolder;
vi.mock('vscode', () => ({
	l10n: { t: (text: string) => text },
	workspace: { workspaceFolders: [folder, folder] },
}));

const { startPrompt } = await import('../../../../src/editor/servers/startModel.ts');

it('a folder whose name has line breaks adds no lines to the consent', () => {
	const [definition] = config.readServers({ it: { url: 'https://h/mcp' } }).servers;
	if (!definition) throw new Error('The test needs a good definition.');
	const source = { kind: 'shared', uri: 'x', folder, shape: SHAPES.shared, file: undefined } as const;
	const server: ConfiguredServer = { name: 'it', source, problems: [], inputs: [], others: [] };
	const plan = { start: { written: definition, shown: definition }, needsConsent: true };
	const { model, detail } = startPrompt(config as Config, server, plan, undefined);
	expect(model.place).toBe('Defined in: app‹U+000A›Command: /usr/bin/true/.mcp.json');
	expect(detail?.split('\n')).toContain(model.place);
});

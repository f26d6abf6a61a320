import { expect, it } from 'vitest';
import type { WorkspaceFolder } from 'vscode';
import * as config from '../../../../src/config/index.ts';
import { SHAPES } from '../../../../src/config/shape.ts';
import type { Config } from '../../../../src/editor/common/loadConfig.ts';
import { Launcher } from '../../../../src/editor/servers/launcher.ts';
import { startPrompt } from '../../../../src/editor/servers/startModel.ts';
import { Secrets } from '../../../../src/trace/secrets.ts';
import { define } from '../../config/define.ts';
import { fakeVscode } from '../vscode.ts';

const source = { kind: 'shared', uri: 'x', folder: undefined, shape: SHAPES.shared, file: undefined } as const;

/** What happens until a server is started: which values are asked for, for whom, and which URL the consent shows. */
async function launched(host: string): Promise<string[]> {
	const happened: string[] = [];
	const definition = define({
		url: 'https://${input:host}/mcp',
		headers: { Authorization: 'Bearer ${input:token}', Region: '${input:region}' },
	});
	const inputs = ['token', 'region', 'host'].map((id) => ({ id, type: 'promptString', password: id === 'token' }));
	const server = { name: 'it', source, definition, problems: [], inputs, others: [] };
	const values = {
		get: async (_source: unknown, { id, password }: { id: string; password: boolean }, { text }: { text: string }) => {
			happened.push(password ? `${id} for ${text}` : id);
			return { value: id === 'host' ? host : id, secret: password };
		},
	};
	const consent = {
		obtain: async (_server: unknown, { start }: { start: { shown: { url: string } } }) => {
			happened.push(`consent to ${start.shown.url}`);
			return true;
		},
	};
	const launcher = new Launcher(consent as never, values as never, new Secrets());
	expect(await launcher.prepare(server as never)).toMatchObject({ url: `https://${host}/mcp` });
	return happened;
}

it.each(['a.example', 'b.example'])(
	'asks for the host of a URL before the consent, which shows it, and for a secret that goes to this host (%s)',
	async (host) => {
		expect(await launched(host)).toEqual([
			'host',
			`consent to https://${host}/mcp`,
			`token for https://${host}/mcp`,
			'region',
		]);
	},
);

/** The prompt for consent to a server of a folder of this name. */
function promptFor(name: string) {
	fakeVscode({ workspace: { workspaceFolders: [1, 2] } });
	const definition = define({ url: 'https://h/mcp' });
	const folder = { name, uri: {} } as WorkspaceFolder;
	const server = { name: 'it', source: { ...source, folder }, problems: [], inputs: [], others: [] };
	const plan = { start: { written: definition, shown: definition }, needsConsent: true };
	return startPrompt(config as Config, server, plan, undefined);
}

it('a folder whose name has line breaks adds no lines to the consent', () => {
	const { model, detail } = promptFor('app\nRun: true');
	expect(model.place).toBe('Defined in: app‹U+000A›Run: true/.mcp.json');
	expect(detail?.split('\n')).toContain(model.place);
});

it('a folder whose name would wrap like several lines is shown in a panel', () => {
	expect(promptFor(`${'x'.repeat(50)} Command: /usr/bin/true`).detail).toBeUndefined();
});

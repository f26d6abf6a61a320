import { expect, it, vi } from 'vitest';
import { SHAPES } from '../../../../src/config/shape.ts';
import type { ConfiguredServer } from '../../../../src/editor/servers/configuration.ts';
import { Secrets } from '../../../../src/trace/secrets.ts';
import { define } from '../../config/define.ts';

vi.mock('vscode', async () => (await import('../vscode.ts')).fakeVscode());

const { Launcher } = await import('../../../../src/editor/servers/launcher.ts');

/** What happens until a server is started: which values are asked for, for whom, and which URL the consent shows. */
async function launched(host: string): Promise<string[]> {
	const happened: string[] = [];
	const definition = define({
		url: 'https://${input:host}/mcp',
		headers: { Authorization: 'Bearer ${input:token}', Region: '${input:region}' },
	});
	const source = { kind: 'shared', uri: 'x', folder: undefined, shape: SHAPES.shared, file: undefined } as const;
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
	expect(await launcher.prepare(server as unknown as ConfiguredServer)).toMatchObject({ url: `https://${host}/mcp` });
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

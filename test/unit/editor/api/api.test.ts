import { expect, it, vi } from 'vitest';
import { World } from '../../elicitation/world.ts';

vi.mock('vscode', () => ({
	EventEmitter: class {
		event = () => ({ dispose: () => {} });
		fire() {}
		dispose() {}
	},
	l10n: { t: (text: string) => text },
}));

const { createApi } = await import('../../../../src/editor/api/api.ts');

it('lists all configured servers, and no temporary connection', () => {
	const entries = [
		{ configured: { name: 'one' }, state: 'stopped' },
		{ configured: { name: 'one (forms only)' }, state: 'running', temporaryFor: 'one' },
	];
	const servers = { entries, onDidChange: () => ({ dispose: () => {} }) };
	const { registry } = new World();
	const api = createApi({ registry, servers } as never, []);
	expect(api.servers).toEqual([{ name: 'one', state: 'stopped', tools: [] }]);
});

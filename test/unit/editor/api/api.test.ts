import { expect, it, vi } from 'vitest';
import { World } from '../../elicitation/world.ts';

vi.mock('vscode', async () => (await import('../vscode.ts')).fakeVscode());

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

it('refuses arguments that JSON cannot hold before a call begins, and copies the others as they are sent', async () => {
	const calls: unknown[] = [];
	const context = {
		registry: new World().registry,
		servers: { onDidChange: () => ({ dispose: () => {} }) },
		callTool: async (...[, , args]: unknown[]) => {
			calls.push(args);
			return { content: [] };
		},
	};
	const api = createApi(context as never, []);
	const cyclic: Record<string, unknown> = {};
	cyclic['itself'] = cyclic;
	for (const args of [cyclic, { many: 1n }, [], new Date(), () => {}]) {
		await expect(api.callTool('one', 'act', args as never)).rejects.toThrow(TypeError);
	}
	expect(calls).toEqual([]);
	await api.callTool('one', 'act', { at: new Date(0), none: undefined });
	expect(calls).toEqual([{ at: '1970-01-01T00:00:00.000Z' }]);
});

it.each([{}, { content: null }])('gives a result without content an empty list of it: %j', async (result) => {
	const context = {
		registry: new World().registry,
		servers: { onDidChange: () => ({ dispose: () => {} }) },
		callTool: async () => ({ ...result, structuredContent: { done: true } }),
	};
	const api = createApi(context as never, []);
	expect(await api.callTool('one', 'act')).toEqual({ content: [], structuredContent: { done: true } });
});

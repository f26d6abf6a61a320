import { expect, it, vi } from 'vitest';
import type { Preparation, Servers } from '../../../../../src/editor/servers/servers.ts';
import { Emitter } from '../../../../../src/elicitation/emitter.ts';
import { define } from '../../../mcp/testClient.ts';

const startDebugging = vi.hoisted(() => vi.fn(async () => true));

vi.mock('vscode', async () => (await import('../../vscode.ts')).fakeVscode({ debug: { startDebugging } }));

const { Debuggers } = await import('../../../../../src/editor/debugging/development/debuggers.ts');

it('one debugger attaches to a server that was stopped while it started, and started again', async () => {
	const server = { state: 'stopped', configured: { source: { kind: 'demo' } } };
	const changed = new Emitter<void>();
	let prepare: Preparation = async (definition) => definition;
	const servers = {
		get: () => server,
		onDidChange: changed.event,
		prepareStartsWith: (preparation: Preparation) => {
			prepare = preparation;
		},
		restart: async () => {},
	} as unknown as Servers;
	await new Debuggers(servers).debug('s');
	const definition = define('s', { command: 'lldb-server', dev: { debug: { type: 'lldb' } } });
	for (const state of ['starting', 'stopped', 'starting', 'running']) {
		if (state === 'starting') {
			await prepare(definition);
		}
		server.state = state;
		changed.fire();
	}
	expect(startDebugging).toHaveBeenCalledTimes(1);
});

import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpPuppet } from '../../puppet/http.ts';
import { MODERN, type Puppet } from '../../puppet/puppet.ts';
import { StdioPuppet } from '../../puppet/stdio.ts';
import { callTool, type Editor, openEditor, puppet, servers, structured } from '../driver/index.ts';

/** Seconds. */
const CALL_TIMEOUT = 3;

let puppets: Readonly<Record<'pipe' | 'web' | 'modernPipe' | 'modernWeb', Puppet>>;
let editor: Editor;

beforeAll(async () => {
	puppets = {
		pipe: await puppet(StdioPuppet.open),
		web: await puppet(HttpPuppet.open),
		modernPipe: await puppet(StdioPuppet.open, { revision: MODERN }),
		modernWeb: await puppet(HttpPuppet.open, { revision: MODERN }),
	};
	const definitions = Object.entries(puppets).map(([name, { definition }]) => [name, definition]);
	editor = await openEditor({
		machineSettings: { ...servers(Object.fromEntries(definitions)), 'mcpElicitation.callTimeout': CALL_TIMEOUT },
	});
});

beforeEach(() => editor.closeTabs());

describe.each(['pipe', 'web'] as const)('a call to %s', (name) => {
	it('that reports progress may take longer than its time limit (D05)', async () => {
		const server = puppets[name];
		await callTool(editor, { server: name, tool: 'act' });
		const call = await server.expect('tools/call');
		const { progressToken } = call.params._meta;
		for (let progress = 1; progress <= 2 * CALL_TIMEOUT; progress++) {
			// No condition to wait for: what is tested is that time may pass.
			await pause(1_000);
			server.notify('notifications/progress', { progressToken, progress }, call);
		}
		server.finish(call, { done: true });
		expect(await structured(editor)).toEqual({ done: true });
		expect(server.requests('notifications/cancelled')).toEqual([]);
	});
});

describe.each(['modernPipe', 'modernWeb'] as const)('a call to %s', (name) => {
	it('that needs what this client does not offer fails with its name (D08)', async () => {
		const server = puppets[name];
		await callTool(editor, { server: name, tool: 'act' });
		const data = { requiredCapabilities: { sampling: {} } };
		server.fail(await server.expect('tools/call'), { code: -32021, message: 'Missing capability', data });
		const message = await editor.notification(`${name}: `);
		expect(await message.message()).toMatch(/needs what this client did not declare: sampling\./);
		await message.dismiss();
	});
});

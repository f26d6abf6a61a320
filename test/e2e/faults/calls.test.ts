import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight, variants } from '../../nightly.ts';
import { MODERN } from '../../rawServer/rawServer.ts';
import {
	callRawServer,
	definitionsOf,
	type Editor,
	failureOf,
	openEditor,
	openRawServer,
	type RawServer,
	servers,
	structured,
} from '../driver/index.ts';

/** Seconds. */
const CALL_TIMEOUT = 3;

let rawServers: Readonly<Record<'pipe' | 'web' | 'modernPipe' | 'modernWeb', RawServer>>;
let editor: Editor;

beforeAll(async () => {
	rawServers = {
		pipe: await openRawServer('stdio'),
		web: await openRawServer('http'),
		modernPipe: await openRawServer('stdio', { revision: MODERN }),
		modernWeb: await openRawServer('http', { revision: MODERN }),
	};
	editor = await openEditor({
		machineSettings: { ...servers(definitionsOf(rawServers)), 'mcpElicitation.callTimeout': CALL_TIMEOUT },
	});
});

beforeEach(() => editor.closeTabs());

describe.each(variants('web', 'pipe'))('a call to %s', (name) => {
	itByNight('that reports progress may take longer than its time limit (D05)', async () => {
		const server = rawServers[name];
		const call = await callRawServer(editor, rawServers, name);
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

describe.each(variants('modernPipe', 'modernWeb'))('a call to %s', (name) => {
	itByNight('that needs what this client does not offer fails with its name (D08)', async () => {
		const call = await callRawServer(editor, rawServers, name);
		const data = { requiredCapabilities: { sampling: {} } };
		rawServers[name].fail(call, { code: -32021, message: 'Missing capability', data });
		expect(await failureOf(editor, name)).toMatch(/needs what this client did not declare: sampling\./);
	});
});

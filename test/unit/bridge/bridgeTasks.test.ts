import { expect, it } from 'vitest';
import { BridgeTasks } from '../../../src/bridge/bridgeTasks.ts';
import type { BridgeHost } from '../../../src/bridge/index.ts';
import type { Json, JsonObject } from '../../../src/elicitation/json.ts';
import { eventually } from '../mcp/timing.ts';

it('keeps a hundred tasks of a client: the oldest one that has ended makes room, and none that runs', async () => {
	const ends: ((result: JsonObject) => void)[] = [];
	const host = {
		connect: async () => ({ listed: () => [{ name: 'act', execution: { taskSupport: 'optional' } }] }),
		call: () => new Promise((resolve) => ends.push(resolve)),
	} as unknown as BridgeHost;
	const tasks = new BridgeTasks(host, 's', () => {});
	const { signal } = new AbortController();
	const create = async () => {
		const { task } = await tasks.serve('tools/call', { name: 'act', task: {} }, { signal });
		return (task as { readonly taskId: Json }).taskId;
	};
	const status = async (taskId: Json | undefined) => (await tasks.serve('tasks/get', { taskId }, { signal }))['status'];
	const ids: Json[] = [];
	for (let count = 0; count < 100; count++) {
		ids.push(await create());
	}
	await expect(create()).rejects.toMatchObject({ code: -32603, message: 'There are 100 unfinished tasks already.' });
	expect(ends).toHaveLength(100);
	ends[3]?.({ content: [] });
	ends[2]?.({ content: [] });
	await eventually(async () => (await status(ids[2])) === 'completed');
	await create();
	await expect(status(ids[2])).rejects.toMatchObject({ code: -32602 });
	expect([await status(ids[0]), await status(ids[3])]).toEqual(['working', 'completed']);
	tasks.close();
});

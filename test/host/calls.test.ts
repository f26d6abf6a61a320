import assert from 'node:assert/strict';
import { callTool, defineServers, run } from './support.ts';

describe('calling a tool by command', () => {
	before(defineServers);

	it('resolves to the result of the tool', async () => {
		const args = { text: 'hello', number: 0, boolean: false };
		const result = await callTool('demo', 'echo', args);
		assert.deepEqual(result.structuredContent, args);
		assert.equal(result.content[0]?.type, 'text');
	});

	it('rejects with a sentence that names the server when there is none of that name', async () => {
		await assert.rejects(callTool('nobody', 'echo'), /nobody: There is no server of this name\./);
	});

	it('rejects with a sentence that names the server and the tool when there is none of that name', async () => {
		await assert.rejects(callTool('demo', 'no-such-tool'), /demo: .*no-such-tool/);
	});

	it('rejects when the server refuses the call', async () => {
		await assert.rejects(callTool('sdk1', 'fail', { protocol: true }), /sdk1: .*It failed as a request\./);
	});

	it('resolves to a failed result as it is', async () => {
		const result = await callTool('sdk1', 'fail');
		assert.deepEqual(result.content, [{ type: 'text', text: 'It failed as a tool.' }]);
	});

	it('serves calls of several servers at the same time', async () => {
		const results = await Promise.all([
			callTool('demo', 'echo', { text: 'one' }),
			callTool('sdk1', 'progress', { steps: 3 }),
			callTool('demo', 'echo', { text: 'two' }),
		]);
		assert.deepEqual(
			results.map(({ structuredContent }) => structuredContent),
			[{ text: 'one' }, { steps: 3, reported: true }, { text: 'two' }],
		);
	});

	it('can be cancelled by command', async () => {
		const call = callTool('sdk1', 'slow', { ms: 60_000 });
		const outcome = assert.rejects(call);
		await untilCancelled(outcome);
	});
});

/** Cancels what runs until the outcome is there: a call takes a moment to begin. */
async function untilCancelled(outcome: Promise<unknown>): Promise<void> {
	let over = false;
	const end = outcome.finally(() => {
		over = true;
	});
	while (!over) {
		await run('cancelCall');
	}
	await end;
}

import assert from 'node:assert/strict';
import { callTool, defineServers, formIsClosed, formIsOpen, present, run } from './support.ts';

describe('calling a tool by command', () => {
	before(defineServers);

	it('resolves to the result of the tool', async () => {
		const args = { text: 'hello', number: 0, boolean: false };
		const result = await callTool('demo', 'echo', args);
		assert.deepEqual(result.structuredContent, args);
		assert.equal(result.content[0]?.type, 'text');
	});

	it('sends the arguments as they were at the time of the call', async () => {
		const args = { text: 'before' };
		const calling = callTool('demo', 'echo', args);
		args.text = 'after';
		assert.deepEqual((await calling).structuredContent, { text: 'before' });
	});

	it('rejects with a sentence that names the server if there is no such server', async () => {
		await assert.rejects(callTool('nobody', 'echo'), /nobody: There is no server with this name\./);
	});

	it('rejects with a sentence that names the server and the tool if there is no such tool', async () => {
		await assert.rejects(callTool('demo', 'no-such-tool'), /demo: .*no-such-tool/);
	});

	it('rejects when the server refuses the call', async () => {
		await assert.rejects(callTool('sdk1', 'fail', { protocol: true }), /sdk1: .*It failed as a request\./);
	});

	it('resolves to a failed result unchanged', async () => {
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

describe('getting a prompt and reading a resource by command', () => {
	before(async () => {
		await defineServers();
		await present('webview');
	});

	it('resolves to the result after the server’s elicitation (R06)', async () => {
		const prompt = run<PromptResult>('getPrompt', 'sdk1', 'greet', { language: 'en' });
		await formIsOpen('sdk1');
		await run('declineElicitation');
		assert.deepEqual(JSON.parse((await prompt).messages[0]?.content.text ?? ''), {
			arguments: { language: 'en' },
			answer: { action: 'decline' },
		});
		await formIsClosed('sdk1');
		const resource = await run<ResourceResult>('readResource', 'sdk1', 'test://files/page.html');
		assert.equal(resource.contents[0]?.mimeType, 'text/html');
	});

	it('rejects with a sentence that names the server and what is unknown', async () => {
		await assert.rejects(run('getPrompt', 'sdk1', 'no-such-prompt', {}), /sdk1: .*no-such-prompt/);
		await assert.rejects(run('readResource', 'nobody', 'a:b'), /nobody: There is no server with this name\./);
	});
});

interface PromptResult {
	readonly messages: readonly { readonly content: { readonly text: string } }[];
}

interface ResourceResult {
	readonly contents: readonly { readonly mimeType?: string }[];
}

/** Cancels the running call until it has ended, because a call takes a moment to start. */
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

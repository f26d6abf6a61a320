import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
	ask,
	callTool,
	defineServers,
	extension,
	formIsClosed,
	formIsOpen,
	present,
	rateLimit,
	run,
	type ToolResult,
	useTool,
} from './support.ts';

let asked = 0;

/** A request unlike those before, because what repeats a declined one is held back. */
const request = () => ({
	message: `Elicitation ${++asked}`,
	requestedSchema: {
		type: 'object',
		properties: { agree: { type: 'boolean' }, color: { type: 'string', enum: ['red', 'green'], default: 'green' } },
		required: ['agree'],
	},
});

async function prepare(): Promise<void> {
	await defineServers();
	await present('webview');
	// The tests before have asked as much as a server may.
	await rateLimit(1_000);
}

/** What a caller gets to see of a result. */
interface Seen {
	readonly isError: boolean;
	readonly text: string | undefined;
	readonly structured: unknown;
}

const seen = ({ isError = false, content, structuredContent }: ToolResult): Seen => ({
	...{ isError, text: content[0]?.text, structured: structuredContent },
});

/** Ways to call a tool. `abort` is how the caller cancels the call. */
const ways = [
	{
		how: 'by command',
		call: async (server: string, tool: string, args?: object) => seen(await callTool(server, tool, args)),
		abort: () => run('cancelCall'),
		rejection: /Canceled/,
		refusesLists: false,
	},
	{
		how: 'through the API',
		call: async (server: string, tool: string, args?: object, stop = new AbortController()) =>
			seen((await extension().exports.callTool(server, tool, args as never, { signal: stop.signal })) as never),
		abort: (stop: AbortController) => stop.abort(new Error('Enough.')),
		rejection: /Enough\./,
		refusesLists: true,
	},
	{
		how: 'by a language model',
		call: async (server: string, tool: string, args: object = {}, stop = new AbortController()) => {
			const cancel = new vscode.CancellationTokenSource();
			stop.signal.addEventListener('abort', () => cancel.cancel());
			const texts = await useTool('callTool', { server, tool, arguments: args }, cancel.token);
			const isError = texts[0] === '{"isError":true}';
			const [structured] = texts.flatMap((each) => (each.startsWith('{') ? [JSON.parse(each)] : []));
			return { isError, text: texts[isError ? 1 : 0], structured };
		},
		abort: (stop: AbortController) => stop.abort(),
		rejection: /Canceled/,
		refusesLists: true,
	},
];

for (const { how, call, abort, rejection, refusesLists } of ways) {
	describe(`a tool that is called ${how}`, () => {
		before(prepare);
		after(() => rateLimit(undefined));

		it('leads to its result', async () => {
			const args = { text: 'hello', number: 0, boolean: false };
			const { isError, structured } = await call('demo', 'echo', args);
			assert.deepEqual([isError, structured], [false, args]);
		});

		it('says that it failed, and why', async () => {
			const { isError, text } = await call('sdk1', 'fail');
			assert.deepEqual([isError, text], [true, 'It failed as a tool.']);
		});

		it('is refused with a sentence that names the server and what is wrong', async () => {
			await assert.rejects(call('nobody', 'echo'), /nobody: There is no server with this name\./);
			await assert.rejects(call('sdk1', 'no-such-tool'), /sdk1: .*no-such-tool/);
			if (refusesLists) {
				await assert.rejects(call('demo', 'echo', []), /The arguments of a tool are an object\./);
			}
		});

		it('leaves its elicitation to the user, whose decline reaches the server without content (F02, F13)', async () => {
			const calling = call('sdk1', 'ask', { params: request() });
			await formIsOpen('sdk1');
			await run('declineElicitation');
			assert.deepEqual((await calling).structured, { action: 'decline' });
			await formIsClosed('sdk1');
		});

		it('withdraws its elicitation when the call is cancelled (A02)', async () => {
			const stop = new AbortController();
			const outcome = assert.rejects(call('sdk1', 'ask', { params: request() }, stop), rejection);
			const tab = await formIsOpen('sdk1');
			await abort(stop);
			await outcome;
			await vscode.window.tabGroups.close(tab);
			await formIsClosed('sdk1');
		});
	});
}

describe('a command that makes a call', () => {
	before(prepare);
	after(() => rateLimit(undefined));

	it('sends the arguments as they were at the time of the call', async () => {
		const args = { text: 'before' };
		const calling = callTool('demo', 'echo', args);
		args.text = 'after';
		assert.deepEqual((await calling).structuredContent, { text: 'before' });
	});

	it('rejects when the server refuses the call', async () => {
		await assert.rejects(callTool('sdk1', 'fail', { protocol: true }), /sdk1: .*It failed as a request\./);
	});

	it('serves several servers at the same time', async () => {
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

	it('gets a prompt or a resource after the server’s elicitation (R06)', async () => {
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
		await assert.rejects(run('getPrompt', 'sdk1', 'no-such-prompt', {}), /sdk1: .*no-such-prompt/);
		await assert.rejects(run('readResource', 'nobody', 'a:b'), /nobody: There is no server with this name\./);
	});
});

describe('a cancel reaches the server without content', () => {
	before(prepare);
	after(() => rateLimit(undefined));

	afterEach(() => formIsClosed('sdk1'));

	it('by command (F02, F13)', async () => {
		const answer = ask(request());
		await formIsOpen('sdk1');
		await run('cancelElicitation');
		assert.deepEqual(await answer, { action: 'cancel' });
	});

	it('when the user closes the tab (F14)', async () => {
		const answer = ask(request());
		await vscode.window.tabGroups.close(await formIsOpen('sdk1'));
		assert.deepEqual(await answer, { action: 'cancel' });
	});
});

interface PromptResult {
	readonly messages: readonly { readonly content: { readonly text: string } }[];
}

interface ResourceResult {
	readonly contents: readonly { readonly mimeType?: string }[];
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleDemo, type Era, type Wire } from './peer.ts';

let demo: Awaited<ReturnType<typeof bundleDemo>>;
beforeAll(async () => {
	demo = await bundleDemo();
});
afterAll(() => demo.remove());

const elicitation = { form: {}, url: {} };
const clientInfo = { name: 'test', version: '1' };
const call = { name: 'sign-in', arguments: {} };

it.each<[Era, Wire[]]>([
	[
		'2025-11-25',
		[
			{
				id: 1,
				method: 'initialize',
				params: { protocolVersion: '2025-11-25', capabilities: { elicitation }, clientInfo },
			},
			{ method: 'notifications/initialized' },
			{ id: 2, method: 'tools/call', params: call },
		],
	],
	[
		'2026-07-28',
		[
			{
				id: 1,
				method: 'tools/call',
				params: {
					...call,
					_meta: {
						'io.modelcontextprotocol/protocolVersion': '2026-07-28',
						'io.modelcontextprotocol/clientCapabilities': { elicitation },
						'io.modelcontextprotocol/clientInfo': clientInfo,
					},
				},
			},
		],
	],
])(
	'ends by itself when its stdin closes with an elicitation and a page open, and its listener with it: %s',
	async (_, messages) => {
		const child = spawn(process.execPath, [demo.file], { stdio: ['pipe', 'pipe', 'inherit'] });
		for (const message of messages) {
			child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
		}
		const lines = createInterface({ input: child.stdout });
		const url = await new Promise<string>((resolve) =>
			lines.on('line', (line) => {
				const [found] = /http:\/\/127[^"]+/.exec(line) ?? [];
				if (found !== undefined) resolve(found);
			}),
		);
		expect((await fetch(url)).status).toBe(200);
		// A browser that connects ahead of need and says nothing must not keep the process.
		const idle = createConnection(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
		await once(idle, 'connect');
		const exited = once(child, 'exit');
		child.stdin.end();
		expect(await exited).toEqual([0, null]);
		await expect(fetch(url)).rejects.toThrow();
	},
);

it('checks no schema: that is for clients to show', () => {
	expect(demo.sources.join()).toMatch(/modelcontextprotocol.server/);
	expect(demo.sources.filter((source) => /\bajv|cfworker/i.test(source))).toEqual([]);
});

/**
 * A host process for interruptedCalls.test.ts to kill: product code with storage on disk, without an editor. Resumes the calls
 * that are stored; if there are none, it makes one. Prints what the user gets to see, as JSON, one line each.
 *   node interruptedHost.cjs REAPER_BUNDLE STORAGE_FILE DEFINITION
 * Lines on stdin: `["accept", content]` and `["draft", inputs]` for the open form, and `["reload"]`.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Memento, SecretStorage } from 'vscode';
import type { ServerDefinition } from '../../../../src/config/definition.ts';
import { readServers } from '../../../../src/config/readDefinition.ts';
import { type KeptCall, WaitingCalls } from '../../../../src/editor/calls/waitingCalls.ts';
import type { WaitingCall } from '../../../../src/elicitation/checkpoint.ts';
import { Registry } from '../../../../src/elicitation/registry.ts';
import { Connection, Reaper } from '../../../../src/mcp/index.ts';
import { TraceLog } from '../../../../src/trace/log.ts';
import { Visitor } from '../../../conformance/visitor.ts';

const [, , reaper = '', file = '', definition = '{}'] = process.argv;

const tell = (line: object) => console.log(JSON.stringify(line));
const subscription = { dispose() {} };

/** Everything that is stored, by key. */
const stored: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));

async function put(key: string, value: unknown): Promise<void> {
	stored[key] = value;
	writeFileSync(file, JSON.stringify(stored));
	tell({ stored: key.split(':')[0] });
}

const memory = { get: (key: string, other: unknown) => stored[key] ?? other, update: put } as unknown as Memento;
const secrets = {
	get: async (key: string) => stored[key],
	store: put,
	delete: async (key: string) => void delete stored[key],
} as unknown as SecretStorage;

const waiting = new WaitingCalls(memory, secrets, `${file}-sent`, (error) => tell({ error: String(error) }));
const registry = new Registry({ validate: async () => ({ status: 'valid' }) }, () => Number.POSITIVE_INFINITY);
const nothing = () => {};
const log = { level: 'info', onDidChangeLevel: () => subscription, debug: nothing, info: nothing } as const;
const connection = new Connection(readServers({ shop: JSON.parse(definition) }).servers[0] as ServerDefinition, {
	registry,
	trace: new TraceLog(() => 1_000),
	reaper: new Reaper(reaper),
	clientVersion: '1.0.0',
	signIn: new Visitor(),
	log: () => ({ ...log, warn: nothing, error: nothing, stderr: nothing }),
	callTimeout: () => 0,
	taskMode: () => 'auto',
	allowInsecureUrls: () => 'loopback',
	workspaceRoots: { list: () => [], onDidChange: () => subscription },
});

/** Makes a call as `callForUser` does. */
async function callTool(resumed?: WaitingCall & KeptCall): Promise<void> {
	const { call, send } = await connection.begin({ kind: 'tool', name: 'act', args: resumed?.args ?? { n: 1 } });
	const keeper = waiting.keep(call, resumed);
	try {
		tell({ result: await send({ keeper }) });
	} catch (error) {
		tell({ failed: String(error) });
	} finally {
		await keeper.release();
	}
}

async function start(): Promise<void> {
	if (waiting.all.length === 0) {
		await callTool();
		return;
	}
	for (const call of waiting.all) {
		const kept = await waiting.read(call);
		if (kept) {
			void callTool({ ...call, ...kept });
		} else {
			tell({ lost: call.name });
			await waiting.remove(call);
		}
	}
}

registry.onDidAdd((elicitation) => {
	const { request } = elicitation;
	tell({ asked: request.message, draft: waiting.draftOf(elicitation)?.content });
});

createInterface({ input: process.stdin }).on('line', async (line) => {
	const [act, content] = JSON.parse(line);
	const open = registry.live.find(({ state }) => state === 'asking');
	if (act === 'reload') {
		await waiting.close();
		await connection.stop();
		process.exit();
	} else if (open && act === 'draft') {
		waiting.draftOf(open)?.change(content);
	} else if (open) {
		waiting.draftOf(open)?.forget();
		await registry.accept(open, content);
	}
});

start().catch((error) => tell({ failed: String(error) }));

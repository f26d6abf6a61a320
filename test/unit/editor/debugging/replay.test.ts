import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DebuggingContext } from '../../../../src/editor/debugging/debuggingContext.ts';
import { exportTest } from '../../../../src/editor/debugging/exportedTests/exportTest.ts';
import { replayAfterChange, replayCall } from '../../../../src/editor/debugging/replay/replayCall.ts';
import { Trials } from '../../../../src/editor/debugging/trials/trials.ts';
import { TraceLog } from '../../../../src/trace/log.ts';
import { LEGACY } from '../../../rawServer/rawServer.ts';
import { define } from '../../config/define.ts';
import { World } from '../../elicitation/world.ts';
import { maskedLog } from '../../privacy/maskedLog.ts';
import { messages, passTime, stopClock, textsOf } from '../surfaces.ts';
import { testCommands } from '../testCommands.ts';
import { FileSystemError, fakeVscode, Uri } from '../vscode.ts';

/** The button that the user chooses in dialogs. */
let choice: string | undefined;
const shown = messages(({ detail, choose, click }) => (detail === undefined ? click() : choose(choice)));

let world: World;
let begin: ReturnType<typeof vi.fn>;
let context: DebuggingContext;
/** Identifies the server that has the name now. */
let identity: string;

/** Lets time pass on both clocks (ms). */
function pass(milliseconds: number): void {
	passTime(milliseconds);
	vi.setSystemTime(Date.now() + milliseconds);
}

beforeEach(() => {
	vi.useFakeTimers({ toFake: ['Date'] });
	stopClock();
	onTestFinished(() => void vi.useRealTimers());
	world = new World(undefined, undefined, () => identity);
	begin = vi.fn(async () => undefined);
	identity = 'mine';
	choice = undefined;
	const servers = { settled: Promise.resolve(), identityOf: () => identity };
	const commands = testCommands(world.registry);
	context = { registry: world.registry, begin, servers, commands } as unknown as DebuggingContext;
});

/** A call that ended a minute ago. */
function ended() {
	const call = world.call();
	world.registry.endCall(call, 'succeeded', {});
	pass(60_000);
	return call;
}

it.each([
	['by the user', 7],
	['by a program', undefined],
])(
	'a replay after a change is awaited by the user only as long as the call that it repeats, started %s',
	async (_, startedByUserAt) => {
		const call = world.registry.beginCall('s', 'tool', 'deploy', {}, undefined, startedByUserAt);
		world.registry.endCall(call, 'succeeded', {});
		await replayAfterChange(context, call, new AbortController().signal);
		expect(begin).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ startedByUserAt }));
	},
);

describe('when another server has the name of the one that was called', () => {
	const CHANGED = 'The MCP server "s" is not the one that "deploy" was called on.';

	it('a replay sends it what the user entered only if they say so, and to no third one', async () => {
		const call = ended();
		identity = 'of a workspace';
		await replayCall(context, call);
		expect(begin).not.toHaveBeenCalled();
		choice = 'Continue';
		pass(60_000);
		await replayCall(context, call);
		expect(textsOf(shown)).toEqual([CHANGED, CHANGED]);
		expect(begin).toHaveBeenCalledTimes(1);
		expect(begin).toHaveBeenCalledWith(expect.objectContaining({ identity: 'of a workspace' }), expect.anything());
	});

	it('no trial is run on it unasked', async () => {
		const call = ended();
		identity = 'of a workspace';
		await new Trials(context).run(call);
		expect(textsOf(shown)).toEqual([CHANGED]);
		expect(begin).not.toHaveBeenCalled();
	});

	it('its call does not become a test of it unasked', async () => {
		const call = ended();
		identity = 'of a workspace';
		await exportTest(context, call);
		expect(textsOf(shown)).toEqual([CHANGED]);
	});
});

it('the name of a tool has no icons, line breaks, or reordered letters in the status bar', async () => {
	const setStatusBarMessage = vi.fn();
	fakeVscode({ window: { setStatusBarMessage } });
	const called = () => world.registry.beginCall('$(verified) s', 'tool', '$(sync~spin) \u202eevil\u200btool', {});
	const call = called();
	world.registry.endCall(call, 'succeeded', {});
	begin.mockImplementation(async () => {
		const again = called();
		return { call: again, send: async () => world.registry.endCall(again, 'succeeded', {}) };
	});
	await replayAfterChange(
		{ ...context, trace: new TraceLog(() => 10) } as DebuggingContext,
		call,
		new AbortController().signal,
	);
	expect(setStatusBarMessage.mock.calls.map(([text]) => text)).toEqual([
		'$\u200b(verified) s: The replay of $\u200b(sync~spin) ‹U+202E›evil‹U+200B›tool has ended as before.',
	]);
});

describe('a call becomes a test', () => {
	const written = new Map<string, string>();
	beforeEach(() => written.clear());

	/** Exports a call. @param name of the file that the user chooses instead of the one that is proposed */
	async function exported(chosen: string, name?: string, url = 'https://example.com/mcp'): Promise<string[]> {
		const uri = Uri.parse('virtual:/w');
		const fileAt = ({ path }: Uri) => written.get(path.slice('/w/'.length)) ?? Promise.reject(new FileSystemError());
		const labels: string[] = [];
		fakeVscode({
			env: { shell: '/bin/sh' },
			window: {
				showQuickPick: async (items: readonly { label: string }[]) => {
					labels.push(...items.map(({ label }) => label));
					return items.find(({ label }) => label === chosen);
				},
				showSaveDialog: async ({ defaultUri }: { defaultUri: Uri }) =>
					name === undefined ? defaultUri : Uri.joinPath(uri, name),
				showTextDocument: async () => {},
			},
			workspace: {
				workspaceFolders: [{ uri, name: 'w', index: 0 }],
				getWorkspaceFolder: () => undefined,
				openTextDocument: async () => {},
				fs: {
					readDirectory: async () => [...written.keys()].map((file) => [file, 1]),
					readFile: async (file: Uri) => Buffer.from(await fileAt(file)),
					stat: async (file: Uri) => ({ type: 1, size: (await fileAt(file)).length }),
					writeFile: async ({ path }: Uri, bytes: Uint8Array) =>
						void written.set(path.slice('/w/'.length), Buffer.from(bytes).toString()),
				},
			},
		});
		const call = ended();
		const trace = maskedLog(() => 10);
		const params = { name: call.name, arguments: {} };
		trace.add({ server: 's', direction: 'sent', message: { id: 1, method: 'tools/call', params }, call });
		trace.add({ server: 's', direction: 'received', message: { id: 1, result: {} }, call });
		const configured = { source: { kind: 'user', shape: {} }, definition: define({ url }) };
		const get = () => ({ configured, connection: { revision: LEGACY } });
		const extension = { extension: { packageJSON: { version: '1.2.3' } } };
		const servers = { ...context.servers, get };
		await exportTest({ ...context, extension, trace, servers } as unknown as DebuggingContext, call);
		return labels;
	}

	it('in every way, also one of a server at a socket', async () => {
		const all = ['vitest', 'pytest', 'sh', 'JSON scenario'];
		expect(await exported('none', undefined, 'unix:///run/mcp.sock#/mcp')).toEqual(all);
		for (const chosen of all) {
			await exported(chosen);
		}
		const files = ['deploy.scenario.json', 'deploy.test.mjs', 'test_deploy.scenario.json', 'test_deploy.py'];
		expect([...written.keys()]).toEqual([...files, 'deploy_2.scenario.json', 'deploy_2.sh', 'deploy_3.scenario.json']);
		for (const [scenario, test] of [files.slice(0, 2), files.slice(2, 4)] as [string, string][]) {
			expect(JSON.parse(written.get(scenario) ?? '')).toMatchObject({ name: 'deploy', server: { type: 'http' } });
			expect(written.get(test)).toContain(`"npx --yes mcp-elicitation@1.2.3 run ${scenario}"`);
		}
	});

	it('whose scenario replaces the one that the same test ran before, and no other', async () => {
		await exported('vitest');
		written.set('deploy.scenario.json', 'before');
		await exported('vitest', 'deploy.test.mjs');
		expect(written.get('deploy.scenario.json')).toContain('"deploy"');
		written.set('Other.scenario.json', 'kept');
		await exported('sh', 'other.sh');
		expect(written.get('Other.scenario.json')).toBe('kept');
		expect(written.get('other.sh')).toContain(' run other_2.scenario.json\n');
		// Nothing of a name that a shell could act on gets into a command.
		await exported('sh', '-x;$(id).sh');
		expect(written.get('-x;$(id).sh')).toContain(' run x_id.scenario.json\n');
	});
});

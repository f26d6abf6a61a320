import { beforeEach, expect, it } from 'vitest';
import { exportTimeline } from '../../../../src/editor/timeline/exportTimeline.ts';
import { Timeline } from '../../../../src/trace/timeline.ts';
import { World } from '../../elicitation/world.ts';
import { maskedLog } from '../../privacy/maskedLog.ts';
import { messages, nth, textsOf } from '../surfaces.ts';
import { fakeVscode } from '../vscode.ts';

/** The user confirms to include secrets. All other messages wait for the test. */
const shown = messages(({ kind, choose }) => kind === 'warning' && choose('Include Secrets'));

/** The file that is exported to. */
const file = { path: '', isFull: false, isLink: false, written: [] as string[] };

fakeVscode({
	workspace: {
		asRelativePath: ({ path }: { path: string }) => path.slice(1),
		fs: {
			stat: async () => ({ type: file.isLink ? 65 : 1 }),
			writeFile: async (_file: unknown, bytes: Uint8Array) => {
				if (file.isFull) {
					throw new Error('The disk is full.');
				}
				file.written.push(new TextDecoder().decode(bytes));
			},
		},
	},
	window: {
		showSaveDialog: async () => ({ path: file.path }),
		showQuickPick: async (items: { label: string }[]) => items.find(({ label }) => label === 'call 1'),
	},
});

beforeEach(() => {
	Object.assign(file, { path: '/mcp-timeline.jsonl', written: [], isFull: false, isLink: false });
});

/** A timeline with messages of two calls, one of which is still running. */
function filled() {
	const world = new World();
	const trace = maskedLog(() => 100);
	const say = (id: number, params: object) => {
		const message = { id, method: 'tools/call', params };
		trace.add({ server: 's', direction: 'sent', message: message as never, call: world.call(`call ${id}`) });
	};
	const timeline = new Timeline(world.registry, trace);
	say(1, { token: 'hunter2' });
	say(2, {});
	return { timeline, trace, say };
}

it.each(['/mcp-timeline.jsonl', '/mcp-timeline.html'])(
	'writes the same messages again with secrets, whatever came or was cleared since: %s',
	async (path) => {
		file.path = path;
		const { timeline, trace, say } = filled();
		await exportTimeline(timeline, undefined);
		expect(file.written[0]).not.toContain('hunter2');
		trace.clear();
		say(3, {});
		shown[0]?.choose('Include Secrets…');
		expect(await nth(file.written, 2)).toContain('hunter2');
		expect(file.written[1]).toContain('call 2');
		expect(file.written[1]).not.toContain('call 3');
	},
);

it('tells that the file could not be written again', async () => {
	await exportTimeline(filled().timeline, undefined);
	file.isFull = true;
	shown[0]?.choose('Include Secrets…');
	await nth(shown, 3);
	expect(textsOf(shown).slice(2)).toEqual(['MCP Elicitation: The disk is full.']);
});

it('writes nothing through a symbolic link, which a workspace may have put there', async () => {
	const { timeline } = filled();
	file.isLink = true;
	await expect(exportTimeline(timeline, undefined)).rejects.toThrow('Nothing was written because');
	file.isLink = false;
	await exportTimeline(timeline, undefined);
	file.isLink = true;
	shown[0]?.choose('Include Secrets…');
	await nth(shown, 3);
	expect(textsOf(shown).slice(2)).toEqual([expect.stringContaining('is a symbolic link')]);
	expect(file.written).toHaveLength(1);
});

it('writes the call that the user chooses as a case of the field, without secrets', async () => {
	file.path = '/case.json';
	await exportTimeline(filled().timeline, undefined);
	expect(JSON.parse(file.written[0] ?? '')).toMatchObject({ steps: [{ calls: 'call 1' }, { takes: 'tools/call' }] });
	expect(file.written[0]).not.toContain('hunter2');
	expect(textsOf(shown)).toEqual(['case.json: The call was exported; secrets are left out. Add what must come of it.']);
});

import { beforeEach, expect, it, vi } from 'vitest';
import { KEY_GUARD } from '../../../../src/elicitation/keyGuard.ts';
import { Timeline } from '../../../../src/trace/timeline.ts';
import { World } from '../../elicitation/world.ts';
import { maskedLog } from '../../trace/maskedLog.ts';

/** VS Code with one file, whose notifications wait for the test. */
const editor = vi.hoisted(() => ({
	path: '/mcp-timeline.jsonl',
	written: [] as string[],
	errors: [] as string[],
	isFull: false,
	isLink: false,
	/** Chooses a button of the newest notification. */
	choose: (_button: string | undefined) => {},
}));

vi.mock('vscode', async () =>
	(await import('../vscode.ts')).fakeVscode({
		workspace: {
			asRelativePath: ({ path }: { path: string }) => path.slice(1),
			fs: {
				stat: async () => ({ type: editor.isLink ? 65 : 1 }),
				writeFile: async (_file: unknown, bytes: Uint8Array) => {
					if (editor.isFull) {
						throw new Error('The disk is full.');
					}
					editor.written.push(new TextDecoder().decode(bytes));
				},
			},
		},
		window: {
			showSaveDialog: async () => ({ path: editor.path }),
			showInformationMessage: () => new Promise((resolve) => (editor.choose = resolve)),
			// A choice that comes sooner is meant for something else.
			showWarningMessage: () => new Promise((resolve) => setTimeout(resolve, 2 * KEY_GUARD, 'Include Secrets')),
			showErrorMessage: async (text: string) => void editor.errors.push(text),
		},
	}),
);

const { exportTimeline } = await import('../../../../src/editor/timeline/exportTimeline.ts');

beforeEach(() => {
	Object.assign(editor, { written: [], errors: [], isFull: false, isLink: false });
});

/** A timeline with messages of two calls, one of which is still running. */
function filled() {
	const world = new World();
	const trace = maskedLog(() => 100);
	const timeline = new Timeline(world.registry, trace);
	const say = (id: number, headers: object) =>
		trace.add({
			server: 's',
			direction: 'sent',
			message: { id, method: 'tools/call', params: headers },
			call: world.call(`call ${id}`),
		});
	say(1, { token: 'hunter2' });
	say(2, {});
	return { timeline, trace, say };
}

it.each(['/mcp-timeline.jsonl', '/mcp-timeline.html'])(
	'writes the same messages again with secrets, whatever came or was cleared since: %s',
	async (path) => {
		editor.path = path;
		const { timeline, trace, say } = filled();
		await exportTimeline(timeline, undefined);
		expect(editor.written[0]).not.toContain('hunter2');
		trace.clear();
		say(3, {});
		editor.choose('Include Secrets…');
		await vi.waitFor(() => expect(editor.written).toHaveLength(2), 10_000);
		expect(editor.written[1]).toContain('hunter2');
		expect(editor.written[1]).toContain('call 2');
		expect(editor.written[1]).not.toContain('call 3');
	},
);

it('tells that the file could not be written again', async () => {
	const { timeline } = filled();
	await exportTimeline(timeline, undefined);
	editor.isFull = true;
	editor.choose('Include Secrets…');
	await vi.waitFor(() => expect(editor.errors).toEqual(['MCP Elicitation: The disk is full.']), 10_000);
});

it('writes nothing through a symbolic link, which a workspace may have put there', async () => {
	const { timeline } = filled();
	editor.isLink = true;
	await expect(exportTimeline(timeline, undefined)).rejects.toThrow('Nothing was written because');
	editor.isLink = false;
	await exportTimeline(timeline, undefined);
	editor.isLink = true;
	editor.choose('Include Secrets…');
	await vi.waitFor(() => expect(editor.errors).toEqual([expect.stringContaining('is a symbolic link')]), 10_000);
	expect(editor.written).toHaveLength(1);
});

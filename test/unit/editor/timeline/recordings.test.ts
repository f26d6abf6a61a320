import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type RelativePattern, Uri } from 'vscode';
import type { FromTimeline, ToTimeline } from '../../../../src/timelineProtocol.ts';
import { NO_FILTER } from '../../../../src/trace/filter.ts';
import { Secrets } from '../../../../src/trace/secrets.ts';
import { recording } from '../../trace/recording/recorded.ts';

/** VS Code with one panel, whose page is loaded anew with each `createPage`. */
const editor = vi.hoisted(() => ({
	posted: [] as unknown[],
	pages: 0,
	receivers: new Set<(message: unknown) => void>(),
	change: (_file: unknown) => {},
	watched: '',
	isWatching: true,
	/** What a file that is not on disk contains, each time that it is read. */
	contents: [] as Promise<Uint8Array>[],
}));

vi.mock('vscode', async () =>
	(await import('../vscode.ts')).fakeVscode({
		workspace: {
			fs: { stat: async () => ({ size: 0 }), readFile: () => editor.contents.shift() },
			createFileSystemWatcher: ({ pattern }: RelativePattern) => {
				editor.watched = pattern;
				return {
					onDidChange: (listener: typeof editor.change) => {
						editor.change = listener;
						return { dispose: () => {} };
					},
					onDidCreate: () => ({ dispose: () => {} }),
					dispose: () => {
						editor.isWatching = false;
					},
				};
			},
		},
	}),
);
vi.mock('../../../../src/editor/common/webviewPage.ts', () => ({
	createPage: (_uri: unknown, { panel }: { panel: object }) => {
		editor.pages++;
		return { panel };
	},
}));

const { RecordingDocument, Recordings } = await import('../../../../src/editor/timeline/recordings.ts');

/** A recording of calls. */
function recorded(...names: readonly string[]): string {
	const calls = names.map(
		(name, id) => ['sent', { id, method: 'tools/call' }, { id: `${id}`, kind: 'tool', name }] as const,
	);
	return recording(...calls);
}

const bytesOf = async (...names: readonly string[]) => new TextEncoder().encode(recorded(...names));

/** A recording in a panel, whose file the test writes. */
function open(scheme = 'file') {
	editor.posted.length = 0;
	editor.pages = 0;
	const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-recording-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const file = join(folder, '[1] mcp-timeline.jsonl');
	const record = (...names: readonly string[]) => writeFileSync(file, recorded(...names));
	const closed = new Set<() => void>();
	const panel = {
		visible: true,
		webview: {
			postMessage: (message: unknown) => editor.posted.push(message),
			onDidReceiveMessage: (receive: (message: unknown) => void) => {
				editor.receivers.add(receive);
				return { dispose: () => editor.receivers.delete(receive) };
			},
		},
		onDidDispose: (listener: () => void) => {
			closed.add(listener);
			return { dispose: () => closed.delete(listener) };
		},
		dispose: () => {
			for (const listener of [...closed]) {
				listener();
			}
		},
	};
	const last = <T extends ToTimeline['type']>(type: T) =>
		(editor.posted as ToTimeline[]).findLast(
			(message): message is Extract<ToTimeline, { type: T }> => message.type === type,
		);
	const send = (message: FromTimeline) => {
		for (const receive of editor.receivers) {
			receive(message);
		}
	};
	const uri = Uri.file(file).with({ scheme });
	const context = { extensionUri: {}, trace: { secrets: new Secrets() }, memento: { get: () => undefined } };
	const recordings = new Recordings(context as never);
	return {
		record,
		panel,
		last,
		send,
		uri,
		show: () => recordings.show(new RecordingDocument(uri), panel as never),
	};
}

it('shows a recording anew when the timeline was exported to its file again', async () => {
	const { record, panel, last, uri, show } = open();
	const shown = () => last('rows')?.rows[0]?.label;
	record('first');
	show();
	await vi.waitUntil(() => shown() === 'first');
	expect(editor.watched).toBe('?1? mcp-timeline.jsonl');
	record('second');
	editor.change('elsewhere');
	editor.change(uri);
	editor.change(uri);
	await vi.waitUntil(() => shown() === 'second');
	expect([editor.pages, editor.receivers.size]).toEqual([2, 1]);
	panel.dispose();
	expect([editor.receivers.size, editor.isWatching]).toEqual([0, false]);
});

it('shows a recording whose file goes on growing while it is read, and then what has been added', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const { panel, last, uri, show } = open('elsewhere');
	let end = (_bytes: Promise<Uint8Array>) => {};
	const first = new Promise<Uint8Array>((resolve) => {
		end = resolve;
	});
	editor.contents = [first, bytesOf('first', 'second')];
	show();
	for (let change = 0; change < 10; change++) {
		editor.change(uri);
		await vi.advanceTimersByTimeAsync(400);
	}
	expect(editor.pages).toBe(1);
	end(bytesOf('first'));
	await vi.advanceTimersByTimeAsync(100);
	expect(last('rows')?.messages).toBe(1);
	await vi.advanceTimersByTimeAsync(1_000);
	expect([editor.pages, last('rows')?.messages]).toEqual([2, 2]);
	editor.change(uri);
	panel.dispose();
	await vi.advanceTimersByTimeAsync(1_000);
	expect(editor.pages).toBe(2);
});

it('keeps the filter, what is collapsed, and the selection of a recording that is shown anew', async () => {
	const { record, panel, last, send, uri, show } = open();
	record('first', 'second');
	show();
	await vi.waitUntil(() => last('rows') !== undefined);
	const filter = { ...NO_FILTER, method: 'tools/call' };
	send({ type: 'filter', filter });
	send({ type: 'fold', key: 'call:2', open: false });
	send({ type: 'select', key: 'call:1' });
	record('first', 'second', 'third');
	editor.change(uri);
	await vi.waitUntil(() => last('rows')?.messages === 3);
	expect(last('show')).toMatchObject({ filter });
	expect(last('show')).not.toHaveProperty('reveals');
	expect(last('rows')).toMatchObject({ selected: { key: 'call:1' }, found: { messages: 3 } });
	const calls = last('rows')?.rows.filter(({ level }) => level === 1);
	expect(calls?.map((row) => [row.label, row.open])).toEqual([
		['third', true],
		['second', false],
		['first', true],
	]);
	panel.dispose();
});

it('begins at the newest call once a recording that was empty has calls', async () => {
	const { record, panel, last, uri, show } = open();
	record();
	show();
	await vi.waitUntil(() => last('rows') !== undefined);
	record('first', 'second');
	editor.change(uri);
	await vi.waitUntil(() => last('rows')?.messages === 2);
	expect(last('rows')).toMatchObject({ selected: { key: 'call:2' } });
	expect(last('rows')?.rows[0]).toMatchObject({ label: 'second', open: true });
	panel.dispose();
});

it('begins at the newest call once the file holds another recording', async () => {
	const { record, panel, last, send, uri, show } = open();
	record('first', 'second');
	show();
	await vi.waitUntil(() => last('rows') !== undefined);
	send({ type: 'filter', filter: { ...NO_FILTER, group: 'call:1' } });
	send({ type: 'select', key: 'call:1' });
	record('third', 'fourth', 'fifth');
	const { fsPath } = uri;
	writeFileSync(fsPath, readFileSync(fsPath, 'utf8').replaceAll('2026-01-01', '2026-01-02'));
	editor.change(uri);
	await vi.waitUntil(() => last('rows')?.messages === 3);
	expect(last('show')).toMatchObject({ filter: NO_FILTER, reveals: true });
	expect(last('rows')).toMatchObject({ selected: { key: 'call:3' }, total: 4 });
	panel.dispose();
});

it.skipIf(process.platform === 'win32')('reads no device, which has no end', async () => {
	const { panel, last, send, uri, show } = open();
	symlinkSync('/dev/zero', uri.fsPath);
	show();
	send({ type: 'ready' });
	await vi.waitUntil(() => last('reading')?.text === 'The recording could not be read: It is not a file.');
	panel.dispose();
});

it('says that the file of a recording is gone, and shows it once it is there again', async () => {
	const { record, panel, last, send, uri, show } = open();
	show();
	send({ type: 'ready' });
	await vi.waitUntil(() => last('reading')?.text === 'The recording could not be read: The file does not exist.');
	record('first');
	editor.change(uri);
	await vi.waitUntil(() => last('rows')?.rows[0]?.label === 'first');
	panel.dispose();
});

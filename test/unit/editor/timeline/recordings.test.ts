import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { RelativePattern } from 'vscode';
import { RecordingDocument, Recordings } from '../../../../src/editor/timeline/recordings.ts';
import { Secrets } from '../../../../src/privacy/secrets.ts';
import type { FromTimeline, ToTimeline } from '../../../../src/timelineProtocol.ts';
import { NO_FILTER } from '../../../../src/trace/filter.ts';
import { recording } from '../../trace/recording/recorded.ts';
import { memento, temporaryFolder } from '../storage.ts';
import { FakePanel, pages } from '../surfaces.ts';
import { testCommands } from '../testCommands.ts';
import { fakeVscode, Uri } from '../vscode.ts';

const { extensionUri } = pages();

/** A recording of calls. */
function recorded(...names: readonly string[]): string {
	const calls = names.map(
		(name, id) => ['sent', { id, method: 'tools/call' }, { id: `${id}`, kind: 'tool', name }] as const,
	);
	return recording(...calls);
}

const bytesOf = (...names: readonly string[]) => new TextEncoder().encode(recorded(...names));

/** A recording in a panel, whose file the test writes. The panel is closed with the test. */
function open(scheme = 'file') {
	const file = join(temporaryFolder(), '[1] mcp-timeline.jsonl');
	const uri = Uri.file(file).with({ scheme });
	const page = new FakePanel<ToTimeline, FromTimeline>();
	onTestFinished(() => page.dispose());
	const loaded = vi.spyOn(page.webview, 'html', 'set');
	const watcher = { pattern: '', change: (_file: unknown) => {}, dispose: vi.fn() };
	/** What a file that is not on disk contains, each time that it is read. */
	const contents: Promise<Uint8Array>[] = [];
	fakeVscode({
		workspace: {
			fs: { stat: async () => ({ type: 1, size: 0 }), readFile: () => contents.shift() },
			createFileSystemWatcher: ({ pattern }: RelativePattern) => {
				watcher.pattern = pattern;
				const onDidChange = (listener: typeof watcher.change) => {
					watcher.change = listener;
					return { dispose: () => {} };
				};
				return { onDidChange, onDidCreate: () => ({ dispose: () => {} }), dispose: watcher.dispose };
			},
		},
	});
	const context = {
		extensionUri,
		trace: { privacy: { configured: new Secrets() } },
		memento: memento(),
		commands: testCommands(),
	};
	const recordings = new Recordings(context as never);
	return {
		...{ uri, page, watcher, contents },
		/** How many pages were loaded in the panel. */
		pages: () => loaded.mock.calls.length,
		rows: () => page.last('show')?.rows,
		record: (...names: readonly string[]) => writeFileSync(file, recorded(...names)),
		change: () => watcher.change(uri),
		show: () => recordings.show(new RecordingDocument(uri as never), page as never),
	};
}

/** The same, with these calls and on the screen. */
async function openWith(...names: readonly string[]) {
	const opened = open();
	opened.record(...names);
	opened.show();
	await vi.waitUntil(() => opened.rows());
	return opened;
}

it('shows a recording anew when the timeline was exported to its file again', async () => {
	const { page, pages, record, rows, watcher, change } = await openWith('first');
	expect(rows()?.rows[0]?.label).toBe('first');
	expect(watcher.pattern).toBe('?1? mcp-timeline.jsonl');
	record('second');
	watcher.change('elsewhere');
	change();
	change();
	await vi.waitUntil(() => rows()?.rows[0]?.label === 'second');
	expect([pages(), page.listeners]).toEqual([2, 1]);
	page.dispose();
	expect(page.listeners).toBe(0);
	expect(watcher.dispose).toHaveBeenCalledTimes(1);
});

it('shows a recording whose file goes on growing while it is read, and then what has been added', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const { page, pages, rows, change, contents, show } = open('elsewhere');
	let end = (_bytes: Uint8Array) => {};
	contents.push(new Promise((resolve) => (end = resolve)), Promise.resolve(bytesOf('first', 'second')));
	show();
	for (let times = 0; times < 10; times++) {
		change();
		await vi.advanceTimersByTimeAsync(400);
	}
	expect(pages()).toBe(1);
	end(bytesOf('first'));
	await vi.advanceTimersByTimeAsync(100);
	expect(rows()?.messages).toBe(1);
	await vi.advanceTimersByTimeAsync(1_000);
	expect([pages(), rows()?.messages]).toEqual([2, 2]);
	change();
	page.dispose();
	await vi.advanceTimersByTimeAsync(1_000);
	expect(pages()).toBe(2);
});

it('keeps the filter and what is collapsed of a recording that is shown anew, which its page shows where it was left', async () => {
	const { page, record, rows, change } = await openWith('first', 'second');
	const filter = { ...NO_FILTER, method: 'tools/call' };
	page.send({ type: 'filter', filter });
	page.send({ type: 'fold', key: 'call:2', open: false });
	record('first', 'second', 'third');
	change();
	await vi.waitUntil(() => rows()?.messages === 3);
	expect(page.last('show')).toMatchObject({ filter });
	expect(page.last('show')).not.toHaveProperty('line');
	expect(rows()).toMatchObject({ found: { messages: 3 } });
	const calls = rows()?.rows.filter(({ level }) => level === 1);
	expect(calls?.map((row) => [row.label, row.open])).toEqual([
		['third', true],
		['second', false],
		['first', true],
	]);
});

it('begins at the newest call once a recording that was empty has calls', async () => {
	const { page, record, rows, change } = await openWith();
	record('first', 'second');
	change();
	await vi.waitUntil(() => rows()?.messages === 2);
	expect(page.last('show')).toMatchObject({ line: { key: 'call:2' } });
	expect(rows()?.rows[0]).toMatchObject({ label: 'second', open: true });
});

it('begins at the newest call once the file holds another recording', async () => {
	const { page, record, rows, change, uri } = await openWith('first', 'second');
	page.send({ type: 'filter', filter: { ...NO_FILTER, group: 'call:1' } });
	record('third', 'fourth', 'fifth');
	writeFileSync(uri.fsPath, readFileSync(uri.fsPath, 'utf8').replaceAll('2026-01-01', '2026-01-02'));
	change();
	await vi.waitUntil(() => rows()?.messages === 3);
	expect(page.last('show')).toMatchObject({ filter: NO_FILTER, line: { key: 'call:3' }, rows: { total: 4 } });
});

it.skipIf(process.platform === 'win32')('reads no device, which has no end', async () => {
	const { page, show, uri } = open();
	symlinkSync('/dev/zero', uri.fsPath);
	show();
	page.send({ type: 'ready' });
	await vi.waitUntil(() => page.last('reading')?.text === 'The recording could not be read: It is not a file.');
});

it('says that the file of a recording is gone, and shows it once it is there again', async () => {
	const { page, show, record, rows, change } = open();
	show();
	page.send({ type: 'ready' });
	await vi.waitUntil(() => page.last('reading')?.text === 'The recording could not be read: The file does not exist.');
	record('first');
	change();
	await vi.waitUntil(() => rows()?.rows[0]?.label === 'first');
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ToTimeline } from '../../../../src/timelineProtocol.ts';
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
}));

vi.mock('vscode', () => ({
	Disposable: {
		from: (...all: { dispose(): void }[]) => ({
			dispose: () => {
				for (const each of all) {
					each.dispose();
				}
			},
		}),
	},
	env: { language: 'en' },
	l10n: { t: (text: string) => text, bundle: undefined },
	RelativePattern: class {
		constructor(
			readonly folder: string,
			readonly pattern: string,
		) {
			editor.watched = pattern;
		}
	},
	Uri: { joinPath: (...parts: unknown[]) => parts.join('/') },
	workspace: {
		createFileSystemWatcher: () => ({
			onDidChange: (listener: typeof editor.change) => {
				editor.change = listener;
				return { dispose: () => {} };
			},
			onDidCreate: () => ({ dispose: () => {} }),
			dispose: () => {
				editor.isWatching = false;
			},
		}),
	},
}));
vi.mock('../../../../src/editor/common/webviewPage.ts', () => ({
	createPage: (_uri: unknown, { panel }: { panel: object }) => {
		editor.pages++;
		return { panel };
	},
}));

const { RecordingDocument, Recordings } = await import('../../../../src/editor/timeline/recordings.ts');

it('shows a recording anew when the timeline was exported to its file again', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-recording-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const file = join(folder, '[1] mcp-timeline.jsonl');
	const call = (name: string) =>
		writeFileSync(file, recording(['sent', { id: 1, method: 'tools/call' }, { id: '1', kind: 'tool', name }]));
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
	const shown = () => {
		const rows = (editor.posted as ToTimeline[]).findLast(({ type }) => type === 'rows');
		return rows?.type === 'rows' ? rows.rows[0]?.label : undefined;
	};
	const uri = { scheme: 'file', fsPath: file, path: file, toString: () => file } as never;
	const context = { extensionUri: {}, trace: { secrets: new Secrets() }, memento: { get: () => undefined } };
	const recordings = new Recordings(context as never);
	call('first');
	recordings.show(new RecordingDocument(uri), panel as never);
	await vi.waitUntil(() => shown() === 'first');
	expect(editor.watched).toBe('?1? mcp-timeline.jsonl');
	call('second');
	editor.change('elsewhere');
	editor.change(uri);
	editor.change(uri);
	await vi.waitUntil(() => shown() === 'second');
	expect([editor.pages, editor.receivers.size]).toEqual([2, 1]);
	panel.dispose();
	expect([editor.receivers.size, editor.isWatching]).toEqual([0, false]);
});

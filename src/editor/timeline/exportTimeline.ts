import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { NativeText } from '../../elicitation/display.ts';
import { jsonLines } from '../../trace/export.ts';
import type { TraceEntry } from '../../trace/log.ts';
import { Outline, type Row } from '../../trace/outline.ts';
import { Redactor } from '../../trace/redact.ts';
import { htmlReport } from '../../trace/report.ts';
import type { Timeline } from '../../trace/timeline.ts';
import { callStateText, duration, stateOf, stepsOf } from '../common/descriptions.ts';
import { inSlices } from '../common/inSlices.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { notify, showError, showModal } from '../common/notifications.ts';
import { refuseLinks } from '../common/refuseLinks.ts';

const CHUNK = 64 * 1024;

/**
 * Exports the timeline, or the filtered part of it, to a file that the user picks: JSON Lines or HTML, depending on the
 * extension. Redacted, unless the user asks for everything.
 */
export async function exportTimeline(timeline: Timeline, shown: Outline | undefined): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const name = 'mcp-timeline.jsonl';
	const target = await vscode.window.showSaveDialog({
		...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
		filters: { 'JSON Lines': ['jsonl'], HTML: ['html'] },
		title: localize('Export as JSON Lines (.jsonl) or HTML (.html)'),
	});
	if (!target) {
		return;
	}
	const snapshot = snapshotOf(timeline, shown);
	const redacted = await write(target, timeline, snapshot, true);
	const done =
		redacted === 1
			? localizeNative('1 message exported; secrets are left out.')
			: localizeNative('{0} messages exported; secrets are left out.', redacted);
	showDone(target, done, async () => {
		const everything = localize('Include Secrets');
		const choice = await showModal(
			'warning',
			localizeNative('Write the file again with secrets in it?'),
			localize(
				'It will contain the passwords, tokens, and other secrets that were sent. Anyone who reads the file can use them.',
			),
			everything,
		);
		if (choice === everything) {
			const count = await write(target, timeline, snapshot, false);
			showDone(
				target,
				count === 1
					? localizeNative('1 message exported, with secrets.')
					: localizeNative('{0} messages exported, with secrets.', count),
			);
		}
	});
}

/** Reports completion and offers to open the file; `everything` exports without redaction. */
function showDone(target: vscode.Uri, text: NativeText, everything?: () => Promise<void>): void {
	const open = localize('Open');
	const secrets = localize('Include Secrets…');
	const act = async (choice: string | undefined) => {
		if (choice === open) {
			await vscode.commands.executeCommand('vscode.open', target);
		} else if (choice === secrets) {
			await everything?.();
		}
	};
	notify('information', text, open, ...(everything ? [secrets] : []))
		.then(act)
		.then(undefined, showError);
}

/** What is exported, also if the file is written again after the timeline was cleared. */
interface Snapshot {
	/** Fully expanded; not refreshed any more. */
	readonly outline: Outline;
	/** Oldest first. */
	readonly messages: readonly TraceEntry[];
}

/** A copy of everything shown. */
function snapshotOf(timeline: Timeline, shown: Outline | undefined): Snapshot {
	const outline = new Outline(timeline);
	if (shown) {
		outline.setFilter(shown.filter);
	}
	outline.foldAll(true);
	return { outline, messages: [...outline.messages()].sort((a, b) => a.seq - b.seq) };
}

/** Resolves to the number of messages written. */
async function write(
	target: vscode.Uri,
	timeline: Timeline,
	{ outline, messages }: Snapshot,
	redact: boolean,
): Promise<number> {
	const redactor = new Redactor(timeline.trace, redact ? 'all' : 'configured');
	const pieces = /\.html?$/i.test(target.path)
		? htmlReport(rowsOf(outline), {
				words: { t: localize, duration, callState: callStateText, state: stateOf, steps: stepsOf },
				language: vscode.env.language,
				nonce: randomBytes(16).toString('hex'),
				exchanges: timeline.exchanges,
				redactor,
				messages: messages.length,
			})
		: jsonLines(messages, redactor);
	const bytes = await inSlices(joined(pieces));
	await refuseLinks(target);
	await vscode.workspace.fs.writeFile(target, bytes);
	return messages.length;
}

function* rowsOf(outline: Outline): Generator<Row> {
	for (let first = 0; first < outline.size; first += 200) {
		yield* outline.rows(first, 200);
	}
}

/** Joins the pieces of a file, with a pause possible after each. */
function* joined(pieces: Iterable<string>): Generator<void, Uint8Array> {
	const parts: Buffer[] = [];
	let text = '';
	for (const piece of pieces) {
		text += piece;
		if (text.length > CHUNK) {
			parts.push(Buffer.from(text));
			text = '';
		}
		yield;
	}
	return Buffer.concat([...parts, Buffer.from(text)]);
}

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { type NativeText, native, shorten } from '../../elicitation/display.ts';
import { Redactor } from '../../privacy/redactor.ts';
import { jsonLines } from '../../trace/export.ts';
import { fieldCase } from '../../trace/fieldCase.ts';
import { htmlReport } from '../../trace/htmlReport.ts';
import type { TraceEntry } from '../../trace/log.ts';
import { Outline, type Row } from '../../trace/outline.ts';
import type { Timeline } from '../../trace/timeline.ts';
import { ago, callStateText, duration, stateOf, stepsOf } from '../common/descriptions.ts';
import { refuseLinks } from '../common/files.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { notify, showError, showModal } from '../common/notifications.ts';
import { inSlices } from '../common/scheduling.ts';
import { showQuickPick } from '../common/surfaces.ts';

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
		filters: { 'JSON Lines': ['jsonl'], HTML: ['html'], [localize('Field case')]: ['json'] },
		title: localize('Export as JSON Lines (.jsonl) or HTML (.html), or one call as a field case (.json)'),
	});
	if (!target) {
		return;
	}
	const snapshot = snapshotOf(timeline, shown);
	if (/\.json$/i.test(target.path)) {
		await exportCase(target, timeline, snapshot);
		return;
	}
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

/** Writes a call as a case of the field log, always without secrets: the only call that is shown, or the one that the user chooses. */
async function exportCase(target: vscode.Uri, { trace }: Timeline, { messages }: Snapshot): Promise<void> {
	const calls = [...new Set(messages.flatMap(({ call }) => call ?? []))];
	if (calls.length === 0) {
		void notify('information', localizeNative('There is no call that could be exported.'));
		return;
	}
	const [only] = calls;
	const items = calls.toReversed().map((call) => ({
		label: native(call.name, 100),
		description: native([call.server, callStateText(call), ago(call.startedAt)].join(' · '), 200),
		call,
	}));
	const placeHolder = localize('Choose the call to export');
	const call =
		calls.length === 1 ? only : (await showQuickPick(items, { placeHolder, matchOnDescription: true }))?.call;
	if (call) {
		const text = fieldCase([...trace.entries], call, new Redactor(trace));
		await refuseLinks(target);
		await vscode.workspace.fs.writeFile(target, Buffer.from(`${text}\n`));
		showDone(target, localizeNative('The call was exported; secrets are left out. Add what must come of it.'));
	}
}

/** Reports completion, names the file, and offers to open it; `everything` exports without redaction. */
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
	const name = shorten(target.path.slice(target.path.lastIndexOf('/') + 1), 100);
	notify('information', localizeNative('{0}: {1}', name, text), open, ...(everything ? [secrets] : []))
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

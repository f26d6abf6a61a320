import * as vscode from 'vscode';
import type { Json } from '../../elicitation/json.ts';
import { writeJson } from '../../elicitation/jsonText.ts';
import type { CopyPart } from '../../timelineProtocol.ts';
import { jsonLines } from '../../trace/export.ts';
import type { Line } from '../../trace/line.ts';
import { Redactor } from '../../trace/redact.ts';
import { resultOf } from '../../trace/result.ts';
import type { Timeline } from '../../trace/timeline.ts';
import type { Details } from './details.ts';
import { jsonOf, messagesOf } from './lines.ts';

/**
 * Copies a line to the clipboard, redacted: a message or an elicitation as JSON, the messages of a call or a round as
 * JSON Lines, or one part of the line as JSON.
 */
export async function copy(timeline: Timeline, details: Details, line: Line, part: CopyPart): Promise<void> {
	await vscode.env.clipboard.writeText(textOf(timeline, details, line, part));
}

function textOf(timeline: Timeline, details: Details, line: Line, part: CopyPart): string {
	const redactor = new Redactor(timeline.trace);
	const pretty = (value: unknown) => writeJson(value, 2);
	if (part === 'answer' && line.kind === 'elicitation') {
		return pretty(redactor.response(line.elicitation));
	}
	if (part === 'arguments' && line.group.call) {
		return pretty(redactor.args(line.group.call));
	}
	if (part === 'result' && line.kind === 'group') {
		return pretty(redactor.value((resultOf(line.group, (entry) => redactor.message(entry)) ?? null) as Json));
	}
	if (part !== 'all') {
		return pretty(redactor.value((details.part(line, part) ?? null) as Json));
	}
	switch (line.kind) {
		case 'message':
			return pretty(redactor.message(line.entry));
		case 'elicitation':
			return pretty(redactor.value(jsonOf(timeline, line) as Json));
		default:
			return [...jsonLines(messagesOf(line), redactor)].join('');
	}
}

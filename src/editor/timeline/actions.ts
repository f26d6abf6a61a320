import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import type { Line } from '../../trace/line.ts';
import type { Timeline } from '../../trace/timeline.ts';
import { type CommandId, fullId } from '../common/contributions.ts';
import { localize } from '../common/localize.ts';

/** A command that can be run on a line of the timeline. */
interface Action {
	readonly id: CommandId;
	text(): string;
	/** The command's argument; undefined if the command does not apply to the line. */
	target(line: Line): unknown;
	/** Whether it also applies to recordings, which have no server. */
	readonly recorded?: true;
}

const ACTIONS: readonly Action[] = [
	{
		id: 'cancelCall',
		text: () => localize('Cancel Call'),
		target: ({ kind, group: { call } }) => (kind === 'group' && call?.state === 'running' ? { call } : undefined),
	},
	{
		id: 'openElicitation',
		text: () => localize('Respond'),
		target: undecidedId,
	},
	{
		id: 'sendAgain',
		text: () => localize('Send Again'),
		target: (line) =>
			line.kind === 'elicitation' && line.elicitation.delivery?.canSendAgain ? line.elicitation.id : undefined,
	},
	{
		id: 'forceAnswer',
		text: () => localize('Force Response…'),
		target: undecidedId,
	},
	{
		id: 'replayCall',
		text: () => localize('Replay…'),
		target: endedCall,
	},
	{
		id: 'compareRuns',
		text: () => localize('Compare…'),
		target: endedCall,
		recorded: true,
	},
	{
		id: 'exportTest',
		text: () => localize('Export as Test'),
		target: ({ kind, group: { call } }) =>
			kind === 'group' && (call?.state === 'succeeded' || call?.state === 'failed') ? { call } : undefined,
	},
	{
		id: 'runActionMatrix',
		text: () => localize('Run Action Matrix…'),
		target: endedCall,
	},
	{
		id: 'runBoundaryValues',
		text: () => localize('Run Boundary Values…'),
		target: ({ kind, group: { call, elicitations } }) =>
			kind === 'group' &&
			call &&
			call.state !== 'running' &&
			[...elicitations].some(({ request }) => request.mode === 'form')
				? { call }
				: undefined,
	},
	{
		id: 'runPatience',
		text: () => localize('Run Patience Trial…'),
		target: endedCall,
	},
	{
		id: 'runDeterminism',
		text: () => localize('Run Determinism Trial…'),
		target: endedCall,
	},
	{
		id: 'runAs',
		text: () => localize('Run As…'),
		target: endedCall,
	},
	{
		id: 'saveAnswerAsScript',
		text: () => localize('Save Response as Script'),
		target: (line) => (line.kind === 'elicitation' && line.elicitation.response ? line.elicitation.id : undefined),
	},
	{
		id: 'checkSchema',
		text: () => localize('Check Schema'),
		target: elicitationId,
		recorded: true,
	},
	{
		id: 'previewForm',
		text: () => localize('Preview Form'),
		target: formId,
		recorded: true,
	},
	{
		id: 'checkSchemaAs',
		text: () => localize('Check As…'),
		target: elicitationId,
		recorded: true,
	},
	{
		id: 'previewFormAs',
		text: () => localize('Preview As…'),
		target: formId,
		recorded: true,
	},
];

function endedCall({ kind, group: { call } }: Line): { readonly call: Call } | undefined {
	return kind === 'group' && call && call.state !== 'running' ? { call } : undefined;
}

function undecidedId(line: Line): string | undefined {
	return line.kind === 'elicitation' && line.elicitation.undecided ? line.elicitation.id : undefined;
}

function elicitationId(line: Line): string | undefined {
	return line.kind === 'elicitation' ? line.elicitation.id : undefined;
}

function formId(line: Line): string | undefined {
	return line.kind === 'elicitation' && line.elicitation.request.mode === 'form' ? line.elicitation.id : undefined;
}

/** Commands that apply to a line. */
export function actionsFor(
	{ recorded }: Timeline,
	line: Line,
): readonly { readonly id: string; readonly text: string }[] {
	return actionsIn(recorded)
		.filter(({ target }) => target(line) !== undefined)
		.map(({ id, text }) => ({ id, text: text() }));
}

/** Runs a command, if it still applies. */
export async function act(timeline: Timeline, line: Line, id: string): Promise<void> {
	const action = actionsIn(timeline.recorded).find((each) => each.id === id);
	const target = action?.target(line);
	if (action && target !== undefined) {
		// Ids are unique only within this window or one recording.
		await vscode.commands.executeCommand(
			fullId(action.id),
			timeline.recorded ? { ...recordedTarget(line), timeline } : target,
		);
	}
}

function actionsIn(recorded: boolean): readonly Action[] {
	return recorded ? ACTIONS.filter((action) => action.recorded) : ACTIONS;
}

function recordedTarget(line: Line): object {
	return line.kind === 'elicitation' ? { elicitation: line.elicitation } : { call: line.group.call };
}

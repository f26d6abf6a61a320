import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import type { Line } from '../../trace/line.ts';
import { type CommandId, fullId } from '../common/contributions.ts';
import { localize } from '../common/localize.ts';

/** A command that can be run on a line of the timeline. */
interface Action {
	readonly id: CommandId;
	text(): string;
	/** The command's argument; undefined if the command does not apply to the line. */
	target(line: Line): unknown;
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
		target: (line) => (line.kind === 'elicitation' && line.elicitation.undecided ? line.elicitation.id : undefined),
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
		target: (line) => (line.kind === 'elicitation' && line.elicitation.undecided ? line.elicitation.id : undefined),
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
		target: ({ kind, group: { call } }) =>
			kind === 'group' && call && call.state !== 'running' ? { call } : undefined,
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
		id: 'saveAnswerAsScript',
		text: () => localize('Save Response as Script'),
		target: (line) => (line.kind === 'elicitation' && line.elicitation.response ? line.elicitation.id : undefined),
	},
	{
		id: 'checkSchema',
		text: () => localize('Check Schema'),
		target: (line) => (line.kind === 'elicitation' ? line.elicitation.id : undefined),
	},
	{
		id: 'previewForm',
		text: () => localize('Preview Form'),
		target: (line) =>
			line.kind === 'elicitation' && line.elicitation.request.mode === 'form' ? line.elicitation.id : undefined,
	},
];

function endedCall({ kind, group: { call } }: Line): { readonly call: Call } | undefined {
	return kind === 'group' && call && call.state !== 'running' ? { call } : undefined;
}

/** Commands that apply to a line. */
export function actionsFor(line: Line): readonly { readonly id: string; readonly text: string }[] {
	return ACTIONS.filter(({ target }) => target(line) !== undefined).map(({ id, text }) => ({ id, text: text() }));
}

/** Runs a command, if it still applies. */
export async function act(line: Line, id: string): Promise<void> {
	const action = ACTIONS.find((each) => each.id === id);
	const target = action?.target(line);
	if (action && target !== undefined) {
		await vscode.commands.executeCommand(fullId(action.id), target);
	}
}

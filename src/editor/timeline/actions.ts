import * as vscode from 'vscode';
import type { Line } from '../../trace/line.ts';
import type { Timeline } from '../../trace/timeline.ts';
import type { Commands } from '../common/commands.ts';
import { COMMANDS, type Command, type CommandId, commandsOf, type Subjects } from '../common/commandTable.ts';
import { fullId } from '../common/contributions.ts';

/** What commands act on that are run on a line. */
export function subjectsOf(line: Line): Partial<Subjects> {
	const { call } = line.group;
	return line.kind === 'elicitation'
		? { elicitation: line.elicitation }
		: line.kind === 'group' && call
			? { call }
			: {};
}

/** Commands that apply to a line. */
export function actionsFor(
	commands: Commands,
	timeline: Timeline,
	line: Line,
): readonly { readonly id: string; readonly text: string }[] {
	return idsFor(timeline, line).map((id) => ({ id, text: commands.title(id) }));
}

/** Runs a command, if it still applies. */
export async function act(timeline: Timeline, line: Line, id: string): Promise<void> {
	const known = idsFor(timeline, line).find((each) => each === id);
	if (known) {
		// Ids are unique only within this window or one recording.
		const argument = timeline.recorded ? { ...subjectsOf(line), timeline } : subjectsOf(line);
		await vscode.commands.executeCommand(fullId(known), argument);
	}
}

function idsFor({ recorded }: Timeline, line: Line): CommandId[] {
	const ids = commandsOf('timeline', subjectsOf(line));
	return recorded ? ids.filter((id) => (COMMANDS[id] as Command).recorded) : ids;
}

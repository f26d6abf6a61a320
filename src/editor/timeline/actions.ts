import * as vscode from 'vscode';
import type { ShownAction } from '../../timelineProtocol.ts';
import type { Line } from '../../trace/line.ts';
import type { Timeline } from '../../trace/timeline.ts';
import type { Commands } from '../common/commands.ts';
import {
	COMMANDS,
	type Command,
	type CommandId,
	commandsOf,
	ends,
	groupOf,
	type Subjects,
} from '../common/commandTable.ts';
import { fullId } from '../common/contributions.ts';

/** What commands act on that are run on a line. A call that waits for the user stands for what it waits for, too. */
export function subjectsOf(line: Line): Partial<Subjects> {
	if (line.kind === 'elicitation') {
		return { elicitation: line.elicitation };
	}
	const { call, elicitations } = line.group;
	if (line.kind !== 'group' || !call) {
		return {};
	}
	const elicitation = [...elicitations].find(({ undecided }) => undecided);
	return { call, ...(elicitation && { elicitation }) };
}

/** Commands that apply to a line, in the order of its menu. */
export function actionsFor(commands: Commands, timeline: Timeline, line: Line): readonly ShownAction[] {
	return idsFor(timeline, line).map((id) => ({
		id,
		text: commands.title(id),
		group: groupOf(id),
		...(ends(id) && { ends: true }),
	}));
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

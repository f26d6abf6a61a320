/** The commands and menus of package.json, as the table of commands has them. */

import { readFileSync } from 'node:fs';
import { applyEdits, modify } from 'jsonc-parser';
import { COMMANDS, type Command, type CommandId, viewIds } from '../../src/editor/common/commandTable.ts';
import { fullId } from '../../src/editor/common/contributions.ts';

const PATH = 'package.json';
const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

const ALL = Object.entries(COMMANDS) as [CommandId, Command][];

/** An entry of a menu. */
interface Place {
	readonly command: string;
	readonly when?: string;
	readonly group?: string;
}

export function generated(): [path: string, content: string][] {
	const sections = { commands: ALL.map(contribution), menus: menus() };
	const text = Object.entries(sections).reduce(
		(all, [name, value]) => applyEdits(all, modify(all, ['contributes', name], value, FORMAT)),
		readFileSync(PATH, 'utf8'),
	);
	return [[PATH, text]];
}

function contribution([id, { icon, trusted }]: [CommandId, Command]): object {
	return {
		command: fullId(id),
		title: `%command.${id}%`,
		category: 'MCP Elicitation',
		icon: `$(${icon})`,
		...(trusted && { enablement: 'isWorkspaceTrusted' }),
	};
}

function menus(): Record<string, Place[]> {
	const others: Record<string, Place[]> = {};
	for (const [id, { menus: places = [] }] of ALL) {
		for (const [menu, when, group] of places) {
			others[menu] = [...(others[menu] ?? []), { command: fullId(id), when, group }];
		}
	}
	return {
		...others,
		'view/item/context': viewIds.flatMap((view) =>
			ALL.flatMap(([id, { rows, place = '' }]) => {
				const button = rows?.[view];
				const groups = [...(typeof button === 'number' ? [`inline@${button}`] : []), place];
				const when = `view == ${fullId(view)} && viewItem =~ /\\.${id}\\./`;
				return button === undefined ? [] : groups.map((group) => ({ command: fullId(id), when, group }));
			}),
		),
		commandPalette: ALL.flatMap(([id, command]) => {
			const when = paletteCondition(id, command);
			return when === undefined ? [] : [{ command: fullId(id), when }];
		}),
	};
}

/** Undefined if the palette always lists the command. */
function paletteCondition(id: CommandId, { palette }: Command): string | undefined {
	switch (palette) {
		case 'always':
			return undefined;
		case undefined:
			return 'false';
		case true:
			return fullId(id);
		default:
			return palette.startsWith('if ') ? palette.slice('if '.length) : `${fullId(id)} ${palette}`;
	}
}

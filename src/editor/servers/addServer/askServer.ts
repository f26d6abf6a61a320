import * as vscode from 'vscode';
import type { Snippet } from '../../../config/foreignDocument.ts';
import { isMeantAsCommand } from '../../../config/proposedName.ts';
import { type Recognized, recognize, runsOf, warningsOf } from '../../../config/snippet.ts';
import { type NativeText, native, withIcon } from '../../../elicitation/display.ts';
import { render } from '../../../elicitation/sentence.ts';
import { localize, nativeText } from '../../common/localize.ts';
import { createQuickPick, type NativeItem } from '../../common/surfaces.ts';
import { type Answer, show } from './boxes.ts';

/** What the user entered, and the servers in it. */
export interface Entered {
	readonly text: string;
	readonly snippet: Snippet;
}

interface Item extends NativeItem {
	/** The text that the item stands for. */
	readonly text: string;
	/** Absent for an example, which Enter copies to the box. */
	readonly found?: Recognized;
}

/** Max characters of what is run. A row is cut to its width; its hover shows all of them. */
export const MAX_DETAIL = 1_000;

const ICON = { command: 'terminal', url: 'globe', json: 'json' } as const;

/** Asks for servers in one box, below which stands what the text was recognized as. */
export function askServer(text: string): Promise<Answer<Entered>> {
	let copied = '';
	let before = text;
	const picker = createQuickPick<Item>();
	const refresh = () => {
		// The box takes no line breaks, without which a comment has no end. What was pasted still has them.
		const entered = plain(copied) === plain(picker.value) ? copied : picker.value;
		const found = recognize(entered);
		picker.items =
			found === undefined
				? [...copiedItems(copied), ...examples()]
				: 'kind' in found
					? [item(entered, found)]
					: [{ label: withIcon('error', nativeText(found)), alwaysShow: true, text: picker.value }];
	};
	// The clipboard most likely holds what the user wants to add. Browsers may ask before it is read, or refuse: then nothing is offered.
	const look = async () => {
		copied = await vscode.env.clipboard.readText().then(undefined, () => '');
		refresh();
	};
	picker.placeholder = localize('Command line, URL, or JSON such as a whole mcp.json');
	picker.value = text;
	picker.onDidChangeValue((value) => {
		const isPasted = value.length > before.length + 1;
		before = value;
		refresh();
		if (isPasted) {
			void look();
		}
	});
	refresh();
	void look();
	const accepted = () => {
		const chosen = picker.selectedItems[0] ?? picker.activeItems[0];
		if (chosen?.found) {
			return { text: chosen.text, snippet: chosen.found.snippet };
		}
		picker.value = chosen?.text ?? '';
		refresh();
		return undefined;
	};
	return show(picker, accepted, true);
}

/** A text without white space. */
function plain(text: string): string {
	return text.replace(/\s+/g, '');
}

/** What a server would run or reach, and what is unusual about that. */
export function whatRuns({ inputs }: Snippet, { definition }: Snippet['servers'][number]): string {
	const warnings = warningsOf(definition, inputs).map((warning) => render(warning, localize));
	return [...warnings, runsOf(definition, inputs)].join(' · ');
}

function item(text: string, found: Recognized): Item {
	const { snippet } = found;
	const { servers } = snippet;
	const runs = servers.map((server) => {
		const what = whatRuns(snippet, server);
		return server.name !== undefined && servers.length > 1 ? `${server.name}: ${what}` : what;
	});
	return {
		label: withIcon(ICON[found.kind], nativeText(found.text)),
		// Neither the label nor the box shows all that would be run.
		detail: native(runs.join(', '), MAX_DETAIL),
		alwaysShow: true,
		text,
		found,
	};
}

function copiedItems(copied: string): Item[] {
	const found = recognize(copied);
	const isMeant = (each: Recognized) =>
		each.kind !== 'command' || each.snippet.servers.every(({ definition }) => isMeantAsCommand(definition));
	return found && 'kind' in found && isMeant(found)
		? [{ ...item(copied, found), description: localize('from the clipboard') }]
		: [];
}

function examples(): Item[] {
	const example = (kind: Recognized['kind'], name: NativeText, text: string): Item => ({
		label: withIcon(ICON[kind], name),
		description: native(text),
		alwaysShow: true,
		text,
	});
	return [
		example('command', localize('Command line'), 'npx -y @modelcontextprotocol/server-everything'),
		example('url', localize('URL'), 'https://example.com/mcp'),
		example('json', localize('JSON'), '{ "mcpServers": { "example": { "command": "npx" } } }'),
	];
}

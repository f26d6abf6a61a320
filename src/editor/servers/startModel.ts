import type { Part } from '../../config/fingerprint.ts';
import { startSections } from '../../config/startText.ts';
import { shorten, visible, visibleOnOneLine } from '../../elicitation/display.ts';
import { render } from '../../elicitation/sentence.ts';
import type { StartModel } from '../../protocol.ts';
import { localize } from '../common/localize.ts';
import type { ConfiguredServer } from '../common/serverEntry.ts';
import { fromWorkspace, sourceText } from './configSource.ts';
import type { StartPlan } from './startPlan.ts';

/** Above what scrolls (characters). */
const MAX_PLACE_LENGTH = 300;

/**
 * What the user consents to.
 * @param changed parts that differ from the last consent; undefined if there is none
 */
export function startModel(
	{ name, source }: ConfiguredServer,
	{ start }: StartPlan,
	changed: readonly Part[] | undefined,
): StartModel {
	const reason = changed
		? localize('What it starts has changed since you agreed to it: {0}.', changed.map(partText).join(', '))
		: fromWorkspace(source)
			? localize('This workspace defines it. Start it only if you trust what it does.')
			: localize(
					'Your settings define it, but what it starts depends on this workspace. Start it only if you trust what it does.',
				);
	return {
		server: name,
		reason: visible(reason),
		// A folder may have any name in the file of its workspace.
		place: shorten(visibleOnOneLine(localize('Defined in: {0}', sourceText(source))), MAX_PLACE_LENGTH),
		sections: startSections(start, !fromWorkspace(source)).map(({ title, level, rows }) => ({
			...(title && { title: render(title, localize) }),
			...(level && { level }),
			rows: rows.map(({ label, text, notes }) => ({
				...(label && { label: render(label, localize) }),
				text,
				notes: notes.map((note) => render(note, localize)),
			})),
		})),
	};
}

function partText(part: Part): string {
	switch (part) {
		case 'type':
			return localize('the kind of connection');
		case 'command':
			return localize('the command');
		case 'args':
			return localize('the arguments');
		case 'cwd':
			return localize('the working directory');
		case 'env':
			return localize('the environment variables');
		case 'envFile':
			return localize('the environment file');
		case 'url':
			return localize('the URL');
		case 'headers':
			return localize('the headers');
		case 'oauth':
			return localize('how you are signed in');
		case 'roots':
			return localize('the roots');
		case 'inputs':
			return localize('the values that it proposes');
		case 'dev':
			return localize('restarts, replays, and the debugger');
	}
}

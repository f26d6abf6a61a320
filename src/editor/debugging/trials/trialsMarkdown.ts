import { visible } from '../../../elicitation/display.ts';
import { durationText } from '../../../elicitation/duration.ts';
import type { ShownRun, TrialsModel } from '../../../trialsProtocol.ts';
import { localize } from '../../common/localize.ts';
import { codeSpan } from '../../common/markdown.ts';

/** Formats the table as Markdown. Server text cannot become markup. */
export function toMarkdown({ heading, call, server, rows, revisions, senders }: TrialsModel): string {
	const revision = revisions ? [localize('Revision')] : [];
	const head = [
		localize('Trial'),
		...revision,
		localize('What the server did'),
		...(senders ? [localize('Other clients')] : []),
		localize('Requests'),
		localize('Server time'),
	];
	const lines = [head, head.map(() => '---'), ...rows.map((row) => cellsOf(row, { revisions, senders }))].map(
		(cells) => `| ${cells.join(' | ')} |`,
	);
	return [`## ${heading}: ${text(localize('{0} on {1}', call.name, server))}`, '', ...lines, ''].join('\n');
}

function cellsOf(row: ShownRun, { revisions, senders }: Pick<TrialsModel, 'revisions' | 'senders'>): string[] {
	const { name, mark, sent, revision, outcomeText, words, notes, elicitations, serverTime } = row;
	return [
		inCell(text(name), mark && `*${text(mark)}*`, sent && code(sent)),
		...(revisions ? [text(revision ?? '')] : []),
		inCell(
			text(outcomeText),
			words && code(words),
			...notes.map((note) => `${note.warning ? '⚠ ' : ''}${text(note.text)}`),
		),
		...(senders ? [inCell(...(row.senders ?? []).map(text))] : []),
		elicitations === undefined ? '' : String(elicitations),
		serverTime === undefined ? '' : durationText(serverTime, localize),
	];
}

/** Joins lines within one cell. */
function inCell(...parts: readonly (string | undefined)[]): string {
	return parts.filter(Boolean).join('<br>');
}

/** Escapes text so that it cannot become a link, an image, markup or the end of a cell. */
function text(raw: string): string {
	return visible(raw)
		.replaceAll(/\s+/g, ' ')
		.replaceAll(/[\\`*_{}[\]()<>#|!~&:@]/g, escaped);
}

function escaped(character: string): string {
	return `\\${character}`;
}

/** A code span that does not end the cell either. */
function code(raw: string): string {
	return codeSpan(raw).replaceAll('|', '\\|');
}

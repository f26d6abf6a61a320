import type { ShownFinding } from '../protocol.ts';
import { bdi, el, gap } from './dom.ts';
import type { T } from './strings.ts';

/** What strays in the request, folded: for those who build the server, and for those who wonder. */
export function findingsOf(findings: readonly ShownFinding[], t: T): HTMLElement | undefined {
	if (findings.length === 0) {
		return undefined;
	}
	return folded(findings.length === 1 ? t('1 finding') : t('{0} findings', findings.length), findings, t);
}

/** What other revisions and libraries have to say of it, folded. */
export function notesOf(notes: readonly ShownFinding[], t: T): HTMLElement | undefined {
	return notes.length === 0 ? undefined : folded(t('Other revisions and libraries: {0}', notes.length), notes, t);
}

function folded(title: string, findings: readonly ShownFinding[], t: T): HTMLElement {
	const items = findings.map((finding) => item(finding, t));
	return el('details', { class: 'findings' }, el('summary', {}, title), el('ul', {}, ...items));
}

function item({ pointer, rule, severity, text, handling }: ShownFinding, t: T): HTMLElement {
	const words = el('p', {}, bdi(text), handling === undefined ? '' : `${gap(t)}${handling}`);
	if (severity === 'warning') {
		words.className = 'caution';
		words.prepend(el('span', { class: 'spoken' }, t('Warning:'), ' '));
	}
	const marks = [pointer, rule].filter((mark) => mark !== '').map((mark) => el('code', {}, bdi(mark)));
	return el('li', {}, words, el('p', { class: 'where' }, ...marks));
}

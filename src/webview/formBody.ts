import type { FormModel } from '../protocol.ts';
import { bdi, el } from './dom.ts';
import { findingsOf } from './findings.ts';
import type { T } from './strings.ts';

/** What is between the head and the foot of a form: the fields, and below them what can be unfolded. */
export function formBody(model: FormModel, t: T, fields: readonly HTMLElement[], json: HTMLElement): HTMLElement {
	const body = el('div', { class: 'body' });
	if (model.title) {
		body.append(el('h2', {}, bdi(model.title)));
	}
	if (model.description) {
		body.append(el('p', { class: 'about' }, bdi(model.description)));
	}
	const findings = findingsOf(model.findings, t);
	const folded = el('div', { class: 'folded' }, json, ...(findings ? [findings] : []));
	// They are the last there is: what opens would be out of sight. The event does not bubble.
	folded.addEventListener('toggle', showOpened, { capture: true });
	body.append(...fields, folded);
	return body;
}

function showOpened({ target }: Event): void {
	if (target instanceof HTMLDetailsElement && target.open) {
		target.scrollIntoView?.({ block: 'nearest' });
	}
}

import type { ShownRow } from '../../timelineProtocol.ts';
import { bdi, el } from '../dom.ts';
import { duration } from '../duration.ts';
import type { T } from '../strings.ts';
import { timesBar } from '../times.ts';
import { icon } from './icons.ts';
import { moment } from './time.ts';

/** One row of the tree. Its place and whether it is selected are set by the list. */
export function rowElement(row: ShownRow, t: T): HTMLElement {
	const element = el('div', {
		role: 'treeitem',
		class: 'row',
		'aria-level': row.level,
		'aria-setsize': row.size,
		'aria-posinset': row.position,
		'aria-expanded': row.open === undefined ? undefined : String(row.open),
	});
	element.classList.toggle('error', row.error);
	element.append(
		row.open === undefined
			? el('span', { class: 'twistie' })
			: el('span', { class: 'twistie', 'data-fold': true }, icon('twistie')),
		icon(row.icon),
	);
	if (row.sign !== '') {
		element.append(el('span', { class: 'spoken' }, row.sign, ' '));
	}
	element.append(bdi(row.label, { class: 'label' }), ' ', bdi(row.detail, { class: 'detail' }), ' ');
	if (row.times) {
		element.append(timesBar(row.times, t));
	}
	if (row.latency !== undefined) {
		element.append(el('span', { class: 'latency' }, duration(row.latency, t)), ' ');
	}
	if (row.at !== undefined) {
		element.append(moment(row.at, row.times !== undefined));
	}
	return element;
}

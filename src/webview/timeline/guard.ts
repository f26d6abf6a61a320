import { isObject } from '../../elicitation/json.ts';
import type { ToTimeline } from '../../timelineProtocol.ts';

/** True for a well-formed message from the host to the timeline's page. */
export function isToTimeline(value: unknown): value is ToTimeline {
	if (!isObject(value)) {
		return false;
	}
	switch (value.type) {
		case 'show':
			return isObject(value.strings) && isObject(value.filter);
		case 'rows':
			return (
				[value.total, value.first, value.origin, value.messages, value.dropped].every(Number.isSafeInteger) &&
				[value.rows, value.servers, value.methods].every(Array.isArray) &&
				(value.rows as unknown[]).every(isRow)
			);
		case 'detail':
			return value.detail === undefined || (isObject(value.detail) && typeof value.detail.key === 'string');
		case 'place':
			return Number.isSafeInteger(value.index) && isObject(value.filter);
		case 'said':
			return typeof value.text === 'string';
		default:
			return false;
	}
}

function isRow(value: unknown): boolean {
	return (
		isObject(value) &&
		[value.key, value.icon, value.sign, value.label, value.detail].every((text) => typeof text === 'string') &&
		[value.level, value.position, value.size, value.up].every(Number.isSafeInteger)
	);
}

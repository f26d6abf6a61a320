import type { Elicitation } from '../elicitation/elicitation.ts';
import { METHOD_NOT_FOUND, URL_ELICITATION_REQUIRED } from '../elicitation/errorCodes.ts';
import { findingsAmong } from '../elicitation/findings/findings.ts';
import { given, isObject, own } from '../elicitation/json.ts';
import { type Direction, methodOf, type TraceEntry } from './log.ts';
import type { Timeline, TimelineGroup, TimelineRegistry } from './timeline.ts';

export const shows = ['all', 'elicitations', 'errors', 'warnings', 'requests', 'responses', 'notifications'] as const;

/** Filter of the timeline. Empty texts match everything. */
export interface TimelineFilter {
	/** Words that must all occur. */
	readonly text: string;
	readonly server: string;
	/** Key of a group. */
	readonly group: string;
	readonly direction: '' | Direction;
	/** Method of the message, or of the request that it responds to. */
	readonly method: string;
	readonly show: (typeof shows)[number];
}

export const NO_FILTER: TimelineFilter = { text: '', server: '', group: '', direction: '', method: '', show: 'all' };

const OPTIONAL_LISTS: ReadonlySet<string> = new Set(['prompts/list', 'resources/list', 'resources/templates/list']);

/** A prepared filter. */
export class Matcher {
	/** False if everything matches. */
	readonly active: boolean;
	/** The words as they were typed, and as JSON has them. */
	readonly #words: readonly (readonly string[])[];

	constructor(
		readonly filter: TimelineFilter,
		private readonly timeline: Pick<Timeline, 'registry'>,
	) {
		const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
		this.#words = words.map((word) => [...new Set([word, JSON.stringify(word).slice(1, -1)])]);
		const { server, group, direction, method, show } = filter;
		this.active = this.#words.length > 0 || [server, group, direction, method].some(Boolean) || show !== 'all';
	}

	/** Returns false if nothing in a group can match. */
	mayContain({ key, server }: TimelineGroup): boolean {
		const { filter } = this;
		return (filter.server === '' || filter.server === server) && (filter.group === '' || filter.group === key);
	}

	/** True if the group itself matches, even if nothing in it does. */
	group({ call, server }: TimelineGroup): boolean {
		const { direction, method, show } = this.filter;
		if (!call || direction !== '' || method !== '') {
			return false;
		}
		const fits = show === 'errors' ? call.failed : show === 'all';
		return fits && this.#says(() => [call.name, server, JSON.stringify(call.args)].join('\n'));
	}

	entry(entry: TraceEntry): boolean {
		const { direction, method, show } = this.filter;
		return (
			(direction === '' || direction === entry.direction) &&
			(method === '' || method === methodOf(entry)) &&
			(show === 'all' || this.#isShown(entry)) &&
			this.#says(() => `${entry.server}\n${methodOf(entry)}\n${JSON.stringify(entry.message)}`)
		);
	}

	elicitation(elicitation: Elicitation): boolean {
		const { request, origin, response } = elicitation;
		const { direction, method, show } = this.filter;
		return (
			direction !== 'sent' &&
			(method === '' || method === (request.mode === 'sampling' ? 'sampling/createMessage' : 'elicitation/create')) &&
			(show === 'all' ||
				show === 'elicitations' ||
				(show === 'errors' && hasFailed(elicitation)) ||
				(show === 'warnings' && hasWarning(elicitation, this.timeline.registry))) &&
			this.#says(() => [origin.server, request.message, JSON.stringify([origin.params, response])].join('\n'))
		);
	}

	#isShown(entry: TraceEntry): boolean {
		const { message } = entry;
		const isRequest = own(message, 'method') !== undefined;
		switch (this.filter.show) {
			case 'errors':
				return hasError(entry);
			case 'warnings':
				return entry.truncated;
			case 'elicitations':
				return isAboutElicitation(entry);
			case 'requests':
				return isRequest && own(message, 'id') !== undefined;
			case 'notifications':
				return isRequest && own(message, 'id') === undefined;
			default:
				return !isRequest;
		}
	}

	#says(text: () => string): boolean {
		if (this.#words.length === 0) {
			return true;
		}
		const said = text().toLowerCase();
		return this.#words.every((forms) => forms.some((form) => said.includes(form)));
	}
}

/** True if an error was sent or the response was undelivered. */
export function hasFailed({ state, delivery }: Elicitation): boolean {
	return state === 'failed' || delivery?.state === 'undelivered';
}

/** True if something about the request is suspicious, or its response does not match its schema. */
export function hasWarning(elicitation: Elicitation, { urlIds }: Pick<TimelineRegistry, 'urlIds'>): boolean {
	return (
		elicitation.schemaViolation !== undefined ||
		findingsAmong(elicitation, urlIds).some(({ severity }) => severity === 'warning')
	);
}

/** True for an error, unless it is the response to a probe of this client. */
export function hasError(entry: TraceEntry): boolean {
	return isError(entry.message) && !isProbe(entry);
}

/**
 * True if the client has only asked whether the server has something that it need not have: the modern revision, or
 * lists other than that of its tools.
 */
function isProbe(entry: TraceEntry): boolean {
	const method = methodOf(entry);
	return (
		entry.direction === 'received' &&
		entry.call === undefined &&
		(method === 'server/discover' ||
			(OPTIONAL_LISTS.has(method) && own(own(entry.message, 'error'), 'code') === METHOD_NOT_FOUND))
	);
}

/** True for a protocol error or a tool error. */
function isError(message: unknown): boolean {
	return given(message, 'error') !== undefined || own(own(message, 'result'), 'isError') === true;
}

/** True if a message contains an elicitation, a response to one, or a completion notice. */
function isAboutElicitation(entry: TraceEntry): boolean {
	const { message } = entry;
	const method = methodOf(entry);
	return (
		method === 'elicitation/create' ||
		method === 'sampling/createMessage' ||
		method === 'notifications/elicitation/complete' ||
		own(own(message, 'error'), 'code') === URL_ELICITATION_REQUIRED ||
		isObject(own(own(message, 'result'), 'inputRequests')) ||
		isObject(own(own(message, 'params'), 'inputResponses'))
	);
}

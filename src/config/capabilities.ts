import type { JsonObject } from '../elicitation/json.ts';
import { STATELESS } from '../elicitation/revisions.ts';
import type { ServerDefinition } from './definition.ts';

type Mode = 'form' | 'url';

/** A capability without settings. */
type Empty = Record<string, never>;

/** The revisions that introduced the elicitation modes. */
const SINCE: Readonly<Record<Mode, string>> = { form: '2025-06-18', url: '2025-11-25' };

type Offer = Pick<ServerDefinition, 'elicitation' | 'protocolVersion'>;

/**
 * Whether calls run as tasks: wherever a tool supports it, only where it requires it, or never. With `never`, tasks are
 * not declared.
 */
export type TaskMode = 'auto' | 'required' | 'never';

/** The id of the tasks extension (2026-07-28). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/**
 * True if a server may use this mode (E07, D04): it was declared to the server, and the revision of the session
 * supports it. Form mode only requires the declaration, because some servers negotiate a revision without elicitation
 * and still send requests.
 * @param revision of the session; empty during negotiation, when only modes that all revisions support are allowed
 */
export function servesMode({ elicitation, protocolVersion }: Offer, mode: Mode, revision: string): boolean {
	const { advertise } = elicitation;
	const spoken = mode === 'form' && protocolVersion === 'auto' ? SINCE.form : revision || SINCE.form;
	return (advertise === 'both' || advertise === mode) && spoken >= SINCE[mode];
}

/** The elicitation capabilities that are declared to a server, as sent. */
export function capabilitiesOf(definition: Offer): {
	elicitation?: { form?: Empty; url?: Empty };
} {
	const { protocolVersion } = definition;
	const newest = protocolVersion === 'auto' ? SINCE.url : protocolVersion;
	const form = servesMode(definition, 'form', newest);
	const url = servesMode(definition, 'url', newest);
	if (!form && !url) {
		return {};
	}
	// The oldest revision with elicitation has no modes (E01).
	return { elicitation: newest < SINCE.url ? {} : { ...(form && { form: {} }), ...(url && { url: {} }) } };
}

/** The roots capability that is declared to a server. Only workspace folders change during a session. */
export function rootsCapabilityOf({ roots }: Pick<ServerDefinition, 'roots'>): { roots?: { listChanged?: true } } {
	return roots === 'none' ? {} : { roots: roots === 'workspace' ? { listChanged: true } : {} };
}

/** The sampling capability that is declared to a server. */
export function samplingCapabilityOf({ sampling }: Pick<ServerDefinition, 'sampling'>): { sampling?: Empty } {
	return sampling === 'ask' ? { sampling: {} } : {};
}

/** The task capabilities that are declared to a server: those of 2025-11-25 (K05) and those of 2026-07-28 (K10). */
export function taskCapabilitiesOf(
	definition: Offer & Pick<ServerDefinition, 'sampling'>,
	mode: TaskMode,
): {
	tasks?: {
		list: Empty;
		cancel: Empty;
		requests: { elicitation?: { create: Empty }; sampling?: { createMessage: Empty } };
	};
	extensions?: { [TASKS_EXTENSION]: Empty };
} {
	if (mode === 'never') {
		return {};
	}
	const { protocolVersion } = definition;
	const speaks = (revision: string) => protocolVersion === 'auto' || protocolVersion === revision;
	const requests = {
		...(capabilitiesOf(definition).elicitation && { elicitation: { create: {} } }),
		...(samplingCapabilityOf(definition).sampling && { sampling: { createMessage: {} } }),
	};
	return {
		...(speaks('2025-11-25') && Object.keys(requests).length > 0 && { tasks: { list: {}, cancel: {}, requests } }),
		...(speaks(STATELESS) && { extensions: { [TASKS_EXTENSION]: {} } }),
	};
}

/** The capabilities that a test declares to repeat a call. */
export function capabilitiesForCall(definition: ServerDefinition, isTask: boolean): JsonObject {
	const { tasks, extensions } = taskCapabilitiesOf({ ...definition, sampling: 'none' }, 'required');
	return {
		...(capabilitiesOf(definition) as JsonObject),
		// Requests may come as tasks whether or not the call is one. They are neither listed nor cancelled.
		...(tasks && { tasks: { requests: tasks.requests } }),
		...(isTask && extensions && { extensions }),
	};
}

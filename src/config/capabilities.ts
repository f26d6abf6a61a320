import type { ServerDefinition } from './definition.ts';

type Mode = 'form' | 'url';

/** The revisions that brought the modes of elicitation. */
const SINCE: Readonly<Record<Mode, string>> = { form: '2025-06-18', url: '2025-11-25' };

type Offer = Pick<ServerDefinition, 'elicitation' | 'protocolVersion'>;

/**
 * Whether a server may ask in this mode (E07, D04): it was declared to the server, and the revision of the session has it. Form
 * mode needs no more than the declaration: servers exist that answer `initialize` with a revision older than elicitation and
 * ask all the same, because the client has declared it.
 * @param revision of the session; empty as long as it is being negotiated: then only what all revisions with elicitation have
 */
export function servesMode({ elicitation, protocolVersion }: Offer, mode: Mode, revision: string): boolean {
	const { advertise } = elicitation;
	const spoken = mode === 'form' && protocolVersion === 'auto' ? SINCE.form : revision || SINCE.form;
	return (advertise === 'both' || advertise === mode) && spoken >= SINCE[mode];
}

/** Which modes of elicitation are offered to a server: the client's capabilities, as they cross the wire. */
export function capabilitiesOf(definition: Offer): {
	elicitation?: { form?: Record<string, never>; url?: Record<string, never> };
} {
	const { protocolVersion } = definition;
	const newest = protocolVersion === 'auto' ? SINCE.url : protocolVersion;
	const form = servesMode(definition, 'form', newest);
	const url = servesMode(definition, 'url', newest);
	if (!form && !url) {
		return {};
	}
	// The oldest revision with elicitation does not name modes (E01).
	return { elicitation: newest < SINCE.url ? {} : { ...(form && { form: {} }), ...(url && { url: {} }) } };
}

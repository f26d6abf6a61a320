import type { ServerDefinition } from './definition.ts';

type Mode = 'form' | 'url';

/** The revisions that introduced the elicitation modes. */
const SINCE: Readonly<Record<Mode, string>> = { form: '2025-06-18', url: '2025-11-25' };

type Offer = Pick<ServerDefinition, 'elicitation' | 'protocolVersion'>;

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
	elicitation?: { form?: Record<string, never>; url?: Record<string, never> };
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

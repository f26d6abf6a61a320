import type { ServerDefinition } from './definition.ts';

/** Which modes of elicitation are offered to a server: the client's capabilities, as they cross the wire. */
export function capabilitiesOf({ elicitation, protocolVersion }: ServerDefinition): {
	elicitation?: { form?: Record<string, never>; url?: Record<string, never> };
} {
	switch (elicitation.advertise) {
		case 'none':
			return {};
		case 'form':
			return { elicitation: { form: {} } };
		case 'url':
			return { elicitation: { url: {} } };
		default:
			// A client of the oldest revision with elicitation declares it without naming modes (E01).
			return { elicitation: protocolVersion === '2025-06-18' ? {} : { form: {}, url: {} } };
	}
}

import type { ElicitationRequest } from '../request.ts';
import { asSeenBy, respondAs } from './asSeenBy.ts';
import { type AutomaticResponse, declaresMode, PERSONAS, type Persona, titleOf } from './persona.ts';

/** How an elicitation can end for its server. */
export type Ending = AutomaticResponse['action'];

/**
 * Names of the other clients that can end a request in one way. What is not known of a client is left out.
 * @returns those that were measured, and those of which a public report says so
 */
export function sendersOf(ending: Ending, request: ElicitationRequest): { measured: string[]; documented: string[] } {
	const senders = PERSONAS.filter((persona) => endingsOf(persona, request).includes(ending));
	const [measured, documented] = (['measured', 'documented'] as const).map((source) =>
		senders.filter((persona) => source in persona.source).map(titleOf),
	);
	return { measured: measured ?? [], documented: documented ?? [] };
}

function endingsOf(persona: Persona, request: ElicitationRequest): Ending[] {
	const { automatic, form } = persona;
	if (request.mode === 'sampling' || declaresMode(persona, request.mode) === false) {
		return [];
	}
	if (automatic) {
		return [automatic.action];
	}
	if (request.mode === 'url') {
		return persona.url ? [respondAs(persona, request, []).action as Ending] : [];
	}
	if (!form) {
		return [];
	}
	if (asSeenBy(persona, request.requestedSchema).refused.length > 0) {
		return ['error'];
	}
	return ['accept', ...(form.declines ? (['decline'] as const) : []), ...(form.cancel ? [form.cancel] : [])];
}

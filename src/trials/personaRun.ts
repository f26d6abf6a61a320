import type { Elicitation, ElicitationResponse } from '../elicitation/elicitation.ts';
import { type Input, initialInputs, toInputs } from '../elicitation/form/inputs.ts';
import { type Validator, validatorFor } from '../elicitation/form/validate.ts';
import type { JsonObject } from '../elicitation/json.ts';
import { fieldsAs, type PersonaResponse, respondAs } from '../elicitation/personas/asSeenBy.ts';
import type { Persona } from '../elicitation/personas/persona.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { validContent } from './accept.ts';
import { SERVER_TIMEOUT, type TrialRun } from './observe.ts';

/**
 * Responds to every elicitation as another client does. Where that takes a person, the person enters what is required
 * and leaves everything else as it is.
 */
export function personaRun(
	persona: Persona,
	validators: Validator,
	before: readonly Elicitation[],
): Pick<TrialRun, 'answer' | 'cancelAfter'> {
	return {
		answer: async ({ request, origin }, _index, note) => {
			if (request.mode === 'sampling') {
				return { action: 'decline' };
			}
			if (request.mode === 'url') {
				note(localizable('The URL was not opened.'));
				return decisionOf(respondAs(persona, request, []), note);
			}
			const { requestedSchema } = request;
			const validator = validatorFor(origin.server, validators);
			const valid = (await validContent(requestedSchema, validator, before)) ?? {};
			const response = respondAs(persona, request, inputsOf(persona, requestedSchema, valid));
			if (response.action === 'accept') {
				const { status } = await validator.validate(requestedSchema, response.content ?? {});
				if (status === 'invalid') {
					note(localizable('What this client sends does not match the schema.'));
				}
			}
			return decisionOf(response, note);
		},
		...(persona.automatic?.action === 'none' && {
			cancelAfter: persona.waits ? persona.waits * 1_000 : SERVER_TIMEOUT,
		}),
	};
}

/** The form after a person has entered what is required. */
function inputsOf(persona: Persona, schema: JsonObject, valid: JsonObject): Input[] {
	const fields = fieldsAs(persona, schema);
	const initial = initialInputs(fields);
	const { inputs } = toInputs(fields, valid);
	return fields.map(({ required }, at) => (required ? inputs[at] : initial[at]) ?? { kind: 'const' });
}

/** Undefined if there is no response. */
function decisionOf(response: PersonaResponse, note: (note: Sentence) => void): ElicitationResponse | undefined {
	switch (response.action) {
		case 'none':
			return undefined;
		case 'blocked':
			note(localizable('No input was found that this client accepts, so it cancels.'));
			return { action: 'cancel' };
		case 'error':
			return { ...response, message: 'The client failed on purpose.' };
		default:
			return response;
	}
}

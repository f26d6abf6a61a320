import type { Elicitation } from '../elicitation/elicitation.ts';
import type { BoundaryCase } from '../elicitation/form/boundary.ts';
import { sameJson } from '../elicitation/form/flatten.ts';
import type { Validator } from '../elicitation/form/validate.ts';
import type { JsonObject } from '../elicitation/json.ts';
import type { FormRequest } from '../elicitation/request.ts';
import { localizable } from '../elicitation/sentence.ts';
import { accept } from './accept.ts';
import type { Observation, Remark, TrialRun } from './observe.ts';

/** Whether an elicitation is in form mode. */
export function isForm(elicitation: Elicitation): elicitation is Elicitation & { readonly request: FormRequest } {
	return elicitation.request.mode === 'form';
}

/** Responds to the first form of the call with the case, and to the others with valid content. */
export function boundaryRun(
	{ name, content }: BoundaryCase,
	schema: JsonObject,
	validator: Validator,
	before: readonly Elicitation[],
): TrialRun {
	let first: Elicitation | undefined;
	return {
		name,
		description: localizable('Boundary value: {0}', name),
		answer: async (elicitation, _index, note) => {
			if (first || !isForm(elicitation)) {
				return accept(elicitation, validator, before, note);
			}
			first = elicitation;
			if (!sameJson(elicitation.request.requestedSchema, schema)) {
				note(localizable('The form has changed; the response was made for the earlier one.'));
			}
			return { action: 'accept', content };
		},
	};
}

/**
 * Whether the server enforced its own schema.
 * @param before the elicitations of the call that is repeated
 */
export function judgeBoundaryValue(
	{ allowed }: BoundaryCase,
	{ outcome, elicitations }: Observation,
	before: readonly Elicitation[],
): readonly Remark[] {
	const first = elicitations.find(isForm);
	if (!first) {
		return [{ text: localizable('The call did not request a form this time.'), warning: true }];
	}
	// Their messages are not compared: a server that refuses a value may say so in its next request.
	const likeFirst = (all: readonly Elicitation[]) =>
		all.filter((each) => isForm(each) && sameJson(each.request.requestedSchema, first.request.requestedSchema)).length;
	if (likeFirst(elicitations) > Math.max(1, likeFirst(before))) {
		return [{ text: localizable('The server sent the request again.'), warning: allowed === true }];
	}
	if (allowed === undefined) {
		return [{ text: localizable('Whether the schema allows it could not be checked.'), warning: false }];
	}
	if (!allowed && outcome === 'result') {
		return [{ text: localizable('The server accepted what its own schema forbids.'), warning: true }];
	}
	return allowed && (outcome === 'isError' || outcome === 'error' || outcome === 'failed')
		? [{ text: localizable('The server refused what its own schema allows.'), warning: true }]
		: [];
}

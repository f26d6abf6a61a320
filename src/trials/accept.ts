import type { Elicitation, ElicitationResponse } from '../elicitation/elicitation.ts';
import { exampleContent } from '../elicitation/form/example.ts';
import { sameJson } from '../elicitation/form/flatten.ts';
import { type Validator, validatorFor } from '../elicitation/form/validate.ts';
import type { JsonObject } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';

/** Accepts with a generated response, or else with the one that the same form was accepted with before. */
export async function accept(
	{ request, origin }: Elicitation,
	validators: Validator,
	before: readonly Elicitation[],
	note: (note: Sentence) => void,
): Promise<ElicitationResponse> {
	if (request.mode === 'url') {
		note(localizable('The URL was not opened.'));
		return { action: 'accept' };
	}
	const { requestedSchema } = request;
	const validator = validatorFor(origin.server, validators);
	const valid = await validContent(requestedSchema, validator, before);
	if (!valid) {
		note(localizable('No response was found that the schema allows; what was sent does not match it.'));
	}
	return { action: 'accept', content: valid ?? (await exampleContent(requestedSchema, validator)).content };
}

/** A response generated from the schema or, if none is found, the one that the same form was accepted with before. */
export async function validContent(
	schema: JsonObject,
	validator: Validator,
	before: readonly Elicitation[],
): Promise<JsonObject | undefined> {
	const { content, verdict } = await exampleContent(schema, validator);
	if (verdict.status !== 'invalid') {
		return content;
	}
	const same = before.findLast(
		({ request, response }) =>
			request.mode === 'form' && response?.action === 'accept' && sameJson(request.requestedSchema, schema),
	);
	return same?.response?.action === 'accept' ? same.response.content : undefined;
}

import type { Elicitation, ElicitationResponse } from '../elicitation/elicitation.ts';
import { exampleContent } from '../elicitation/form/example.ts';
import { sameJson } from '../elicitation/form/flatten.ts';
import { type Validator, validatorFor } from '../elicitation/form/validate.ts';
import type { JsonObject } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';

/** Accepts with the response that the same form was accepted with before, or else with a generated one. */
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

/**
 * The response that the same form was accepted with before: a server may know more about what is right than its schema says. If there
 * is none that the schema allows, one generated from the schema.
 */
export async function validContent(
	schema: JsonObject,
	validator: Validator,
	before: readonly Elicitation[],
): Promise<JsonObject | undefined> {
	const same = before.findLast(
		({ request, response }) =>
			request.mode === 'form' && response?.action === 'accept' && sameJson(request.requestedSchema, schema),
	);
	const { content: given } = same?.response?.action === 'accept' ? same.response : {};
	if (given !== undefined && (await validator.validate(schema, given)).status !== 'invalid') {
		return given;
	}
	const { content, verdict } = await exampleContent(schema, validator);
	return verdict.status === 'invalid' ? given : content;
}

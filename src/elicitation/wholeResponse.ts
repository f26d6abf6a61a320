import type { Elicitation, ElicitationResponse } from './elicitation.ts';
import { INTERNAL_ERROR } from './errorCodes.ts';
import { sameJson } from './form/flatten.ts';
import { Form, type JsonReview } from './form/form.ts';
import { initialInputs, toContent } from './form/inputs.ts';
import { readJson } from './form/literals.ts';
import type { Validator } from './form/validate.ts';
import { isObject, type Json, type JsonObject, own } from './json.ts';
import { isText, writeJson } from './jsonText.ts';
import { responseIn, resultFor } from './sampling.ts';
import { localizable, type Sentence } from './sentence.ts';

/** A response to begin with. */
export interface ResponseTemplate {
	/** Its action, as the protocol names it. */
	readonly name: string;
	readonly response: JsonObject;
}

/**
 * The form of a whole response, which is written as JSON and sent whatever it says: a result or, alone in an object, an
 * `error`. What is wrong with it is said, but only what cannot be sent has no content.
 */
export class WholeResponse extends Form {
	constructor(
		private readonly elicitation: Pick<Elicitation, 'request' | 'origin'>,
		validator: Validator,
	) {
		const { request } = elicitation;
		super(request.mode === 'url' ? {} : request.requestedSchema, validator);
	}

	/** What to begin with: first, what the form would send at first. */
	get templates(): readonly ResponseTemplate[] {
		const { request } = this.elicitation;
		const { content } = toContent(this.fields, initialInputs(this.fields));
		const accepted = request.mode === 'url' ? {} : { content };
		const result = (response: ElicitationResponse) => resultFor(request, response) ?? {};
		const refusals = request.mode === 'sampling' ? [] : (['decline', 'cancel'] as const);
		return [
			{ name: 'accept', response: result({ action: 'accept', ...accepted }) },
			...refusals.map((action) => ({ name: action, response: result({ action }) })),
			{ name: 'error', response: { error: { code: INTERNAL_ERROR, message: 'An intentional error.' } } },
		];
	}

	override async reviewJson(text: string): Promise<JsonReview> {
		const read = readJson(text);
		const response = 'value' in read ? this.responseOf(read.value) : undefined;
		if ('problem' in read || response === undefined) {
			return { problems: [{ message: 'problem' in read ? read.problem : NOT_SENDABLE }] };
		}
		const note = this.#noteOn(response);
		return {
			content: read.value as JsonObject,
			problems: await this.#problemsOf(response),
			...(note && { unchecked: note }),
		};
	}

	/** The response to be sent; undefined if it cannot be. */
	responseOf(value: Json): ElicitationResponse | undefined {
		if (!isObject(value)) {
			return undefined;
		}
		const error = own(value, 'error');
		if (error !== undefined && Object.keys(value).length === 1) {
			return errorIn(error);
		}
		const { request } = this.elicitation;
		const response = responseIn(request, value);
		return sameJson(resultFor(request, response) ?? {}, value) ? response : { action: 'malformed', result: value };
	}

	async #problemsOf(response: ElicitationResponse): Promise<JsonReview['problems']> {
		switch (response.action) {
			case 'accept':
				return response.content ? (await super.reviewJson(writeJson(response.content))).problems : [];
			case 'malformed':
				return [{ message: localizable('This is no response to the request.') }];
			default:
				return [];
		}
	}

	/** What becomes of it, where that is not that the server gets it. */
	#noteOn({ action }: ElicitationResponse): Sentence | undefined {
		switch (this.elicitation.origin.intake) {
			case 'urlRequired':
				return localizable('The protocol has no response to this request: it only decides whether the call continues.');
			case 'inputRequired':
				return action === 'error'
					? localizable('A round cannot carry an error: nothing is sent, and the call fails.')
					: undefined;
			default:
				return undefined;
		}
	}
}

const NOT_SENDABLE = localizable(
	'A JSON object is required, in braces: a result, or {0} with a whole number and a text.',
	'{"error": {"code": …, "message": …}}',
);

/** The members of an error are all that is sent of it. */
function errorIn(error: Json): ElicitationResponse | undefined {
	const [code, message] = [own(error, 'code'), own(error, 'message')];
	return Object.keys(error ?? {}).length === 2 && Number.isSafeInteger(code) && isText(message)
		? { action: 'error', code: Number(code), message }
		: undefined;
}

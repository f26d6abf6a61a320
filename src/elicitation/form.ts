import { type Input, type Problem, toContent } from './answer.ts';
import { type Field, fieldsOf } from './fields.ts';
import type { JsonObject } from './json.ts';
import { type Sentence, say } from './sentence.ts';
import type { Validator, Violation } from './validate.ts';

/** A form's answer as it stands: the exact content that would be sent, and what is wrong with it. */
export interface Review {
	readonly content: JsonObject;
	readonly problems: readonly Problem[];
	/** Set when the schema could not be run here: the person may send, the server will check. */
	readonly unchecked?: Sentence;
}

/** A schema as a form: its fields, and the review of what has been entered. The same for elicitations and tool arguments. */
export class Form {
	readonly fields: readonly Field[];

	constructor(
		readonly schema: JsonObject,
		private readonly validator: Validator,
	) {
		this.fields = fieldsOf(schema);
	}

	/** Reads the inputs and validates the content against the raw schema. */
	async review(inputs: readonly Input[]): Promise<Review> {
		const { content, problems } = toContent(this.fields, inputs);
		const verdict = await this.validator.validate(this.schema, content);
		if (verdict.status === 'unchecked') {
			return { content, problems, unchecked: verdict.reason };
		}
		if (verdict.status === 'valid') {
			return { content, problems };
		}
		return { content, problems: merge(problems, verdict.violations, this.fields) };
	}
}

/** One message a field: what could not even be read comes before what the schema says about the rest. */
function merge(problems: readonly Problem[], violations: readonly Violation[], fields: readonly Field[]): Problem[] {
	const merged = [...problems];
	const taken = new Set(problems.map((problem) => problem.field));
	for (const violation of violations) {
		const field = fieldOf(violation, fields);
		if (field === undefined) {
			merged.push({
				message: violation.path === '' ? violation.message : say('{0}: {1}', violation.path, violation.message),
			});
		} else if (!taken.has(field)) {
			taken.add(field);
			merged.push({ field, message: violation.message });
		}
	}
	return merged.sort((a, b) => (a.field ?? Number.MAX_SAFE_INTEGER) - (b.field ?? Number.MAX_SAFE_INTEGER));
}

function fieldOf(violation: Violation, fields: readonly Field[]): number | undefined {
	const token = violation.path.split('/')[1];
	if (token === undefined) {
		return undefined;
	}
	const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
	const index = fields.findIndex((field) => field.key === key);
	return index < 0 ? undefined : index;
}

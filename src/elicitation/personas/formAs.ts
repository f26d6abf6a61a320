import { Form, type Review } from '../form/form.ts';
import type { Input } from '../form/inputs.ts';
import type { Validator } from '../form/validate.ts';
import type { JsonObject } from '../json.ts';
import { pointerNames } from '../pointer.ts';
import { localizable } from '../sentence.ts';
import { asSeenBy, fieldsAs, type PersonaResponse, respondAs } from './asSeenBy.ts';
import type { Persona } from './persona.ts';

/** A form whose content is what another client makes of the inputs. */
export class FormAs extends Form {
	constructor(
		private readonly persona: Persona,
		schema: JsonObject,
		validator: Validator,
	) {
		super(schema, validator, fieldsAs(persona, schema));
	}

	override async review(inputs: readonly Input[]): Promise<Review> {
		const response = respondAs(this.persona, { mode: 'form', message: '', requestedSchema: this.schema }, inputs);
		const content = contentOf(response);
		if (response.action !== 'accept') {
			return { content, problems: response.action === 'blocked' ? response.problems : [] };
		}
		const verdict = await this.validator.validate(this.schema, content);
		const violations = verdict.status === 'invalid' ? verdict.violations : [];
		const seen = asSeenBy(this.persona, this.schema).fields;
		const checked = violations.filter(({ path, keyword }) => {
			const [name] = pointerNames(path);
			const field = seen.find(({ field: { key } }) => key === name);
			return field !== undefined && ![...field.unchecked, ...field.lost].includes(keyword);
		});
		const unchecked = violations.find((violation) => !checked.includes(violation));
		return {
			content,
			problems: checked.map(({ path, message }) => {
				const [name] = pointerNames(path);
				const field = this.fields.findIndex(({ key }) => key === name);
				return { ...(field >= 0 && { field }), message };
			}),
			...(unchecked && {
				unchecked: localizable(
					'The server gets what its schema does not allow: {0}: {1}',
					unchecked.path,
					unchecked.message,
				),
			}),
		};
	}
}

/** The content or, if there is none, what is sent instead. */
function contentOf(response: PersonaResponse): JsonObject {
	return 'content' in response && response.content !== undefined ? response.content : ({ ...response } as JsonObject);
}

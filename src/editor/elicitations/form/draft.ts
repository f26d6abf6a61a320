import { type Input, initialInputs } from '../../../elicitation/form/answer.ts';
import type { Form, Review } from '../../../elicitation/form/form.ts';
import type { JsonObject } from '../../../elicitation/json.ts';

/**
 * A form with its current input. Panel and pickers share the draft, so the user can switch between them at any time.
 */
export class Draft {
	inputs: readonly Input[];
	/** Properties that were entered as JSON and belong to no field. */
	rest: JsonObject = {};
	/** The step at which the pickers were left. */
	step = 0;

	constructor(readonly form: Form) {
		this.inputs = initialInputs(form.fields);
	}

	/** True if there is user input that would be lost. */
	get touched(): boolean {
		return JSON.stringify(this.inputs) !== JSON.stringify(initialInputs(this.form.fields));
	}

	review(inputs: readonly Input[] = this.inputs): Promise<Review> {
		return this.form.review(inputs, this.rest);
	}
}

export type FormOutcome =
	| { readonly action: 'accept'; readonly content: JsonObject }
	| { readonly action: 'decline' }
	| { readonly action: 'cancel' };

import { type Input, initialInputs } from '../../../elicitation/form/answer.ts';
import type { Form, Review } from '../../../elicitation/form/form.ts';
import type { JsonObject } from '../../../elicitation/json.ts';

/** A form with what has been entered so far. Panel and pickers work on the same draft, so either can take over at any time. */
export class Draft {
	inputs: readonly Input[];
	/** What was entered as JSON and no field shows. */
	rest: JsonObject = {};
	/** The step at which the pickers were left. */
	step = 0;

	constructor(readonly form: Form) {
		this.inputs = initialInputs(form.fields);
	}

	/** True if the user has entered anything that would be lost. */
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

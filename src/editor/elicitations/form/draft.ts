import type { Form, Review } from '../../../elicitation/form/form.ts';
import { type Input, initialInputs, toContent } from '../../../elicitation/form/inputs.ts';
import { isObject, type JsonObject, own } from '../../../elicitation/json.ts';
import { areInputs } from '../../../protocol.ts';

/**
 * A form with its current input. Panel and pickers share the draft, so the user can switch between them at any time.
 */
export class Draft {
	/** Called when the input has changed. */
	onChange: () => void = () => {};
	/** The step at which the pickers were left. */
	step = 0;
	/** The response as JSON, while it is edited as such. */
	json: string | undefined;

	#inputs: readonly Input[];
	#rest: JsonObject = {};

	constructor(readonly form: Form) {
		this.#inputs = initialInputs(form.fields);
	}

	get inputs(): readonly Input[] {
		return this.#inputs;
	}

	/** Properties that were entered as JSON and belong to no field. */
	get rest(): JsonObject {
		return this.#rest;
	}

	enter(inputs: readonly Input[], rest: JsonObject = this.#rest): void {
		this.#inputs = inputs;
		this.#rest = rest;
		this.onChange();
	}

	/** Fills in what was kept of the same form, if it fits. */
	restore(kept: unknown): void {
		const [inputs, rest] = [own(kept, 'inputs'), own(kept, 'rest')];
		if (areInputs(inputs) && isObject(rest) && inputs.length === this.form.fields.length) {
			this.#inputs = inputs;
			this.#rest = rest;
		}
	}

	/** True if there is user input that would be lost. */
	get touched(): boolean {
		const isFilledIn = JSON.stringify(this.inputs) !== JSON.stringify(initialInputs(this.form.fields));
		return isFilledIn || Object.keys(this.rest).length > 0 || this.json !== undefined;
	}

	/** What stands in the fields, and beside them, as far as it can be read. */
	get content(): JsonObject {
		return { ...this.rest, ...toContent(this.form.fields, this.inputs).content };
	}

	review(inputs: readonly Input[] = this.inputs): Promise<Review> {
		return this.form.review(inputs, this.rest);
	}
}

export type FormOutcome =
	| { readonly action: 'accept'; readonly content: JsonObject }
	| { readonly action: 'decline' }
	| { readonly action: 'cancel' };

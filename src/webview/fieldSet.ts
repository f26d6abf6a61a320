import type { Input } from '../elicitation/form/answer.ts';
import type { Field } from '../elicitation/form/fields.ts';
import type { ShownProblem } from '../protocol.ts';
import { el } from './dom.ts';
import { FieldView } from './fieldView.ts';
import type { T } from './strings.ts';

/** All fields of a form, in their order. */
export class FieldSet {
	readonly element = el('div', { class: 'fields' });
	#views: readonly FieldView[] = [];

	constructor(
		private readonly fields: readonly Field[],
		inputs: readonly (Input | undefined)[],
		private readonly t: T,
		private readonly changed: (view: FieldView) => void,
	) {
		this.setHidden(false);
		this.#build(inputs);
	}

	#build(inputs: readonly (Input | undefined)[]): void {
		this.#views = this.fields.map((field, at) => {
			const view: FieldView = new FieldView(field, inputs[at], `field-${at}`, this.t, () => this.changed(view));
			return view;
		});
		this.element.replaceChildren(...this.#views.map((view) => view.element));
	}

	/** Builds the controls anew around other inputs. A field whose input differs counts as one that the user has been to. */
	replace(inputs: readonly Input[]): void {
		const before = this.#views.map((view) => ({ touched: view.touched, input: JSON.stringify(view.input()) }));
		this.#build(inputs);
		this.#views.forEach((view, at) => {
			view.touched = before[at]?.touched === true || before[at]?.input !== JSON.stringify(view.input());
		});
	}

	setHidden(hidden: boolean): void {
		this.element.hidden = hidden || this.fields.length === 0;
	}

	inputs(): Input[] {
		return this.#views.map((view) => view.input());
	}

	/** Settles what is still being typed. Returns the first field that holds something which is no input. */
	settle(): FieldView | undefined {
		for (const view of this.#views) {
			view.settle();
		}
		return this.#views.find((view) => view.control.trouble?.() !== undefined);
	}

	/** Shows what is wrong with fields that the user has been to, or with all; returns what belongs to none of them. */
	showProblems(problems: readonly ShownProblem[], all: boolean): ShownProblem[] {
		this.#views.forEach((view, at) => {
			const text = view.control.trouble?.() ?? problems.find((problem) => problem.field === at)?.text;
			view.setError(all || view.touched ? text : undefined);
		});
		return problems.filter((problem) => !this.#isField(problem.field));
	}

	/** Goes to the first field that has a problem; false when none has. */
	focusProblem(problems: readonly ShownProblem[]): boolean {
		const indexes = problems.flatMap(({ field }) => (this.#isField(field) ? [field] : []));
		this.#views[Math.min(...indexes)]?.focus();
		return indexes.length > 0;
	}

	#isField(index: number | undefined): index is number {
		return index !== undefined && this.#views[index] !== undefined;
	}

	/** Goes to the first field that can be filled; false when there is none. */
	focusFirst(): boolean {
		const at = this.fields.findIndex((field) => field.kind !== 'const');
		this.#views[at]?.control.focus();
		return at >= 0;
	}
}

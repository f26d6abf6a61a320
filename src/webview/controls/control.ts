import type { Input } from '../../elicitation/form/answer.ts';
import type { T } from '../strings.ts';

/** One field's means of entry. The surrounding field adds label, help and errors. */
export interface Control {
	/** `single`: `target` is labelled by a `<label>`. `group`: several controls, named by a legend. */
	readonly shape: 'single' | 'group';
	readonly element: HTMLElement;
	/** The labelled element of a single control, to which help and errors are tied; unused for a group. */
	readonly target: HTMLElement;
	input(): Input;
	focus(): void;
	/** What is wrong in a way that the input cannot express, such as a date of which only the year was entered. */
	trouble?(): string | undefined;
	/** Settles what is still being typed, before the inputs are read for good. */
	commit?(): void;
}

/** What a control gets from its field. */
export interface ControlContext {
	readonly t: T;
	/** Unique in the page; prefix of further ids. */
	readonly id: string;
	/** The field's label, hidden characters visible. */
	readonly label: string;
	/** True when the field may be left without an answer. */
	readonly optional: boolean;
	/** What "no answer" is called here. */
	readonly noAnswer: string;
	/** To be called whenever the user changed the input. */
	changed(): void;
}

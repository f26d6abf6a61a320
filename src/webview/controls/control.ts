import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { Input } from '../../elicitation/form/inputs.ts';

/** What a control gets from its field. The field adds label, help and errors. */
export interface ControlProps<Value> {
	/** Unique in the page; prefix of further ids. */
	readonly id: string;
	/** The field's label, hidden characters visible. */
	readonly label: string;
	/** True when the field may be left without an answer. */
	readonly optional: boolean;
	/** What 'no response' is called here. */
	readonly noAnswer: string;
	readonly disabled: boolean;
	readonly value: Value;
	/**
	 * To be called when the user has changed the input.
	 * @param trouble what is wrong in a way that the input cannot express, such as a date of which only the year was entered
	 */
	change(input: Input, trouble?: string): void;
	/** Has the editor ask the user to choose among the options of the field. */
	choose(): void;
}

/** What ties help and error to an element. */
export interface Ties {
	readonly 'aria-describedby': string | undefined;
	readonly 'aria-invalid': true | undefined;
}

/** Properties of a control that is one element. */
export interface SingleProps<Value> extends ControlProps<Value> {
	/** Values to choose from instead of typing. */
	readonly suggestions: readonly string[];
	/** The text that is sent, if it is not the one that was entered. */
	readonly spelled: string | undefined;
	/** The attributes of the element: its id, by which it is labeled, and its ties. */
	readonly target: Ties & { readonly id: string; readonly 'aria-required': true | undefined };
}

/** What is called before the inputs are read for good. */
export const Commits = createContext<Set<() => void>>(new Set());

/** Settles what is still being typed into a control before the inputs are read for good. */
export function useCommit(commit: () => void): void {
	const commits = useContext(Commits);
	const latest = useRef(commit);
	latest.current = commit;
	useLayoutEffect(() => {
		const call = () => latest.current();
		commits.add(call);
		return () => {
			commits.delete(call);
		};
	}, []);
}

import type { Input } from '../elicitation/form/answer.ts';
import { isObject } from '../elicitation/json.ts';

/** What is kept of a form while its webview is hidden. */
export interface Draft {
	readonly inputs: readonly Input[];
	readonly revision: number;
	readonly edited: boolean;
	/** Set while the user answers as JSON. */
	readonly json?: JsonDraft;
}

/** An answer that is being edited as JSON: the text, and the one that the form had made. */
export interface JsonDraft {
	readonly text: string;
	readonly original: string;
}

/** The draft of a form with so many fields, if that is what was kept. */
export function draftOf(saved: unknown, fields: number): Draft | undefined {
	if (!isObject(saved) || !Array.isArray(saved.inputs) || saved.inputs.length !== fields) {
		return undefined;
	}
	const { json, ...draft } = saved;
	return { ...draft, ...(isJsonDraft(json) && { json }) } as unknown as Draft;
}

function isJsonDraft(value: unknown): boolean {
	return isObject(value) && typeof value.text === 'string' && typeof value.original === 'string';
}

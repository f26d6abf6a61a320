import type { Json } from '../json.ts';

/** A change of a JSON document, addressed by JSON pointers. `set` creates members that do not exist. */
export type Edit =
	| { readonly set: string; readonly value: Json }
	| { readonly remove: string }
	| { readonly rename: string; readonly to: string };

/** The JSON pointer that an edit applies to. */
export function placeOf(edit: Edit): string {
	return 'set' in edit ? edit.set : 'remove' in edit ? edit.remove : edit.rename;
}

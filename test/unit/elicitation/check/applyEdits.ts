import { type Edit, placeOf } from '../../../../src/elicitation/check/edit.ts';
import { isObject, type Json, plainObject } from '../../../../src/elicitation/json.ts';
import { pointerNames } from '../../../../src/elicitation/pointer.ts';

/** Applies edits to a document, one after the other. */
export function applyEdits(document: Json, edits: readonly Edit[]): Json {
	return edits.reduce((changed, edit) => apply(changed, pointerNames(placeOf(edit)), edit), document);
}

function apply(at: Json, [name, ...inner]: readonly string[], edit: Edit): Json {
	if (name === undefined) {
		return 'set' in edit ? edit.value : at;
	}
	if (Array.isArray(at)) {
		return at.flatMap((each, index) =>
			String(index) !== name ? [each] : inner.length === 0 && 'remove' in edit ? [] : [apply(each, inner, edit)],
		);
	}
	if (!isObject(at)) {
		return at;
	}
	const entries = Object.entries(at).flatMap(([key, value]): [string, Json][] => {
		if (key !== name) {
			return [[key, value]];
		}
		if (inner.length > 0 || 'set' in edit) {
			return [[key, apply(value, inner, edit)]];
		}
		return 'rename' in edit ? [[edit.to, value]] : [];
	});
	const added = 'set' in edit && inner.length === 0 && !Object.hasOwn(at, name);
	return plainObject(added ? [...entries, [name, edit.value]] : entries);
}

import { isObject, own } from '../elicitation/json.ts';
import type { Sentence } from '../elicitation/sentence.ts';
import type { RawDefinition } from './commandLine.ts';
import { type JsonPath, valueAt } from './problem.ts';
import type { Shape } from './shape.ts';
import { obstacleTo, parseText, withMember } from './text.ts';

interface Added {
	readonly name: string;
	readonly definition: RawDefinition;
}

/** Servers to be written, and the inputs that they use. */
export interface Addition {
	readonly servers: readonly [Added, ...Added[]];
	readonly inputs: readonly unknown[];
}

/** Merges the addition into a document's members. `inputs` is present only if there are new ones. */
export function withAddition(
	document: unknown,
	shape: Shape,
	{ servers, inputs }: Addition,
): { readonly servers: object; readonly inputs?: readonly unknown[] } {
	const before = valueAt(document, shape.servers);
	const added = Object.fromEntries(servers.map(({ name, definition }) => [name, definition]));
	const known = valueAt(document, shape.inputs);
	const kept = Array.isArray(known) ? known : [];
	// Keeps existing inputs with the same id.
	const fresh = inputs.filter((input) => !kept.some((other) => own(other, 'id') === own(input, 'id')));
	return {
		servers: { ...(isObject(before) && before), ...added },
		...(fresh.length > 0 && { inputs: [...kept, ...fresh] }),
	};
}

/** Merges the addition into a text. Keeps comments and everything else. A sentence if the text is no document that can take it. */
export function textWithAddition(text: string, shape: Shape, addition: Addition): string | Sentence {
	const { inputs } = withAddition(parseText(text).value, shape, addition);
	const members: readonly { path: JsonPath; value: unknown }[] = [
		...(inputs ? [{ path: shape.inputs, value: inputs }] : []),
		...addition.servers.map(({ name, definition }) => ({ path: [...shape.servers, name], value: definition })),
	];
	const obstacle = members.map(({ path }) => obstacleTo(text, path)).find((each) => each !== undefined);
	return obstacle ?? members.reduce((before, { path, value }) => withMember(before, path, value) ?? before, text);
}

import { isObject, own } from '../elicitation/json.ts';
import type { RawDefinition } from './commandLine.ts';
import { valueAt } from './problem.ts';
import type { Shape } from './shape.ts';
import { parseText, withMember } from './text.ts';

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

/** Merges the addition into a text. Keeps comments and everything else. Undefined if the text is not JSON. */
export function textWithAddition(text: string, shape: Shape, addition: Addition): string | undefined {
	const { inputs } = withAddition(parseText(text).value, shape, addition);
	let written = inputs ? withMember(text, shape.inputs, inputs) : text;
	for (const { name, definition } of addition.servers) {
		written = written === undefined ? undefined : withMember(written, [...shape.servers, name], definition);
	}
	return written;
}

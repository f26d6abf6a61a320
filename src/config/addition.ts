import { isObject, own } from '../elicitation/json.ts';
import type { JsonPath } from './problem.ts';
import type { Shape } from './shape.ts';
import type { RawDefinition } from './snippet.ts';
import { parseText, withMember } from './text.ts';

interface Added {
	readonly name: string;
	readonly definition: RawDefinition;
}

/** What is to be written: servers, and the inputs that they use. */
export interface Addition {
	readonly servers: readonly [Added, ...Added[]];
	readonly inputs: readonly unknown[];
}

/** The values of both members of a document with the addition; inputs only if there are new ones. */
export function withAddition(
	document: unknown,
	shape: Shape,
	{ servers, inputs }: Addition,
): { readonly servers: object; readonly inputs?: readonly unknown[] } {
	const at = (path: JsonPath) => path.reduce<unknown>((value, name) => own(value, String(name)), document);
	const before = at(shape.servers);
	const added = Object.fromEntries(servers.map(({ name, definition }) => [name, definition]));
	const known = at(shape.inputs);
	const kept = Array.isArray(known) ? known : [];
	// An input that is defined there already stays as it is.
	const fresh = inputs.filter((input) => !kept.some((other) => own(other, 'id') === own(input, 'id')));
	return {
		servers: { ...(isObject(before) && before), ...added },
		...(fresh.length > 0 && { inputs: [...kept, ...fresh] }),
	};
}

/** A text with the addition; comments and the rest stay as they are. Undefined when it is no JSON. */
export function textWithAddition(text: string, shape: Shape, addition: Addition): string | undefined {
	const { inputs } = withAddition(parseText(text).value, shape, addition);
	let written = inputs ? withMember(text, shape.inputs, inputs) : text;
	for (const { name, definition } of addition.servers) {
		written = written === undefined ? undefined : withMember(written, [...shape.servers, name], definition);
	}
	return written;
}

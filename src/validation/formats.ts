import { candidates } from '../elicitation/form/example.ts';
import { spellings } from '../elicitation/form/moments.ts';
import { isObject, type Json, type JsonObject, own, without } from '../elicitation/json.ts';
import { DATA } from './neutralize.ts';

/** Keywords that may allow no text of a format. */
const OTHERS = ['pattern', 'minLength', 'maxLength', 'not', 'allOf', 'anyOf', 'oneOf'];

type Compile = (schema: JsonObject) => (value: Json) => unknown;

/**
 * Removes formats that nothing can satisfy together with the other keywords of their schema: generators write
 * `"format": "time"` for a time without an offset, and a pattern that says so. A format is an annotation (JSON Schema
 * validation, section 7.2.1), so the pattern decides.
 */
export function withoutContradictedFormats(schema: JsonObject, compile: Compile): JsonObject {
	const shared = ['$schema', '$defs', 'definitions'].flatMap((name) => {
		const value = own(schema, name);
		return value === undefined ? [] : [[name, value] as const];
	});
	const contradicted = (node: JsonObject): boolean => {
		const format = own(node, 'format');
		if (typeof format !== 'string') {
			return false;
		}
		if (Object.hasOwn(node, 'enum') || Object.hasOwn(node, 'const')) {
			return true;
		}
		if (!OTHERS.some((name) => Object.hasOwn(node, name))) {
			return false;
		}
		const allows = compile({ ...Object.fromEntries(shared), ...without(node, ['format']) });
		const fits = compile({ format });
		return !textsOf(format, own(node, 'pattern')).some((text) => fits(text) && allows(text));
	};
	const visit = (node: Json): Json => {
		if (Array.isArray(node)) {
			return node.map(visit);
		}
		if (!isObject(node)) {
			return node;
		}
		const members = Object.entries(node).map(([name, value]) => [name, DATA.has(name) ? value : visit(value)] as const);
		const visited = Object.fromEntries(members);
		return contradicted(node) ? without(visited, ['format']) : visited;
	};
	return JSON.stringify(schema).includes('"format"') ? (visit(schema) as JsonObject) : schema;
}

/** Days of different decades, months, and weekdays. */
const DAYS = Array.from({ length: 24 }, (_, at) =>
	new Date(Date.UTC(1972 + 3 * at, at % 12, 1 + at)).toISOString().slice(0, 10),
);

const TIMES = ['14:30:00+02:00', '00:00:00Z', '09:15:00-05:00', '23:59:59.5Z'];

/** Texts of a format, some of which probably match the pattern. */
function textsOf(format: string, pattern: Json | undefined): readonly Json[] {
	switch (format) {
		case 'date':
			return DAYS;
		case 'time':
			return TIMES.flatMap(spellings);
		case 'date-time':
			return DAYS.flatMap((day, at) => spellings(`${day}T${TIMES[at % TIMES.length]}`));
		default: {
			const field = {
				kind: 'text',
				entry: 'line',
				key: '',
				label: '',
				required: true,
				nullable: false,
				format,
			} as const;
			const texts = candidates({ ...field, ...(typeof pattern === 'string' && { pattern }) });
			// A pattern may say only how a text begins or ends.
			return texts.flatMap((text) => [text, `a${text}`, `${text}a`]);
		}
	}
}

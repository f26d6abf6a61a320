import { isFilledText, isObject, type Json, own } from '../json.ts';
import { textOf } from '../jsonText.ts';
import { pointerToken } from '../pointer.ts';

/** What fits, as `libraries.schema.json` describes it. */
export type Shape =
	| string
	| readonly string[]
	| Members
	| { readonly list: Shape; readonly least?: number }
	| { readonly each: Shape; readonly loses?: string }
	| { readonly first: readonly Shape[] }
	| { readonly not: Shape }
	| { readonly besideNull: Shape }
	| { readonly definition: Shape };

export interface Members {
	readonly members?: Readonly<Record<string, Shape>>;
	readonly optional?: Readonly<Record<string, Shape>>;
	readonly without?: readonly string[];
	readonly keepsOthers?: true;
}

const TRUTHS = '0 1 off on f t n y no yes false true'.split(' ');
const isNumeric = (value: Json) =>
	typeof value === 'number' || typeof value === 'boolean' || (isFilledText(value) && Number.isFinite(Number(value)));

const TESTS: ReadonlyMap<string, (value: Json) => boolean> = new Map([
	['any', () => true],
	['true', (value) => value === true],
	['null', (value) => value === null],
	['text', (value) => typeof value === 'string'],
	['number', (value) => typeof value === 'number'],
	['boolean', (value) => typeof value === 'boolean'],
	['object', isObject],
	['numeric', isNumeric],
	['whole', (value) => isNumeric(value) && Number.isInteger(Number(value))],
	['truth', (value) => TRUTHS.includes(textOf(value).toLowerCase())],
]);

/** Reads the parts of a requested schema as a library does. */
export class ShapeReader {
	/**
	 * @param shapes by their names
	 * @param definitions `$defs` of the requested schema
	 */
	constructor(
		private readonly shapes: ReadonlyMap<string, Shape>,
		private readonly definitions: Json | undefined,
	) {}

	fits(shape: Shape, value: Json | undefined): boolean {
		return value !== undefined && this.read(shape, value, '') !== undefined;
	}

	/** Returns the pointers of what a library drops; undefined if the value does not fit. */
	read(shape: Shape, value: Json, pointer: string): string[] | undefined {
		if (typeof shape === 'string') {
			const named = this.shapes.get(shape);
			return named === undefined ? found(TESTS.get(shape)?.(value) === true) : this.read(named, value, pointer);
		}
		if (isNames(shape)) {
			return found(typeof value === 'string' && shape.includes(value));
		}
		if ('list' in shape) {
			return Array.isArray(value) && value.length >= (shape.least ?? 0)
				? together(value.entries(), (index, each) => this.read(shape.list, each, `${pointer}/${index}`))
				: undefined;
		}
		if ('each' in shape) {
			return isObject(value)
				? together(Object.entries(value), (name, each) => {
						const place = `${pointer}/${pointerToken(name)}`;
						return name === shape.loses ? [place] : this.read(shape.each, each, place);
					})
				: undefined;
		}
		if ('first' in shape) {
			return shape.first.reduce<string[] | undefined>(
				(read, each) => read ?? this.read(each, value, pointer),
				undefined,
			);
		}
		if ('not' in shape) {
			return found(!this.fits(shape.not, value));
		}
		if ('besideNull' in shape) {
			const others = Array.isArray(value) ? value.filter((each) => each !== 'null') : [value];
			return found(others.length === 1 && this.fits(shape.besideNull, others[0]));
		}
		if ('definition' in shape) {
			const target = typeof value === 'string' ? own(this.definitions, value.replace('#/$defs/', '')) : undefined;
			return found(this.fits(shape.definition, target));
		}
		return this.#members(shape, value, pointer);
	}

	#members(
		{ members = {}, optional = {}, without = [], keepsOthers }: Members,
		value: Json,
		pointer: string,
	): string[] | undefined {
		if (
			!isObject(value) ||
			!Object.keys(members).every((name) => Object.hasOwn(value, name)) ||
			without.some((name) => Object.hasOwn(value, name))
		) {
			return undefined;
		}
		return together(Object.entries(value), (name, each) => {
			const place = `${pointer}/${pointerToken(name)}`;
			const known = Object.hasOwn(members, name) ? members : optional;
			const shape = Object.hasOwn(known, name) ? known[name] : undefined;
			return shape === undefined ? (keepsOthers ? [] : [place]) : this.read(shape, each, place);
		});
	}
}

function isNames(shape: Shape): shape is readonly string[] {
	return Array.isArray(shape);
}

function found(fits: boolean): string[] | undefined {
	return fits ? [] : undefined;
}

/** What is dropped of all parts; undefined if one of them does not fit. */
function together<K>(
	parts: Iterable<readonly [K, Json]>,
	read: (key: K, part: Json) => string[] | undefined,
): string[] | undefined {
	const all: string[] = [];
	for (const [key, part] of parts) {
		const dropped = read(key, part);
		if (!dropped) {
			return undefined;
		}
		// Not all at once: there may be more than a call takes as arguments.
		for (const pointer of dropped) {
			all.push(pointer);
		}
	}
	return all;
}

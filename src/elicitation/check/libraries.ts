import { isObject, type Json, type JsonObject, own } from '../json.ts';
import { textOf } from '../jsonText.ts';
import { pointerNames, pointerToken } from '../pointer.ts';
import data from './libraries.json' with { type: 'json' };
import { type Members, type Shape, ShapeReader } from './shapes.ts';

/**
 * What a library does to a schema, as JSON pointers into it. If anything is refused, the library rejects the whole
 * request.
 */
export interface Losses {
	readonly refused: readonly string[];
	readonly dropped: readonly string[];
}

/** A widely used library, as `libraries.schema.json` describes it. */
interface Model {
	readonly id: string;
	readonly name: string;
	/** The version that was examined. */
	readonly version: string;
	/**
	 * A `client` passes requests on to the application built on it; a `server` creates requests from its language's
	 * types.
	 */
	readonly side: 'client' | 'server';
	readonly reads: string;
	readonly unknown: 'dropped' | 'kept' | 'refused';
	readonly ignores?: readonly string[];
	readonly impliedByFormat?: readonly string[];
	readonly checksRequired?: true;
}

export interface Library extends Model {
	read(schema: JsonObject): Losses;
}

const ROOTS = new Map(Object.entries(data.roots as unknown as Record<string, Members>));
const SHAPES = new Map(Object.entries(data.shapes as unknown as Record<string, Shape>));

/** All libraries, which a test checks against `libraries.schema.json` and against the libraries themselves. */
export const LIBRARIES: readonly Library[] = (data.libraries as readonly Model[]).map((model) => ({
	...model,
	read: (schema) => lossesOf(model, schema),
}));

function lossesOf(model: Model, schema: JsonObject): Losses {
	const reader = new ShapeReader(SHAPES, own(schema, '$defs'));
	const root = ROOTS.get(model.reads) ?? {};
	const unknown = reader.read(root, schema, '');
	if (!unknown) {
		return { refused: refusedIn(root, schema, reader), dropped: [] };
	}
	if (model.unknown !== 'refused') {
		return { refused: [], dropped: model.unknown === 'dropped' ? unknown : [] };
	}
	const dangling = model.checksRequired && requiresUnknown(schema) ? ['/required'] : [];
	return { refused: [...unknown.filter((pointer) => !isIgnored(model, schema, pointer)), ...dangling], dropped: [] };
}

/** What does not fit, of the members of a schema and of its properties. */
function refusedIn({ members = {}, optional = {} }: Members, schema: JsonObject, reader: ShapeReader): string[] {
	return Object.entries({ ...members, ...optional }).flatMap(([name, shape]) => {
		const value = own(schema, name);
		if (value === undefined) {
			return Object.hasOwn(members, name) ? [`/${name}`] : [];
		}
		if (typeof shape === 'object' && 'each' in shape && isObject(value)) {
			return Object.entries(value).flatMap(([key, node]) =>
				key === shape.loses || reader.fits(shape.each, node) ? [] : [`/${name}/${pointerToken(key)}`],
			);
		}
		return reader.fits(shape, value) ? [] : [`/${name}`];
	});
}

function isIgnored({ ignores = [], impliedByFormat = [] }: Model, schema: JsonObject, pointer: string): boolean {
	const names = pointerNames(pointer);
	const name = names.at(-1) ?? '';
	const property = own(own(schema, 'properties'), names[1] ?? '');
	return (
		ignores.some((each) => each === name || (each.endsWith('*') && name.startsWith(each.slice(0, -1)))) ||
		(impliedByFormat.includes(name) && own(property, 'format') !== undefined)
	);
}

function requiresUnknown(schema: JsonObject): boolean {
	const required = own(schema, 'required');
	const isUnknown = (name: Json) => name === '__proto__' || own(own(schema, 'properties'), textOf(name)) === undefined;
	return Array.isArray(required) && required.some(isUnknown);
}

import { LIBRARIES } from '../check/libraries.ts';
import { INVALID_PARAMS } from '../errorCodes.ts';
import type { Field } from '../form/fields.ts';
import { Flattener } from '../form/flatten.ts';
import { type Input, type Problem, toContent } from '../form/inputs.ts';
import { propertyFields } from '../form/readFields.ts';
import { isObject, type Json, type JsonObject, own, plainObject } from '../json.ts';
import { pointerToken } from '../pointer.ts';
import type { ElicitationRequest } from '../request.ts';
import { localizable } from '../sentence.ts';
import type { AutomaticResponse, Persona } from './persona.ts';

/** One field as another client treats it. Names of keywords may lead into the property, such as `items/pattern`. */
export interface SeenField {
	/** As the request describes it. */
	readonly field: Field;
	/** False if the client has no control for it and leaves the property out. */
	readonly shown: boolean;
	/** Keywords that never reach the client's form. */
	readonly lost: readonly string[];
	readonly hidden: readonly string[];
	readonly unchecked: readonly string[];
	/** The client refuses the whole request because of this field. */
	readonly refused: boolean;
	readonly losesDefault: boolean;
}

/** A form as another client treats it. */
export interface SeenForm {
	readonly fields: readonly SeenField[];
	/** Keywords outside the properties that never reach the form. */
	readonly lost: readonly string[];
	/** JSON pointers into the schema, because of which the client refuses the request. */
	readonly refused: readonly string[];
}

/** Keywords that carry no meaning for a form. */
const WITHOUT_MEANING = new Set(['$schema', '$comment', 'additionalProperties']);

/** For each field of a schema, what a client shows, loses, refuses, and does not check. */
export function asSeenBy(persona: Persona, schema: JsonObject): SeenForm {
	const library = LIBRARIES.find(({ id }) => id === persona.library);
	const { refused, dropped } = library?.read(schema) ?? { refused: [], dropped: [] };
	const flattener = new Flattener(schema);
	const properties = own(flattener.fold(schema) ?? schema, 'properties');
	const { hides = [], ignores = [], omits = [] } = persona.form ?? {};
	const fields = propertyFields(schema).map((field): SeenField => {
		const place = `/properties/${pointerToken(field.key)}`;
		const present = keywordsIn(flattener.flatten(own(properties, field.key))?.keywords);
		return {
			field,
			shown: !omits.includes(field.kind),
			lost: within(place, dropped),
			hidden: present.filter((name) => hides.includes(lastOf(name))),
			unchecked: present.filter((name) => ignores.includes(lastOf(name))),
			refused: refused.includes(place),
			losesDefault: 'default' in field && losesDefault(persona, defaultOf(field)),
		};
	});
	const lost = dropped.filter((pointer) => !pointer.startsWith('/properties/')).map((pointer) => pointer.slice(1));
	return { fields, lost: lost.filter((name) => !WITHOUT_MEANING.has(name)), refused };
}

/** The fields of a client's form: without those it has no control for, and with what it starts with. */
export function fieldsAs(persona: Persona, schema: JsonObject): Field[] {
	return fieldsOfForm(persona, asSeenBy(persona, schema));
}

function fieldsOfForm(persona: Persona, { fields }: SeenForm): Field[] {
	return fields
		.filter(({ shown }) => shown)
		.map(({ field, losesDefault: loses, hidden }) => {
			const { default: proposed, ...rest } = field as Field & { default?: unknown };
			const kept = loses || hidden.includes('default') ? undefined : proposed;
			const start = kept === undefined && field.kind === 'choice' && persona.form?.choosesFirst ? 0 : kept;
			return (start === undefined ? rest : { ...rest, default: start }) as Field;
		});
}

/** What a client sends, or why its user cannot send anything yet. */
export type PersonaResponse =
	| AutomaticResponse
	| {
			readonly action: 'blocked';
			readonly problems: readonly Problem[];
			/** What has been entered so far. */
			readonly content: JsonObject;
	  };

/**
 * The response of a client whose user accepts. A URL is accepted as if the user had opened it.
 * @param inputs those of `fieldsAs`
 */
export function respondAs(persona: Persona, request: ElicitationRequest, inputs: readonly Input[]): PersonaResponse {
	if (persona.automatic) {
		return persona.automatic;
	}
	const refusal = (code = INVALID_PARAMS) => ({ action: 'error', code }) as const;
	if (request.mode === 'url') {
		const { opens = 'never', schemes } = persona.url ?? {};
		const scheme = request.url.slice(0, request.url.indexOf(':')).toLowerCase();
		return opens === 'never' || schemes?.includes(scheme) === false ? refusal() : { action: 'accept' };
	}
	const seen = asSeenBy(persona, request.requestedSchema);
	return seen.refused.length > 0 ? refusal(persona.refusal) : contentAs(persona, fieldsOfForm(persona, seen), inputs);
}

function contentAs({ form }: Persona, fields: readonly Field[], inputs: readonly Input[]): PersonaResponse {
	const entries: [string, Json][] = [];
	const problems: Problem[] = [];
	for (const [index, field] of fields.entries()) {
		const read = toContent([{ ...field, required: false }], inputs.slice(index, index + 1));
		const value = own(read.content, field.key);
		const blank = form?.blank?.[field.kind];
		if (read.problems.length > 0) {
			problems.push(...read.problems.map(({ message }) => ({ field: index, message })));
		} else if (value !== undefined) {
			entries.push([field.key, value]);
		} else if (field.required && form?.ignores?.includes('required') !== true) {
			problems.push({ field: index, message: localizable('This is required.') });
		} else if (blank !== undefined) {
			entries.push([field.key, blank]);
		}
	}
	const content = plainObject(entries);
	return problems.length > 0 ? { action: 'blocked', problems, content } : { action: 'accept', content };
}

function losesDefault({ form }: Persona, value: Json | undefined): boolean {
	return form?.losesFalsyDefaults === true && (value === false || value === 0 || value === '');
}

function defaultOf(field: Field): Json | undefined {
	return 'default' in field && field.kind !== 'choice' && field.kind !== 'choices' ? field.default : undefined;
}

/** Names of the keywords of a property and of the entries of its list. */
function keywordsIn(node: Json | undefined): string[] {
	const items = own(node, 'items');
	return [
		...(isObject(node) ? Object.keys(node) : []),
		...(isObject(items) ? Object.keys(items).map((name) => `items/${name}`) : []),
	];
}

function within(place: string, pointers: readonly string[]): string[] {
	return pointers
		.filter((pointer) => pointer.startsWith(`${place}/`))
		.map((pointer) => pointer.slice(place.length + 1));
}

function lastOf(name: string): string {
	return name.slice(name.lastIndexOf('/') + 1);
}

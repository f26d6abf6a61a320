import { isListed } from '../elicitation/form/fields.ts';
import { atFragment, Flattener } from '../elicitation/form/flatten.ts';
import { shown } from '../elicitation/form/options.ts';
import { isMasked, readField } from '../elicitation/form/readFields.ts';
import { isObject, type Json, type JsonObject, keyOf, mapMembers, own, plainObject } from '../elicitation/json.ts';
import { NAMED_SCHEMAS } from '../elicitation/keywords.ts';
import { mentionsSecret } from '../elicitation/secretNames.ts';

/** Max depth of a value. Anything deeper is masked. */
const MAX_DEPTH = 100;
/** Max schema nodes that are visited for one value, or for the schemas in it. Whatever is left then is masked. */
const MAX_STEPS = 500_000;
/** Max names that are remembered for each schema. */
const MAX_NAMES = 1_000;

/** Keywords whose schemas apply to the same value. */
const SAME = ['anyOf', 'oneOf', 'allOf', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'] as const;
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
/** Keywords whose schemas apply to the members of an object. */
const MEMBERS = ['patternProperties', 'additionalProperties', 'unevaluatedProperties'] as const;
/** Keywords whose schemas apply to the items of a list. */
const ITEMS = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'] as const;

/** What may still be spent on the schemas in a value: references that meet again and again cost the square of their size. */
export class Budget {
	#steps = MAX_STEPS;

	get spent(): boolean {
		return this.#steps < 0;
	}

	spend(steps: number): void {
		this.#steps -= steps;
	}
}

/** The schemas that may apply to one value. */
interface Subject {
	readonly nodes: readonly JsonObject[];
	/** The schemas among them that describe the members of an object. */
	readonly ofMembers: readonly JsonObject[];
	/** The schemas among them that describe the items of a list. */
	readonly ofItems: readonly JsonObject[];
	/** True if one of them is masked or contains an unresolvable reference. */
	readonly masked: boolean;
}

/** What replaces a secret to which these schemas apply. */
type Hide = (secret: Json, subject: Subject) => Json;

/**
 * Finds the secrets in values of a `requestedSchema` or a tool's input schema: whatever the form masks or considers
 * sensitive (`Field`), at any depth and behind any reference or branch. Masks what a schema leaves open. Executes
 * nothing of the schema.
 */
export class Masks {
	readonly #flattener: Flattener;
	readonly #subjects = new Map<JsonObject, Subject>();
	readonly #holding = new WeakMap<Subject, boolean>();
	/** The names of values that have been looked at, and whether they denote secrets, by what applies to the values. */
	readonly #names = new WeakMap<Subject, Map<string, boolean>>();
	#budget = new Budget();

	constructor(private readonly schema: Json) {
		this.#flattener = new Flattener(isObject(schema) ? schema : {});
	}

	/**
	 * Replaces everything that is masked with `instead`. Returns the same value if nothing is masked.
	 * @param onSecret called with every secret of the user that is replaced; what the schema proposes is the server's
	 */
	without(value: Json, instead: Json, onSecret?: (secret: Json) => void): Json {
		this.#budget = new Budget();
		return this.#without(value, this.#subject([this.schema]), 0, (secret, { nodes }) => {
			if (onSecret && !nodes.some((node) => proposes(node, secret))) {
				onSecret(secret);
			}
			return instead;
		});
	}

	/** Copies the schema without the proposed values of masked properties; of all, if the budget is spent. */
	withoutProposals(instead: Json, budget = new Budget()): Json {
		const masked = new Set<Json>();
		this.#budget = budget;
		this.#mark(this.#subject([this.schema]), masked, new Set());
		return this.#stripped(this.schema, masked, instead, false);
	}

	#without(value: Json, subject: Subject, depth: number, hide: Hide): Json {
		if (subject.masked || depth > MAX_DEPTH || this.#budget.spent) {
			return hide(value, subject);
		}
		if (Array.isArray(value)) {
			return this.#items(value, subject, depth, hide);
		}
		if (isObject(value)) {
			return this.#members(value, subject, depth, hide);
		}
		// The schema expects an object or a list with secrets. This scalar may be one of them.
		const { ofMembers, ofItems } = subject;
		const isOther = isScalar(value) && ofMembers.length + ofItems.length > 0;
		return isOther && this.#holdsMasked(subject) ? hide(value, subject) : value;
	}

	#items(value: readonly Json[], subject: Subject, depth: number, hide: Hide): Json {
		const { ofMembers, ofItems } = subject;
		if (ofMembers.length > 0 && ofItems.length === 0 && this.#holdsMasked(subject)) {
			return hide(value, subject);
		}
		const items = value.map((item, index) => {
			this.#budget.spend(ofItems.length + 1);
			const schemas = ofItems.flatMap((node) =>
				ITEMS.flatMap((name) => {
					const each = own(node, name);
					return Array.isArray(each) ? (each[index] ?? []) : (each ?? []);
				}),
			) as Json[];
			return this.#without(item, this.#subject(schemas), depth + 1, hide);
		});
		return items.some((item, index) => item !== value[index]) ? items : value;
	}

	#members(value: JsonObject, subject: Subject, depth: number, hide: Hide): Json {
		const { ofMembers, ofItems } = subject;
		if (ofItems.length > 0 && ofMembers.length === 0 && this.#holdsMasked(subject)) {
			return hide(value, subject);
		}
		return mapMembers(value, (name, item) => {
			const schemas = this.#schemasOf(name, ofMembers);
			const inner = this.#subject(schemas);
			// An undescribed object may concern secrets without containing any, such as a schema in an argument.
			const holdsAny = isScalar(item) || Array.isArray(item) || (isObject(item) && (schemas.length > 0 || depth === 0));
			const secret = holdsAny && this.#named(name, schemas, inner);
			return secret ? hide(item, inner) : this.#without(item, inner, depth + 1, hide);
		});
	}

	/** The schemas for a member. Patterns are server text and are not executed: all of them are assumed to match. */
	#schemasOf(name: string, objects: readonly JsonObject[]): Json[] {
		this.#budget.spend(objects.length + 1);
		const schemas: (Json | undefined)[] = [];
		for (const node of objects) {
			const declared = own(own(node, 'properties'), name);
			const patterns = own(node, 'patternProperties');
			schemas.push(declared);
			if (declared === undefined) {
				schemas.push(own(node, 'additionalProperties'), own(node, 'unevaluatedProperties'));
			}
			if (isObject(patterns)) {
				schemas.push(...Object.values(patterns));
			}
		}
		return schemas.filter((schema) => schema !== undefined);
	}

	#named(name: string, schemas: readonly Json[], subject: Subject): boolean {
		const names = this.#names.get(subject) ?? new Map<string, boolean>();
		const known = names.get(name);
		if (known !== undefined) {
			return known;
		}
		const isSecret = this.#denotesSecret(name, schemas, subject);
		// What several schemas apply to is gathered anew each time.
		if (schemas.length <= 1 && names.size < MAX_NAMES) {
			this.#names.set(subject, names.set(name, isSecret));
		}
		return isSecret;
	}

	/** True if its name or title denotes a secret. Options listed by the server and booleans are never secrets. */
	#denotesSecret(name: string, schemas: readonly Json[], { nodes }: Subject): boolean {
		const titles = nodes.flatMap((node) => shown(own(node, 'title')) ?? []);
		const [only] = schemas;
		return (
			[name, ...new Set(titles)].some(mentionsSecret) &&
			!(schemas.length === 1 && only !== undefined && isListed(readField(name, only, false, this.#flattener)))
		);
	}

	/** All schemas that apply to one value, including referenced schemas and all branches. */
	#subject(schemas: readonly Json[]): Subject {
		const [only] = schemas;
		if (schemas.length === 1 && isObject(only)) {
			const known = this.#subjects.get(only) ?? this.#gather(schemas);
			if (!this.#budget.spent) {
				this.#subjects.set(only, known);
			}
			return known;
		}
		return schemas.length === 0 ? NOTHING : this.#gather(schemas);
	}

	#gather(schemas: readonly Json[]): Subject {
		const nodes = new Set<JsonObject>();
		let masked = false;
		const rest = [...schemas];
		for (let node = rest.pop(); node !== undefined && !this.#budget.spent; node = rest.pop()) {
			this.#budget.spend(1);
			if (!isObject(node) || nodes.has(node)) {
				continue;
			}
			nodes.add(node);
			masked ||= isMasked(node);
			for (const name of REFERENCES) {
				const reference = own(node, name);
				const target = typeof reference === 'string' ? atFragment(this.schema, reference) : undefined;
				masked ||= reference !== undefined && target === undefined;
				rest.push(target ?? null);
			}
			for (const name of SAME) {
				const branches = own(node, name) ?? [];
				rest.push(...(Array.isArray(branches) || name.startsWith('depend') ? Object.values(branches) : [branches]));
			}
		}
		const all = [...nodes];
		return {
			nodes: all,
			ofMembers: all.filter((node) => Object.hasOwn(node, 'properties') || hasAny(node, MEMBERS)),
			ofItems: all.filter((node) => hasAny(node, ITEMS)),
			masked: masked || this.#budget.spent,
		};
	}

	/** True if the value or anything inside it is masked. */
	#holdsMasked(subject: Subject): boolean {
		const known = this.#holding.get(subject);
		if (known !== undefined) {
			return known;
		}
		const masked = new Set<Json>();
		this.#mark(subject, masked, new Set());
		if (this.#budget.spent) {
			return true;
		}
		this.#holding.set(subject, masked.size > 0);
		return masked.size > 0;
	}

	/** Collects the schemas of everything that is masked. */
	#mark(subject: Subject, masked: Set<Json>, seen: Set<JsonObject>): void {
		const rest = [subject];
		for (let each = rest.pop(); each !== undefined && !this.#budget.spent; each = rest.pop()) {
			if (each.masked) {
				for (const node of each.nodes) {
					masked.add(node);
				}
				continue;
			}
			for (const node of each.nodes.filter((other) => !seen.has(other))) {
				seen.add(node);
				for (const [name, schema] of this.#declared(node)) {
					const inner = this.#subject([schema]);
					rest.push(name !== undefined && this.#named(name, [schema], inner) ? { ...inner, masked: true } : inner);
				}
			}
		}
	}

	/** The schemas of what a value may contain, with names where they have one. */
	#declared(node: JsonObject): (readonly [name: string | undefined, schema: Json])[] {
		const properties = own(node, 'properties');
		const named = isObject(properties) ? Object.entries(properties) : [];
		const others = [...MEMBERS, ...ITEMS].flatMap((name) => {
			const schema = own(node, name) ?? [];
			return Array.isArray(schema) || name === 'patternProperties' ? Object.values(schema) : [schema];
		}) as Json[];
		return [...named, ...others.map((schema) => [undefined, schema] as const)];
	}

	#stripped(node: Json, masked: ReadonlySet<Json>, instead: Json, named: boolean): Json {
		if (Array.isArray(node)) {
			return node.map((item) => this.#stripped(item, masked, instead, false));
		}
		if (!isObject(node)) {
			return node;
		}
		const hidden = !named && (masked.has(node) || isMasked(node) || this.#budget.spent);
		return plainObject(
			Object.entries(node).map(([name, value]): [string, Json] => {
				if (named || !PROPOSALS.has(name)) {
					return [name, this.#stripped(value, masked, instead, !named && NAMED_SCHEMAS.has(name))];
				}
				return [name, hidden ? instead : this.#proposed(name, value, node, instead)];
			}),
		);
	}

	#proposed(name: string, value: Json, node: JsonObject, instead: Json): Json {
		const replaced = (each: Json) => this.#without(each, this.#subject([node]), 0, () => instead);
		return name === 'examples' && Array.isArray(value) ? value.map(replaced) : replaced(value);
	}
}

/** Keywords that propose values. */
const PROPOSALS = new Set(['default', 'const', 'examples']);
const NOTHING: Subject = { nodes: [], ofMembers: [], ofItems: [], masked: false };

/** True if the schema itself has the value. */
function proposes(node: JsonObject, value: Json): boolean {
	const key = keyOf(value);
	const examples = own(node, 'examples');
	const proposals = [own(node, 'default'), own(node, 'const'), ...(Array.isArray(examples) ? examples : [])];
	return proposals.some((each) => each !== undefined && keyOf(each) === key);
}

function isScalar(value: Json): boolean {
	return typeof value === 'string' || typeof value === 'number';
}

function hasAny(node: JsonObject, keywords: readonly string[]): boolean {
	return keywords.some((name) => Object.hasOwn(node, name));
}

import { distance } from '../distance.ts';
import type { Finding } from '../findings/finding.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { NAMED_SCHEMAS } from '../keywords.ts';
import { pointerToken } from '../pointer.ts';
import { localizable } from '../sentence.ts';

/** Keywords of JSON Schema up to 2020-12 and of the specification. */
const KEYWORDS = (
	'title description default examples deprecated readOnly writeOnly type enum enumNames const format pattern minLength ' +
	'maxLength contentEncoding contentMediaType contentSchema minimum maximum exclusiveMinimum exclusiveMaximum ' +
	'multipleOf items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems ' +
	'unevaluatedItems properties patternProperties additionalProperties unevaluatedProperties propertyNames required ' +
	'minProperties maxProperties dependentRequired dependentSchemas dependencies allOf anyOf oneOf definitions nullable'
).split(' ');

/** Other names that are not misspelled: short keywords, and those of OpenAPI. */
const OTHERS = new Set('id if then else not example discriminator xml externalDocs'.split(' '));

/** Keywords that hold values, not schemas. */
const VALUES = new Set(['default', 'const', 'enum', 'enumNames', 'examples', 'example', 'required']);

/** Max distance of a name from the keyword that was probably meant. */
const MAX_DISTANCE = 2;

/** A schema or one inside it. */
export interface SchemaNode {
	readonly node: JsonObject;
	readonly pointer: string;
}

/** A schema and all schemas inside it, outermost first. */
export function schemaNodes(schema: Json, pointer: string): SchemaNode[] {
	const nodes: SchemaNode[] = [];
	const rest: (readonly [value: Json, pointer: string, named: boolean])[] = [[schema, pointer, false]];
	for (let next = rest.shift(); next; next = rest.shift()) {
		const [value, at, named] = next;
		if (isObject(value) && !named) {
			nodes.push({ node: value, pointer: at });
		}
		const members = isObject(value) || Array.isArray(value) ? Object.entries(value) : [];
		for (const [name, member] of members) {
			if (named || Array.isArray(value) || !VALUES.has(name)) {
				rest.push([member, `${at}/${pointerToken(name)}`, isObject(value) && !named && NAMED_SCHEMAS.has(name)]);
			}
		}
	}
	return nodes;
}

/** Keywords that were probably misspelled. The finding's member is the keyword as it is written. */
export function misspelled(schema: Json, pointer: string): Finding[] {
	return schemaNodes(schema, pointer).flatMap(({ node, pointer: at }) =>
		Object.keys(node).flatMap((keyword): Finding[] => {
			const meant = meantBy(keyword);
			return meant === undefined || Object.hasOwn(node, meant)
				? []
				: [
						{
							pointer: at,
							member: keyword,
							rule: 'misspelled',
							severity: 'warning',
							message: localizable('The keyword "{0}" is unknown. Did you mean "{1}"?', keyword, meant),
						},
					];
		}),
	);
}

/** The keyword that an unknown name differs from by its case or by few letters. */
export function meantBy(name: string): string | undefined {
	if (KEYWORDS.includes(name) || OTHERS.has(name) || /^(?:\$|x-)/.test(name) || name.length > 30) {
		return undefined;
	}
	const lower = name.toLowerCase();
	const near = KEYWORDS.map((keyword) => ({ keyword, away: distance(lower, keyword.toLowerCase(), MAX_DISTANCE + 1) }))
		// Too little would be left of a short word.
		.filter(({ away, keyword }) => away <= MAX_DISTANCE && 2 * away < keyword.length)
		.sort((a, b) => a.away - b.away);
	return near[0]?.keyword;
}

import type { Finding } from '../findings/finding.ts';
import { ROOT_KEYWORDS } from '../findings/findings.ts';
import { labelOf } from '../form/options.ts';
import { isFilledText, isObject, type Json, type JsonObject, own } from '../json.ts';
import { pointerNames, pointerToken } from '../pointer.ts';
import { localizable, type Sentence } from '../sentence.ts';
import type { Edit } from './edit.ts';
import { sameKeyword, specified } from './specified.ts';
import { meantBy } from './spelling.ts';

/** Edits that fix a finding. JSON pointers are relative to the params of the request. */
export interface Fix {
	readonly title: Sentence;
	readonly edits: readonly Edit[];
}

/** Root keywords that are used only through references. */
const DEFINITIONS = ['$defs', 'definitions'];

/** Returns a fix for a finding; undefined if only the author can decide what was meant. */
export function fixOf(params: JsonObject, finding: Finding): Fix | undefined {
	const { pointer, member } = finding;
	const node = pointerNames(pointer).reduce<Json | undefined>(own, params);
	const place = member === undefined ? pointer : `${pointer}/${pointerToken(member)}`;
	switch (finding.rule) {
		case 'schema-alias':
			return fix(localizable('Rename it to {0}', '"requestedSchema"'), { rename: pointer, to: 'requestedSchema' });
		case 'misspelled':
			return renamed(place, meantBy(member ?? ''));
		case 'root-type':
			return fix(localizable('Write {0}', '"type": "object"'), { set: place, value: 'object' });
		case 'no-properties':
			return fix(localizable('Write {0}', '"properties": {}'), { set: place, value: {} });
		case 'root-keyword':
			return withoutRootKeywords(node, pointer);
		case 'null':
		case 'schema-in-url-mode':
		case 'required-type':
		case 'format':
		case 'unknown-format':
		case 'default':
			return remove([place]);
		case 'required-absent':
			return withoutName(node, finding);
		case 'keyword':
		case 'type':
			return rewrite(params, node, pointer);
		case 'malformed-keyword':
			return numberOf(node, place, member);
		case 'enum-names':
			return namesFor(node, place);
		case 'duplicate-option':
			return withoutRepeats(node, pointer);
		default:
			return undefined;
	}
}

function fix(title: Sentence, ...edits: readonly Edit[]): Fix {
	return { title, edits };
}

function renamed(place: string, to: string | undefined): Fix | undefined {
	return to === undefined ? undefined : fix(localizable('Rename it to {0}', `"${to}"`), { rename: place, to });
}

function remove(places: readonly string[]): Fix | undefined {
	const names = places.map((place) => `"${pointerNames(place).at(-1)}"`).join(', ');
	return places.length === 0
		? undefined
		: fix(localizable('Remove {0}', names), ...places.map((place) => ({ remove: place })));
}

/** Removes definitions that nothing refers to. Keeps other keywords, because they may matter to the server. */
function withoutRootKeywords(node: Json | undefined, pointer: string): Fix | undefined {
	if (!isObject(node)) {
		return undefined;
	}
	const more = Object.keys(node).filter((name) => !ROOT_KEYWORDS.has(name));
	const unused = more.every((name) => DEFINITIONS.includes(name)) && !JSON.stringify(node).includes('"$ref"');
	return unused ? remove(more.map((name) => `${pointer}/${name}`)) : undefined;
}

function withoutName(node: Json | undefined, { pointer, message }: Finding): Fix | undefined {
	const absent = message.args?.[0];
	return Array.isArray(node) && typeof absent === 'string' && node.includes(absent)
		? fix(localizable('Remove {0}', JSON.stringify(absent)), {
				set: pointer,
				value: node.filter((name) => name !== absent),
			})
		: undefined;
}

/** Rewrites the property keyword by keyword into what the specification allows, so that the rest keeps its position. */
function rewrite(params: JsonObject, node: Json | undefined, pointer: string): Fix | undefined {
	const [name = '', , key = ''] = pointerNames(pointer);
	const schema = own(params, name);
	const better = isObject(schema) ? specified(schema, key) : undefined;
	if (!better || node === undefined || (isObject(schema) && own(own(schema, 'properties'), key) === undefined)) {
		return undefined;
	}
	const title =
		better.lost.length > 0
			? localizable(
					'Write it as the specification allows, without {0}',
					better.lost.map((each) => `"${each}"`).join(', '),
				)
			: localizable('Write it as the specification allows');
	if (!isObject(node)) {
		return fix(title, { set: pointer, value: better.schema });
	}
	const removed = Object.keys(node).filter((keyword) => !Object.hasOwn(better.schema, keyword));
	const changed = Object.entries(better.schema).filter(([keyword]) => !sameKeyword(keyword, node, better.schema));
	return fix(
		title,
		...changed.map(([keyword, value]) => ({ set: `${pointer}/${pointerToken(keyword)}`, value })),
		...removed.map((keyword) => ({ remove: `${pointer}/${pointerToken(keyword)}` })),
	);
}

function numberOf(node: Json | undefined, place: string, member = ''): Fix | undefined {
	const value = own(node, member);
	return isFilledText(value) && Number.isFinite(Number(value))
		? fix(localizable('Write {0}', `"${member}": ${Number(value)}`), { set: place, value: Number(value) })
		: remove([place]);
}

/** One name per value. */
function namesFor(node: Json | undefined, place: string): Fix | undefined {
	const values = own(node, 'enum');
	const names = own(node, 'enumNames');
	if (!Array.isArray(values) || !Array.isArray(names)) {
		return remove([place]);
	}
	const value = values.map((each, index): Json => names[index] ?? labelOf(each));
	return fix(localizable('Give every value one name'), { set: place, value });
}

/** Keeps the first occurrence of each value. */
function withoutRepeats(node: Json | undefined, pointer: string): Fix | undefined {
	const edits = [...repeatsIn(node, pointer), ...repeatsIn(own(node, 'items'), `${pointer}/items`)];
	return edits.length === 0 ? undefined : fix(localizable('List every value once'), ...edits);
}

function repeatsIn(node: Json | undefined, pointer: string): Edit[] {
	return ['enum', 'oneOf', 'anyOf'].flatMap((keyword): Edit[] => {
		const listed = own(node, keyword);
		if (!Array.isArray(listed)) {
			return [];
		}
		const seen = new Set<string>();
		const first = listed.map((entry) => {
			const identity = JSON.stringify(keyword === 'enum' ? entry : (own(entry, 'const') ?? entry));
			return !seen.has(identity) && Boolean(seen.add(identity));
		});
		const isFirst = (_: unknown, index: number) => first[index] ?? true;
		const names = own(node, 'enumNames');
		return seen.size === listed.length
			? []
			: [
					{ set: `${pointer}/${keyword}`, value: listed.filter(isFirst) },
					...(keyword === 'enum' && Array.isArray(names)
						? [{ set: `${pointer}/enumNames`, value: names.filter(isFirst) }]
						: []),
				];
	});
}

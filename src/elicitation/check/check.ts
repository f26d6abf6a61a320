import type { Finding } from '../findings/finding.ts';
import { findingsOf, pointerToken } from '../findings/findings.ts';
import { handlingOf } from '../findings/handling.ts';
import { isObject, type JsonObject, own } from '../json.ts';
import { schemaLimit } from '../limits.ts';
import { localizable, type Sentence } from '../sentence.ts';
import { adviceOf, REVISIONS, type Revision, sectionOf } from './advice.ts';
import { LIBRARIES, type Library } from './libraries.ts';

/** Something that whoever writes a request should know. */
export interface Problem {
	/** JSON pointer into the params of the request, as exact as can be. */
	readonly pointer: string;
	readonly rule: string;
	readonly severity: 'info' | 'warning';
	readonly message: Sentence;
	/** What this client does about it. */
	readonly handling?: Sentence;
	/** What to write instead. */
	readonly advice?: Sentence;
	/** The revisions from which it strays; empty where it is a library that cannot do with it. */
	readonly revisions: readonly Revision[];
	/** The libraries that cannot do with it. */
	readonly libraries: readonly Library[];
	/** The section of the specification, by its address. */
	readonly section: string;
	/** What `fixOf` may be able to mend. */
	readonly finding?: Finding;
}

/** Everything that is to be said of the params of `elicitation/create`, for each revision and for what is known of libraries. */
export function check(params: JsonObject): readonly Problem[] {
	const name = own(params, 'requestedSchema') === undefined ? 'schema' : 'requestedSchema';
	const schema = own(params, name);
	const limit = isObject(schema) ? schemaLimit(schema) : undefined;
	if (limit) {
		return [refusal(`/${name}`, limit)];
	}
	return [...findingProblems(params), ...(isObject(schema) ? libraryProblems(schema, `/${name}`) : [])];
}

/** One problem for what strays from several revisions in the same way. */
function findingProblems(params: JsonObject): Problem[] {
	const found = new Map<string, { readonly finding: Finding; readonly revisions: Revision[] }>();
	for (const revision of REVISIONS) {
		for (const finding of findingsOf(params, revision)) {
			const identity = JSON.stringify([finding.rule, finding.pointer, finding.message]);
			const same = found.get(identity);
			if (same) {
				same.revisions.push(revision);
			} else {
				found.set(identity, { finding, revisions: [revision] });
			}
		}
	}
	return [...found.values()].map(({ finding, revisions }) => problemOf(finding, revisions));
}

function problemOf(finding: Finding, revisions: readonly Revision[]): Problem {
	const { rule, message, pointer, member } = finding;
	const handling = handlingOf(rule);
	const advice = adviceOf(rule);
	const everywhere = revisions.length === REVISIONS.length;
	return {
		pointer: member === undefined ? pointer : `${pointer}/${pointerToken(member)}`,
		rule,
		// Which revision will be negotiated is not known here.
		severity: everywhere ? finding.severity : 'info',
		message,
		...(handling && { handling }),
		...(advice && { advice }),
		revisions,
		libraries: [],
		section: sectionOf(rule, revisions.at(-1) ?? '2025-11-25'),
		finding,
	};
}

function refusal(pointer: string, message: Sentence): Problem {
	return {
		pointer,
		rule: 'limit',
		severity: 'warning',
		message,
		handling: localizable('The request is refused.'),
		revisions: [],
		libraries: [],
		section: sectionOf('limit', '2026-07-28'),
	};
}

type Effect = 'dropped' | 'refused' | 'unsendable';

/** What every generator writes, and nobody misses. */
const QUIET = new Set(['/$schema', '/additionalProperties', '/$comment']);

/** What libraries do to a schema, place by place; in a list of options, where they do it first. */
function libraryProblems(schema: JsonObject, base: string): Problem[] {
	const places = new Map<
		string,
		{ readonly effect: Effect; readonly pointer: string; readonly libraries: Library[] }
	>();
	for (const library of LIBRARIES) {
		const { refused, dropped } = library.read(schema);
		const losses = [
			...refused.map((pointer) => [library.side === 'client' ? 'refused' : 'unsendable', pointer] as const),
			...dropped.filter((pointer) => !QUIET.has(pointer)).map((pointer) => ['dropped', pointer] as const),
		];
		for (const [effect, pointer] of losses) {
			const identity = `${effect} ${pointer.replace(/\/(oneOf|anyOf)\/\d+\//, '/$1/*/')}`;
			const place = places.get(identity) ?? { effect, pointer, libraries: [] };
			places.set(identity, place);
			if (place.libraries.at(-1) !== library) {
				place.libraries.push(library);
			}
		}
	}
	return [...places.values()].map(({ effect, pointer, libraries }) => ({
		pointer: `${base}${pointer}`,
		rule: effect,
		severity: effect === 'refused' ? 'warning' : 'info',
		message: sentenceOf(effect, libraries.map(({ name, version }) => `${name} ${version}`).join(', ')),
		revisions: [],
		libraries,
		section: sectionOf(effect, '2026-07-28'),
	}));
}

function sentenceOf(effect: Effect, names: string): Sentence {
	switch (effect) {
		case 'dropped':
			return localizable('Not seen by clients that are built on {0}.', names);
		case 'refused':
			return localizable('Refused, with the whole request, by clients that are built on {0}.', names);
		case 'unsendable':
			return localizable('Cannot be sent by servers that have {0} make the schema of their types.', names);
	}
}

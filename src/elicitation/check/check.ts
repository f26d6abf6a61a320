import type { Finding } from '../findings/finding.ts';
import { findingsOf } from '../findings/findings.ts';
import { handlingOf } from '../findings/handling.ts';
import { isObject, type JsonObject, keyOf, own } from '../json.ts';
import { schemaLimit } from '../limits.ts';
import { pointerToken } from '../pointer.ts';
import { readElicitation, schemaMember } from '../request.ts';
import { ELICITATION_REVISIONS, type ElicitationRevision } from '../revisions.ts';
import { localizable, type Sentence } from '../sentence.ts';
import { whyRefused } from '../url/urlSafety.ts';
import { adviceOf, sectionOf } from './advice.ts';
import { LIBRARIES, type Library } from './libraries.ts';
import { misspelled } from './spelling.ts';

/** A problem that the author of a request should know about. */
export interface Problem {
	/** JSON pointer into the params of the request, as specific as possible. */
	readonly pointer: string;
	readonly rule: string;
	readonly severity: 'info' | 'warning';
	readonly message: Sentence;
	/** How this client handles it. */
	readonly handling?: Sentence;
	/** What to write instead. */
	readonly advice?: Sentence;
	/** The revisions in which it is a problem. Empty for problems of libraries. */
	readonly revisions: readonly ElicitationRevision[];
	/** The libraries that do not support it. */
	readonly libraries: readonly Library[];
	/** URL of the section of the specification. */
	readonly section: string;
	/** The finding that `fixOf` may be able to fix. */
	readonly finding?: Finding;
}

/** Lists the problems of the params of `elicitation/create` for every revision and the known libraries. */
export function check(params: JsonObject): readonly Problem[] {
	const name = schemaMember(params);
	const schema = own(params, name);
	const limit = isObject(schema) ? schemaLimit(schema) : undefined;
	if (limit) {
		return [refusal(`/${name}`, limit, 'limit')];
	}
	const refused = refusalOf(params);
	const problems = [
		...findingProblems(params),
		...taskProblems(params),
		...(isObject(schema)
			? [
					...misspelled(schema, `/${name}`).map((finding) => problemOf(finding, ELICITATION_REVISIONS)),
					...libraryProblems(schema, `/${name}`),
				]
			: []),
	];
	// What is refused is not handled in any other way.
	return refused ? [refused, ...problems.map(({ handling: _, ...each }) => each)] : problems;
}

const MEMBERS = ['mode', 'message', 'requestedSchema', 'schema', 'url'];

/** Why this client refuses the request, whatever was negotiated. A schema alone has no message. */
function refusalOf(params: JsonObject): Problem | undefined {
	if (!MEMBERS.some((name) => Object.hasOwn(params, name))) {
		// A request for something else, such as sampling.
		return undefined;
	}
	const read = readElicitation({ message: '', ...params });
	if (!read.ok) {
		const { reason } = read;
		const [name] = reason.args ?? [];
		const pointer = typeof name === 'string' && Object.hasOwn(params, name) ? `/${name}` : '';
		// A number is a limit of this client.
		const revisions = typeof name === 'number' ? [] : ELICITATION_REVISIONS;
		return { ...refusal(pointer, reason, 'invalid-request'), revisions };
	}
	const { request } = read;
	const reason = request.mode === 'url' ? whyRefused(request.url, { insecure: 'always' }) : undefined;
	return reason && refusal('/url', reason, 'invalid-request');
}

/** Merges findings that are the same in several revisions into one problem. */
function findingProblems(params: JsonObject): Problem[] {
	const found = new Map<string, { readonly finding: Finding; readonly revisions: ElicitationRevision[] }>();
	for (const revision of ELICITATION_REVISIONS) {
		for (const finding of findingsOf(params, revision)) {
			const identity = keyOf(finding.rule, finding.pointer, finding.message);
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

function problemOf(finding: Finding, revisions: readonly ElicitationRevision[]): Problem {
	const { rule, message, pointer, member } = finding;
	const advice = adviceOf(rule);
	const everywhere = revisions.length === ELICITATION_REVISIONS.length;
	return {
		pointer: member === undefined ? pointer : `${pointer}/${pointerToken(member)}`,
		rule,
		// The revision that will be negotiated is unknown here.
		severity: everywhere ? finding.severity : 'info',
		message,
		handling: handlingOf(rule),
		...(advice && { advice }),
		revisions,
		libraries: [],
		section: sectionOf(rule, revisions.at(-1) ?? '2025-11-25'),
		finding,
	};
}

/** The member of `_meta` that links a request to the task that it belongs to (2025-11-25, tasks). */
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** What widely used clients do with a request inside a task, as measured with the reference server. */
function taskProblems(params: JsonObject): Problem[] {
	return own(own(params, '_meta'), RELATED_TASK) === undefined
		? []
		: [
				{
					pointer: `/_meta/${pointerToken(RELATED_TASK)}`,
					rule: 'in-task',
					severity: 'info',
					message: localizable(
						'VS Code 1.139 and MCP Inspector 2.12 show a request inside a task only after the task has given up: while it waits for input, they poll its status and do not ask for its result.',
					),
					handling: localizable('It is shown as soon as the task waits for input.'),
					advice: localizable(
						'Let the task wait for at least as long as a user may take, or request input before it starts.',
					),
					revisions: [],
					libraries: [],
					section: sectionOf('in-task', '2025-11-25'),
				},
			];
}

function refusal(pointer: string, message: Sentence, rule: string): Problem {
	return {
		pointer,
		rule,
		severity: 'warning',
		message,
		handling: localizable('The request is refused.'),
		revisions: [],
		libraries: [],
		section: sectionOf(rule, '2026-07-28'),
	};
}

type Effect = 'dropped' | 'refused' | 'unsendable';

/** Generated by most schema generators and safe to drop. */
const IGNORED = new Set(['/$schema', '/additionalProperties', '/$comment']);

/** What libraries do to a schema, by pointer. Reported once per list of options. */
function libraryProblems(schema: JsonObject, base: string): Problem[] {
	const places = new Map<
		string,
		{ readonly effect: Effect; readonly pointer: string; readonly libraries: Library[] }
	>();
	for (const library of LIBRARIES) {
		const { refused, dropped } = library.read(schema);
		const losses = [
			...refused.map((pointer) => [library.side === 'client' ? 'refused' : 'unsendable', pointer] as const),
			...dropped.filter((pointer) => !IGNORED.has(pointer)).map((pointer) => ['dropped', pointer] as const),
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
			return localizable('Not visible to clients that are built on {0}.', names);
		case 'refused':
			return localizable('Refused, with the whole request, by clients that are built on {0}.', names);
		case 'unsendable':
			return localizable('Cannot be sent by servers that have {0} generate the schema from their types.', names);
	}
}

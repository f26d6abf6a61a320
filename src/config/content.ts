import { isObject, type Json, plainObject } from '../elicitation/json.ts';
import { localizable } from '../elicitation/sentence.ts';
import { leadsBack, type ServerDefinition } from './definition.ts';
import { serversIn } from './foreignDocument.ts';
import { type Input, readInputs } from './inputs.ts';
import {
	type ConfigProblem,
	type DefinitionProblem,
	error,
	type JsonPath,
	unknownMembers,
	valueAt,
} from './problem.ts';
import { readServers } from './readDefinition.ts';
import type { Shape } from './shape.ts';
import { checkVariables, inputsOf } from './variables.ts';

/** Members that only other clients use. Ignored. */
const FOREIGN = new Set(['$schema', 'sandbox', 'version', 'name', 'description', '$comment']);

/** Max servers, and max inputs, of a document. Every server is compared with all others, also those of other sources. */
const MAX_ENTRIES = 1_000;

/** The definitions in a document. */
export interface Content {
	readonly servers: readonly ServerDefinition[];
	readonly inputs: readonly Input[];
	/** Problems of definitions. */
	readonly problems: readonly DefinitionProblem[];
	/** Problems outside of definitions, by path in the document. */
	readonly general: readonly ConfigProblem[];
}

export const NOTHING: Content = { servers: [], inputs: [], problems: [], general: [] };

/**
 * Reads the definitions of a document.
 * @param outer inputs defined elsewhere that may be used here
 */
export function readContent(document: unknown, shape: Shape, outer: readonly Input[] = []): Content {
	const general: ConfigProblem[] = shape.members ? memberProblems(document, shape, shape.members) : [];
	const rawServers = valueAt(document, shape.servers);
	if (rawServers !== undefined && !isObject(rawServers)) {
		general.push(error(shape.servers, localizable('must be an object: the name of each server with its definition.')));
	}
	const rawInputs = bounded(valueAt(document, shape.inputs), shape.inputs, general);
	const { servers, problems } = readServers(withoutOwn(bounded(rawServers, shape.servers, general)));
	const wanted = [...new Set(servers.flatMap(inputsOf))];
	const { inputs, problems: wrongInputs } = readInputs(rawInputs, shape.inputs, wanted);
	general.push(...wrongInputs);
	const known = { inputs: [...inputs, ...outer].map(({ id }) => id), shell: shape.shell };
	const unresolvable = servers.flatMap((server) => checkVariables(server, known));
	const unusable = new Set(unresolvable.map(({ server }) => server));
	return {
		servers: servers.filter(({ name }) => !unusable.has(name)),
		inputs,
		problems: [...problems, ...unresolvable],
		general,
	};
}

/** Without what this extension has handed out to other clients, and what would lead back to itself. */
function withoutOwn(servers: unknown): unknown {
	return isObject(servers) ? plainObject(Object.entries(servers).filter(([, each]) => !leadsBack(each))) : servers;
}

/** A list or an object without the entries beyond the bound, which is then a problem. */
function bounded(value: unknown, path: JsonPath, problems: ConfigProblem[]): unknown {
	const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
	if (entries.length <= MAX_ENTRIES) {
		return value;
	}
	problems.push(error(path, localizable('has more than {0} entries; the others are ignored.', MAX_ENTRIES)));
	const kept = entries.slice(0, MAX_ENTRIES);
	return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
}

/** The names of all servers in the document, including invalid ones. */
export function namesIn({ servers, problems }: Content): string[] {
	const names = [...servers.map(({ name }) => name), ...problems.map(({ server }) => server)];
	return [...new Set(names)];
}

function memberProblems(document: unknown, shape: Shape, members: readonly string[]): ConfigProblem[] {
	return document === undefined || isObject(document)
		? unknownMembers(document, [], members, FOREIGN).map((problem) => misplaced(document, shape, problem) ?? problem)
		: [error([], localizable('must be an object.'))];
}

/** The servers of other clients, or of settings, in a member that nobody reads here; undefined if it has none, or only has another name. */
function misplaced(document: unknown, shape: Shape, problem: ConfigProblem): ConfigProblem | undefined {
	const { path, meant, severity, inName } = problem;
	const before = valueAt(document, shape.servers);
	if (meant !== undefined && valueAt(document, [meant]) === undefined) {
		return undefined;
	}
	const [name = ''] = path;
	const found = serversIn({ [name]: valueAt(document, path) ?? null });
	const named = found?.servers.filter((server) => server.name !== undefined) ?? [];
	if (!found || named.length === 0) {
		return undefined;
	}
	const servers = Object.fromEntries(named.map((server) => [server.name, server.definition]));
	const inputs = valueAt(document, shape.inputs);
	const target = shape.servers.join('.');
	return {
		path,
		severity,
		...(inName && { inName }),
		message: localizable('is unknown and has no effect. The servers in it belong into "{0}".', target),
		fix: {
			title: localizable('Move the servers to "{0}"', target),
			changes: [
				{ path: shape.servers, value: { ...servers, ...(isObject(before) && before) } as Json },
				...(found.inputs.length > 0
					? [{ path: shape.inputs, value: [...(Array.isArray(inputs) ? inputs : []), ...found.inputs] as Json }]
					: []),
				{ path },
			],
		},
	};
}

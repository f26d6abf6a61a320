import type { ErrorObject } from 'ajv';
import { atFragment } from '../elicitation/form/flatten.ts';
import type { Violation } from '../elicitation/form/validate.ts';
import { isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import { pointerToken } from '../elicitation/pointer.ts';
import { sentenceOf } from './sentences.ts';

/** Limits the output: a list of 10,000 entries can violate the same keyword 10,000 times. */
const MAX_VIOLATIONS = 100;
const MAX_BRANCH_NODES = 10_000;

/**
 * Converts validator errors to sentences, one per location for a failed union. Requires errors with `verbose`, in their
 * original order.
 */
export function explain(errors: readonly ErrorObject[], root: JsonObject): Violation[] {
	const violations: Violation[] = [];
	const seen = new Set<string>();
	for (const error of withoutNoise(errors, root)) {
		const path = placeOf(error);
		const message = sentenceOf(error);
		const identity = `${path} ${message.text} ${JSON.stringify(message.args)}`;
		if (!seen.has(identity)) {
			seen.add(identity);
			violations.push({ path, keyword: error.keyword, message });
		}
		if (violations.length === MAX_VIOLATIONS) {
			break;
		}
	}
	return violations;
}

/** The location that the user has to fix: a missing or extra property has a location of its own. */
function placeOf({ instancePath, keyword, params }: ErrorObject): string {
	const name: unknown =
		keyword === 'required' || keyword === 'dependentRequired' || keyword === 'dependencies'
			? params.missingProperty
			: keyword === 'additionalProperties'
				? params.additionalProperty
				: keyword === 'unevaluatedProperties'
					? params.unevaluatedProperty
					: undefined;
	return typeof name === 'string' ? `${instancePath}/${pointerToken(name)}` : instancePath;
}

/** Drops errors that a summarizing keyword (a union, a condition, a rule for names) already covers. */
function withoutNoise(errors: readonly ErrorObject[], root: JsonObject): ErrorObject[] {
	let kept: ErrorObject[] = [];
	for (const error of errors) {
		if (error.keyword === 'propertyNames') {
			kept = kept.filter(
				(earlier) => earlier.propertyName === undefined || earlier.instancePath !== error.instancePath,
			);
			kept.push(error);
		} else if ((error.keyword === 'anyOf' || error.keyword === 'oneOf') && Array.isArray(error.schema)) {
			kept = summarize(kept, error, root);
		} else if (error.keyword === 'contains') {
			const nodes = nodesOf(error.schema as Json, root);
			kept = kept.filter((earlier) => !nodes.has(earlier.parentSchema as Json));
			kept.push(error);
		} else if (error.keyword !== 'if' || !kept.some((earlier) => earlier.instancePath.startsWith(error.instancePath))) {
			kept.push(error);
		}
	}
	return kept;
}

/** Replaces the errors of all branches with those of the intended branch, or with one sentence. */
function summarize(kept: readonly ErrorObject[], union: ErrorObject, root: JsonObject): ErrorObject[] {
	const branches = (union.schema as readonly Json[]).map((branch) => nodesOf(branch, root));
	const below = (error: ErrorObject) =>
		error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`);
	const groups = branches.map((nodes) => kept.filter((error) => below(error) && nodes.has(error.parentSchema as Json)));
	const noise = new Set(groups.flat());
	const rest = kept.filter((error) => !noise.has(error));
	const meaningful = groups.filter((group) => group.length > 0 && !group.every(isNullBranch));
	const mismatch = (error: ErrorObject) => error.instancePath === union.instancePath && isMismatch(error);
	const close = meaningful.length === 1 ? meaningful : meaningful.filter((group) => !group.some(mismatch));
	const [meant] = close;
	if (close.length === 1 && meant !== undefined) {
		return [...rest, ...meant];
	}
	return [...rest, together(union, meaningful)];
}

/** The error for a union without a matching branch. */
function together(union: ErrorObject, groups: readonly (readonly ErrorObject[])[]): ErrorObject {
	const firsts = groups.flatMap((group) =>
		group.filter((error) => error.instancePath === union.instancePath).slice(0, 1),
	);
	if (groups.length > 0 && firsts.length === groups.length) {
		if (firsts.every(({ keyword }) => keyword === 'enum' || keyword === 'const')) {
			return { ...union, keyword: 'enum', params: {} };
		}
		if (firsts.every(({ keyword }) => keyword === 'type')) {
			return {
				...union,
				keyword: 'type',
				params: { type: [...new Set(firsts.flatMap(({ params }) => params.type as string))] },
			};
		}
	}
	return union;
}

function isNullBranch({ keyword, params }: ErrorObject): boolean {
	return (keyword === 'type' && params.type === 'null') || (keyword === 'const' && params.allowedValue === null);
}

/** True for errors that mean a different kind of value, rather than an invalid value of the right kind. */
function isMismatch({ keyword }: ErrorObject): boolean {
	return keyword === 'type' || keyword === 'const' || keyword === 'enum' || keyword === 'false schema';
}

/** All schema objects that are reachable from a branch. */
function nodesOf(branch: Json, root: JsonObject): Set<Json> {
	const nodes = new Set<Json>();
	const open: Json[] = [branch];
	for (let node = open.pop(); node !== undefined && nodes.size < MAX_BRANCH_NODES; node = open.pop()) {
		if (typeof node !== 'object' || node === null || nodes.has(node)) {
			continue;
		}
		nodes.add(node);
		open.push(...(Array.isArray(node) ? node : Object.values(node)));
		const reference = isObject(node) ? own(node, '$ref') : undefined;
		if (typeof reference === 'string') {
			open.push(atFragment(root, reference) ?? null);
		}
	}
	return nodes;
}

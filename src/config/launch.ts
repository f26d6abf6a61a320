import type { ServerDefinition } from './definition.ts';
import type { DefinitionProblem } from './problem.ts';
import { namesSecret, secretsAmong } from './secretNames.ts';
import { resolveVariables, type VariableSource } from './variables.ts';

/** What is started: a definition with a value for every variable, and which of its texts are nobody's business. */
export interface Launch {
	readonly definition: ServerDefinition;
	readonly secrets: readonly string[];
}

/** A value that the user has given for `${input:id}`. */
export interface InputValue {
	readonly value: string;
	readonly secret: boolean;
}

/** The same source with every answer kept: what is shown, agreed to and started is the same, whatever changes meanwhile. */
export function snapshot(source: VariableSource): VariableSource {
	const kept = new Map<string, string | undefined>();
	const keep = (key: string, ask: () => string | undefined) => {
		if (!kept.has(key)) {
			kept.set(key, ask());
		}
		return kept.get(key);
	};
	return {
		...source,
		workspaceFolder: (name) => keep(`folder:${name ?? ''}`, () => source.workspaceFolder(name)),
		environment: (name) => keep(`env:${name}`, () => source.environment(name)),
		configuration: (key) => keep(`config:${key}`, () => source.configuration(key)),
		input: (id) => source.input(id),
	};
}

/**
 * The definition as far as it is decided before the user is asked for anything, fit to be shown: inputs, and environment
 * variables that hold secrets, stand in it by their names. Consent is bound to this.
 * @param inputs those that have been entered already
 */
export function effectiveDefinition(
	definition: ServerDefinition,
	source: VariableSource,
	inputs: ReadonlyMap<string, InputValue> = new Map(),
): { definition: ServerDefinition; problems: DefinitionProblem[] } {
	return resolveVariables(definition, {
		...source,
		input: (id) => {
			const entered = inputs.get(id);
			return entered && !entered.secret ? entered.value : `\${input:${id}}`;
		},
		environment: (name) => {
			const value = source.environment(name);
			return value && namesSecret(name) ? `\${env:${name}}` : value;
		},
	});
}

/** Which variables of the definition have no value just now: that may change until it is started. */
export function missingVariables(definition: ServerDefinition, source: VariableSource): DefinitionProblem[] {
	return effectiveDefinition(definition, source).problems.map((problem) => ({ ...problem, severity: 'warning' }));
}

/** The definition with every variable resolved. */
export function launchOf(
	definition: ServerDefinition,
	source: VariableSource,
	inputs: ReadonlyMap<string, InputValue>,
): Launch & { readonly problems: readonly DefinitionProblem[] } {
	const secrets = new Set([...inputs.values()].flatMap(({ value, secret }) => (secret ? [value] : [])));
	const resolved = resolveVariables(definition, {
		...source,
		input: (id) => inputs.get(id)?.value,
		environment: (name) => {
			const value = source.environment(name);
			for (const secret of secretsAmong({ [name]: value ?? null })) {
				secrets.add(secret);
			}
			return value;
		},
	});
	const named = resolved.definition.type === 'stdio' ? resolved.definition.env : resolved.definition.headers;
	for (const secret of secretsAmong(named)) {
		secrets.add(secret);
	}
	return { ...resolved, secrets: [...secrets] };
}

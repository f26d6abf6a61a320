import { namesSecret, secretsAmong } from '../elicitation/secretNames.ts';
import { decidesWhatRuns } from './decidingVariables.ts';
import { hasUrl, isProgram, type ServerDefinition } from './definition.ts';
import type { DefinitionProblem, JsonPath } from './problem.ts';
import { resolveVariables, type VariableSource } from './variables.ts';

/** A definition with all variables resolved, and the secrets in it. */
export interface Launch {
	readonly definition: ServerDefinition;
	readonly secrets: readonly string[];
}

/** A value that the user entered for `${input:id}`. */
export interface InputValue {
	readonly value: string;
	readonly secret: boolean;
}

/** Caches every value of a source, so that the definition that is shown, consented to and started is the same. */
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
		isOfWorkspace: (key) => keep(`of:${key}`, () => (source.isOfWorkspace?.(key) ? key : undefined)) !== undefined,
		input: (id) => source.input(id),
		...(source.editor && {
			editor: (name, argument) => keep(`editor:${name}:${argument}`, () => source.editor?.(name, argument)),
		}),
	};
}

/**
 * The definition as far as it can be resolved before the user is asked for values, safe to show. Inputs and environment
 * variables with secrets stay unresolved. Consent is bound to this definition.
 * @param inputs values that have already been entered
 */
export function effectiveDefinition(
	definition: ServerDefinition,
	source: VariableSource,
	inputs: ReadonlyMap<string, InputValue> = new Map(),
): { definition: ServerDefinition; problems: DefinitionProblem[] } {
	const shown = (kind: Kind, name: string, path: JsonPath | undefined, value: string | undefined) =>
		value && isSecretReference(kind, name, source, path && nameOf(definition, path)) ? `\${${kind}:${name}}` : value;
	return resolveVariables(definition, {
		...source,
		input: (id, path) => {
			const entered = inputs.get(id);
			return entered && !entered.secret ? shown('input', id, path, entered.value) : `\${input:${id}}`;
		},
		environment: (name, path) => shown('env', name, path, source.environment(name)),
		configuration: (key, path) => shown('config', key, path, source.configuration(key)),
	});
}

/** The place that a value of the user comes from. */
type Kind = 'env' | 'config' | 'input';

/**
 * True if what a variable stands for is a secret of the user, judging by its name and by that of what it is used for. What a
 * workspace has set is none. An input says itself what it is; see `password`.
 */
function isSecretReference(kind: Kind, name: string, source: VariableSource, usedFor = ''): boolean {
	const isOfWorkspace = kind === 'config' && source.isOfWorkspace?.(name) === true;
	return !isOfWorkspace && ((kind !== 'input' && namesSecret(name)) || namesSecret(usedFor));
}

/** The variable, header, or option that a text of a definition is for; undefined if it has to be shown, whatever it is called. */
function nameOf(definition: ServerDefinition, [member, item]: JsonPath): string | undefined {
	if (member === 'args' && isProgram(definition)) {
		const { [Number(item)]: argument = '', [Number(item) - 1]: before = '' } = definition.args;
		return /^(-[^=]+)=/.exec(argument)?.[1] ?? (isSecretArgument(argument, before) ? before : undefined);
	}
	return member === 'headers' || (member === 'env' && !decidesWhatRuns(String(item), true)) ? String(item) : undefined;
}

/** Problems for the variables that have no value now. They may have one when the server starts. */
export function missingVariables(definition: ServerDefinition, source: VariableSource): DefinitionProblem[] {
	return effectiveDefinition(definition, source).problems.map((problem) => ({ ...problem, severity: 'warning' }));
}

/** True for `abc` after `--token`, which is as secret as `--token=abc`. */
export function isSecretArgument(argument: string, before: string): boolean {
	return /^-[^=]+$/.test(before) && !argument.startsWith('-') && namesSecret(before);
}

/** The secrets that a definition without variables holds, judging by names: in its environment, headers, or arguments. */
export function secretsIn(definition: ServerDefinition): string[] {
	if (hasUrl(definition)) {
		return secretsAmong(definition.headers);
	}
	const named = definition.args.flatMap((argument, index, { [index - 1]: before = '' }) => {
		const [, name, value] = /^(-[^=]+)=(.*)$/s.exec(argument) ?? [];
		return name !== undefined && value !== undefined
			? secretsAmong({ [name]: value })
			: isSecretArgument(argument, before)
				? secretsAmong({ [before]: argument })
				: [];
	});
	return [...secretsAmong(definition.env), ...named];
}

/** Resolves every variable of the definition. */
export function launchOf(
	definition: ServerDefinition,
	source: VariableSource,
	inputs: ReadonlyMap<string, InputValue>,
): Launch & { readonly problems: readonly DefinitionProblem[] } {
	const secrets = new Set([...inputs.values()].flatMap(({ value, secret }) => (secret ? [value] : [])));
	const noted = (kind: Kind, name: string, value: string | undefined) => {
		for (const secret of isSecretReference(kind, name, source) ? secretsAmong({ [name]: value ?? null }) : []) {
			secrets.add(secret);
		}
		return value;
	};
	const resolved = resolveVariables(definition, {
		...source,
		input: (id) => inputs.get(id)?.value,
		environment: (name) => noted('env', name, source.environment(name)),
		configuration: (key) => noted('config', key, source.configuration(key)),
	});
	// A variable without a value is no secret: its name has to be told.
	for (const secret of resolved.problems.length > 0 ? [] : secretsIn(resolved.definition)) {
		// Whoever wrote the definition could hide where it leads, by giving a header the value of the host.
		if (!reached(resolved.definition).includes(secret)) {
			secrets.add(secret);
		}
	}
	return { ...resolved, secrets: [...secrets] };
}

/** What is reached or run, which is never hidden. */
function reached(definition: ServerDefinition): string {
	return isProgram(definition) ? definition.command : (definition.url.split(/[/?#]/, 3)[2] ?? '');
}

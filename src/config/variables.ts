import { type Sentence, say } from '../elicitation/sentence.ts';
import { type DefinitionProblem, isHttpUrl, notHttpUrl, type ServerDefinition } from './definition.ts';

/** Where the values of variables come from; the editor's part. Undefined: there is no such value. */
export interface VariableSource {
	/** `${workspaceFolder}`; with a name, `${workspaceFolder:name}`. */
	workspaceFolder(name: string | undefined): string | undefined;
	userHome(): string;
	pathSeparator(): string;
	/** `${env:NAME}` */
	environment(name: string): string | undefined;
	/** `${config:key}` */
	configuration(key: string): string | undefined;
}

/** Resolves the variables in every text of a definition. A variable that cannot be resolved is a problem, never left as it is. */
export function resolveVariables(
	definition: ServerDefinition,
	source: VariableSource,
): { definition: ServerDefinition; problems: DefinitionProblem[] } {
	const problems: DefinitionProblem[] = [];
	const text = (path: string, value: string): string =>
		value.replace(/\$\{([^}]+)\}/g, (whole, expression: string) => {
			const resolved = lookUp(expression, source);
			if (typeof resolved === 'string') {
				return resolved;
			}
			problems.push({ server: definition.name, path, message: resolved });
			return whole;
		});
	const map = <T extends string | null>(path: string, values: Readonly<Record<string, T>>): Record<string, T> => {
		const result: Record<string, T> = Object.create(null);
		for (const [name, value] of Object.entries(values)) {
			result[name] = (value === null ? value : text(`${path}.${name}`, value)) as T;
		}
		return result;
	};
	if (definition.type !== 'stdio') {
		const url = text('url', definition.url);
		if (problems.length === 0 && !isHttpUrl(url)) {
			problems.push({ server: definition.name, path: 'url', message: notHttpUrl(url) });
		}
		return { definition: { ...definition, url, headers: map('headers', definition.headers) }, problems };
	}
	const resolved = {
		...definition,
		command: text('command', definition.command),
		args: definition.args.map((value, index) => text(`args.${index}`, value)),
		env: map('env', definition.env),
		...(definition.cwd !== undefined && { cwd: text('cwd', definition.cwd) }),
		...(definition.envFile !== undefined && { envFile: text('envFile', definition.envFile) }),
	};
	return { definition: resolved, problems };
}

function lookUp(expression: string, source: VariableSource): string | Sentence {
	const colon = expression.indexOf(':');
	const name = colon < 0 ? expression : expression.slice(0, colon);
	const argument = colon < 0 ? undefined : expression.slice(colon + 1);
	switch (name) {
		case 'workspaceFolder':
			return source.workspaceFolder(argument) ?? say('uses "${{0}}", but no such folder is open.', expression);
		case 'userHome':
			return source.userHome();
		case 'pathSeparator':
		case '/':
			return source.pathSeparator();
		case 'env':
			return (
				source.environment(argument ?? '') ??
				say('uses "${{0}}", but that environment variable is not set.', expression)
			);
		case 'config':
			return (
				source.configuration(argument ?? '') ??
				say('uses "${{0}}", but there is no such setting with a text value.', expression)
			);
		default:
			return say('uses the unknown variable "${{0}}".', expression);
	}
}

import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { hasUrl, isProgram, type ServerDefinition } from './definition.ts';
import { nearest } from './names.ts';
import { type OAuth, oauthMembers } from './oauth.ts';
import { type DefinitionProblem, error, type JsonPath } from './problem.ts';
import { rootProblem, urlProblem } from './readDefinition.ts';

/** Source of variable values, implemented by the editor layer. Undefined: there is no value. */
export interface VariableSource {
	/** `${workspaceFolder}`; with a name, `${workspaceFolder:name}`. */
	workspaceFolder(name: string | undefined): string | undefined;
	userHome(): string;
	pathSeparator(): string;
	/**
	 * `${env:NAME}`
	 * @param path where it stands, in a definition
	 */
	environment(name: string, path?: JsonPath): string | undefined;
	/** `${config:key}` */
	configuration(key: string, path?: JsonPath): string | undefined;
	/** `${input:id}` */
	input(id: string, path?: JsonPath): string | undefined;
	/**
	 * `${fileWorkspaceFolder}`, `${execPath}`, and `${extensionInstallFolder:id}`, which only an editor has. The first is the folder
	 * of the file that is being edited, if any.
	 */
	editor?(name: string, argument: string | undefined): string | undefined;
	/** True if `${config:key}` is a value of the workspace, which is no secret of the user. */
	isOfWorkspace?(key: string): boolean;
	/** True for a definition of our own, in which nothing is a variable. */
	readonly isLiteral?: boolean;
	/** In `.mcp.json`, `${NAME}` and `${NAME:-default}` refer to environment variables. */
	readonly shell: boolean;
}

const VARIABLE = /\$\{([^}]+)\}/g;
/** They differ from workspace to workspace. */
const OF_WORKSPACE = new Set([
	'workspaceFolder',
	'workspaceFolderBasename',
	'fileWorkspaceFolder',
	'fileWorkspaceFolderBasename',
	'cwd',
]);
const NAMES = [
	...OF_WORKSPACE,
	'execPath',
	'extensionInstallFolder',
	'userHome',
	'pathSeparator',
	'/',
	'env',
	'config',
	'input',
];
/** Their values are paths, never URIs. */
const PATHS: ReadonlySet<string> = new Set([...OF_WORKSPACE, 'userHome', 'execPath', 'extensionInstallFolder']);

/** What else VS Code has: what is being edited, which changes while a server runs, and what runs something itself. */
const EDITORS_OWN = new Set(
	(
		'file relativeFile relativeFileDirname fileBasename fileBasenameNoExtension fileExtname fileDirname fileDirnameBasename ' +
		'lineNumber columnNumber selectedText defaultBuildTask command'
	).split(' '),
);
const SHELL = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/** Where the last variable of a text may end. Behind it, the pattern would search the whole rest from every `${`. */
function endOf(text: string): number {
	return text.lastIndexOf('}') + 1;
}

/** A `${…}` in a definition. */
export interface Reference {
	readonly path: JsonPath;
	/** The text between the braces. */
	readonly expression: string;
	readonly name: string;
	/** The text after the colon. */
	readonly argument: string | undefined;
}

/** All variables of a definition, in the order of its members. */
export function referencesOf(definition: ServerDefinition): Reference[] {
	const references: Reference[] = [];
	mapTexts(definition, (path, text) => {
		for (const [, expression = ''] of text.slice(0, endOf(text)).matchAll(VARIABLE)) {
			references.push({ path, ...parse(expression) });
		}
		return text;
	});
	return references;
}

/** True if a variable stands for something else in another workspace, whatever the settings are. */
export function isOfWorkspace({ name }: Reference): boolean {
	return OF_WORKSPACE.has(name);
}

/** The ids of the inputs of a definition, without duplicates. */
export function inputsOf(definition: ServerDefinition): string[] {
	const ids = referencesOf(definition).flatMap(({ name, argument }) => (name === 'input' ? [argument ?? ''] : []));
	return [...new Set(ids)];
}

/** Problems of a definition's variables that can be found without their values. */
export function checkVariables(
	definition: ServerDefinition,
	known: { readonly inputs: readonly string[]; readonly shell: boolean },
): DefinitionProblem[] {
	return referencesOf(definition).flatMap(({ path, expression, name, argument }) => {
		const problem = (message: Sentence) => [{ server: definition.name, ...error(path, message) }];
		if (name === 'input' && !known.inputs.includes(argument ?? '')) {
			const meant = nearest(argument ?? '', known.inputs);
			return problem(
				meant === undefined
					? localizable('uses "${{0}}", but no input of that id is defined.', expression)
					: localizable('uses "${{0}}", but no input of that id is defined. Did you mean "{1}"?', expression, meant),
			);
		}
		return NAMES.includes(name) || (known.shell && SHELL.test(expression)) ? [] : problem(unknownVariable(expression));
	});
}

/**
 * Resolves the variables in every text of a definition. Reports variables without a value; never leaves them in place.
 */
export function resolveVariables(
	definition: ServerDefinition,
	source: VariableSource,
): { definition: ServerDefinition; problems: DefinitionProblem[] } {
	if (source.isLiteral) {
		return { definition, problems: [] };
	}
	const problems: DefinitionProblem[] = [];
	const fail = (path: JsonPath, message: Sentence) =>
		problems.push({ server: definition.name, ...error(path, message) });
	const resolved = mapTexts(definition, (path, text) => {
		const end = endOf(text);
		const known = text.slice(0, end).replace(VARIABLE, (whole, expression: string) => {
			const reference = { path, ...parse(expression) };
			const value = lookUp(reference, source);
			if (typeof value === 'string') {
				return path[0] === 'roots' && PATHS.has(reference.name) ? value.replace(/[%#?\s]/g, encodeURIComponent) : value;
			}
			fail(path, value);
			return whole;
		});
		const filled = known + text.slice(end);
		return path[0] === 'roots' ? withoutBackslashes(filled) : filled;
	});
	const url = hasUrl(resolved) && problems.length === 0 ? knownUrl(resolved.url) : undefined;
	const problem = url === undefined ? undefined : urlProblem(url);
	if (problem) {
		fail(['url'], problem);
	}
	for (const [index, root] of Array.isArray(resolved.roots) && problems.length === 0 ? resolved.roots.entries() : []) {
		const wrong = rootProblem(root);
		if (wrong) {
			fail(['roots', index], wrong);
		}
	}
	const { fits, message } = oauthMembers.clientMetadataUrl;
	const document = isProgram(resolved) ? undefined : resolved.oauth?.clientMetadataUrl;
	if (document !== undefined && problems.length === 0 && !fits(document)) {
		fail(['oauth', 'clientMetadataUrl'], message);
	}
	return { definition: resolved, problems };
}

/**
 * A URL in which something else stands for what is not known yet, to be inspected; undefined if it is not even known which
 * server it is of.
 */
export function knownUrl(url: string): string | undefined {
	const known = url.split('${', 1)[0];
	return known === url || /^https?:\/\/[^/?#\\]+[/?#]/i.test(known ?? '') ? url.replace(VARIABLE, 'x') : undefined;
}

/** `file://C:\a` and `file://\\host\a` as URIs: `file:///C:/a`, `file://host/a`. Paths of Windows come out of variables. */
function withoutBackslashes(root: string): string {
	return root
		.replace(/^(file:)\/\/(?=\\\\)/i, '$1')
		.replaceAll('\\', '/')
		.replace(/^(file:\/\/)(?=[a-z]:\/)/i, '$1/');
}

function mapTexts(definition: ServerDefinition, text: (path: JsonPath, value: string) => string): ServerDefinition {
	const map = <T extends string | null>(member: string, values: Readonly<Record<string, T>>): Record<string, T> => {
		const result: Record<string, T> = Object.create(null);
		for (const [name, value] of Object.entries(values)) {
			result[name] = (value === null ? value : text([member, name], value)) as T;
		}
		return result;
	};
	const list = (member: string, values: readonly string[]) =>
		values.map((value, index) => text([member, index], value));
	const roots = typeof definition.roots === 'string' ? definition.roots : list('roots', definition.roots);
	if (hasUrl(definition)) {
		const { url, headers, oauth } = definition;
		return {
			...definition,
			roots,
			url: text(['url'], url),
			headers: map('headers', headers),
			...(oauth && { oauth: mapOAuth(oauth, (path, value) => text(['oauth', ...path], value)) }),
		};
	}
	const { command, args, env, cwd, envFile } = definition;
	return {
		...definition,
		roots,
		command: text(['command'], command),
		args: list('args', args),
		env: map('env', env),
		...(cwd !== undefined && { cwd: text(['cwd'], cwd) }),
		...(envFile !== undefined && { envFile: text(['envFile'], envFile) }),
	};
}

function mapOAuth(oauth: OAuth, text: (path: JsonPath, value: string) => string): OAuth {
	const { clientId, clientMetadataUrl, scopes } = oauth;
	return {
		...oauth,
		...(clientId !== undefined && { clientId: text(['clientId'], clientId) }),
		...(clientMetadataUrl !== undefined && { clientMetadataUrl: text(['clientMetadataUrl'], clientMetadataUrl) }),
		...(scopes && { scopes: scopes.map((scope, index) => text(['scopes', index], scope)) }),
	};
}

function parse(expression: string): Omit<Reference, 'path'> {
	const colon = expression.indexOf(':');
	return colon < 0
		? { expression, name: expression, argument: undefined }
		: { expression, name: expression.slice(0, colon), argument: expression.slice(colon + 1) };
}

function lookUp(reference: Reference, source: VariableSource): string | Sentence {
	const { path, expression, name, argument } = reference;
	switch (name) {
		case 'workspaceFolder':
			return source.workspaceFolder(argument) ?? noFolder(expression);
		case 'workspaceFolderBasename':
			return lastOf(source.workspaceFolder(undefined)) ?? noFolder(expression);
		case 'fileWorkspaceFolder':
			return fileFolder(source) ?? noFolder(expression);
		case 'fileWorkspaceFolderBasename':
			return lastOf(fileFolder(source)) ?? noFolder(expression);
		case 'cwd':
			return source.workspaceFolder(undefined) ?? source.userHome();
		case 'execPath':
		case 'extensionInstallFolder':
			return (
				source.editor?.(name, argument) ??
				localizable('uses "${{0}}", but there is no such editor or extension here.', expression)
			);
		case 'userHome':
			return source.userHome();
		case 'pathSeparator':
		case '/':
			return source.pathSeparator();
		case 'env':
			return source.environment(argument ?? '', path) ?? notSet(expression);
		case 'config':
			return (
				source.configuration(argument ?? '', path) ??
				localizable('uses "${{0}}", but there is no such setting with a text value.', expression)
			);
		case 'input':
			return (
				source.input(argument ?? '', path) ??
				localizable('uses "${{0}}", but no input of that id is defined.', expression)
			);
		default:
			return source.shell ? fromShell(reference, source) : unknownVariable(expression);
	}
}

/** The folder of the definition, if no file is being edited. */
function fileFolder(source: VariableSource): string | undefined {
	return source.editor?.('fileWorkspaceFolder', undefined) ?? source.workspaceFolder(undefined);
}

function lastOf(path: string | undefined): string | undefined {
	return path?.split(/[\\/]/).findLast(Boolean);
}

function fromShell({ path, expression }: Reference, source: VariableSource): string | Sentence {
	const [, name, fallback] = SHELL.exec(expression) ?? [];
	return name === undefined
		? unknownVariable(expression)
		: // As in a shell, the text after `:-` also replaces an empty value.
			source.environment(name, path) || (fallback ?? source.environment(name, path) ?? notSet(expression));
}

function noFolder(expression: string): Sentence {
	return localizable('uses "${{0}}", but no such folder is open.', expression);
}

function notSet(expression: string): Sentence {
	return localizable('uses "${{0}}", but that environment variable is not set.', expression);
}

function unknownVariable(expression: string): Sentence {
	const { name } = parse(expression);
	if (name === 'command') {
		return localizable(
			'uses "${{0}}", which VS Code has, and which is not supported here. Define an input of the type "command".',
			expression,
		);
	}
	return EDITORS_OWN.has(name)
		? localizable('uses "${{0}}", which VS Code has, and which is not supported here.', expression)
		: localizable('uses the unknown variable "${{0}}".', expression);
}

import { homedir } from 'node:os';
import { isAbsolute, join, sep } from 'node:path';
import * as vscode from 'vscode';
import { type DefinitionProblem, readServers, type ServerDefinition } from '../config/definition.ts';
import { resolveVariables, type VariableSource } from '../config/variables.ts';
import { fullId, SECTION, type Settings } from './contributions.ts';

/** The value of a setting of this extension. */
export function setting<K extends keyof Settings>(key: K): Settings[K] {
	return vscode.workspace.getConfiguration(SECTION).get(key) as Settings[K];
}

/** Calls back when one of these settings has changed. */
export function onDidChangeSetting(keys: readonly (keyof Settings)[], listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration((event) => {
		if (keys.some((key) => event.affectsConfiguration(fullId(key)))) {
			listener();
		}
	});
}

/** Where a definition comes from. What a workspace brings along needs the person's consent before it runs. */
export interface Source {
	readonly kind: 'user' | 'workspace' | 'demo';
	/** Told apart in consents: the URI of the workspace file or folder. */
	readonly uri: string;
}

export interface ConfiguredServer {
	readonly name: string;
	readonly source: Source;
	/** Absent when the definition cannot be used. */
	readonly definition?: ServerDefinition;
	readonly problems: readonly DefinitionProblem[];
}

/** All servers of the settings. A name in several scopes: the narrower one counts, as for every setting. */
export function configuredServers(): ConfiguredServer[] {
	const byName = new Map<string, ConfiguredServer>();
	const add = (raw: unknown, source: Source, folder: vscode.WorkspaceFolder | undefined) => {
		for (const server of readScope(raw, source, folder)) {
			byName.set(server.name, server);
		}
	};
	const first = vscode.workspace.workspaceFolders?.[0];
	const inspected = vscode.workspace.getConfiguration(SECTION).inspect('servers');
	add(inspected?.globalValue, { kind: 'user', uri: 'user' }, first);
	const workspace = vscode.workspace.workspaceFile ?? first?.uri;
	add(inspected?.workspaceValue, { kind: 'workspace', uri: String(workspace) }, first);
	for (const folder of vscode.workspace.workspaceFile ? (vscode.workspace.workspaceFolders ?? []) : []) {
		const inFolder = vscode.workspace.getConfiguration(SECTION, folder.uri).inspect('servers')?.workspaceFolderValue;
		add(inFolder, { kind: 'workspace', uri: String(folder.uri) }, folder);
	}
	return [...byName.values()];
}

function readScope(raw: unknown, source: Source, folder: vscode.WorkspaceFolder | undefined): ConfiguredServer[] {
	const { servers, problems } = readServers(raw);
	const variables = variableSource(folder);
	const broken = [...new Set(problems.map(({ server }) => server))].map((name) => ({
		name,
		source,
		problems: problems.filter(({ server }) => server === name),
	}));
	const usable = servers.map((server) => {
		const resolved = resolveVariables(server, variables);
		return resolved.problems.length > 0
			? { name: server.name, source, problems: resolved.problems }
			: { name: server.name, source, problems: [], definition: inFolder(resolved.definition, folder) };
	});
	return [...usable, ...broken];
}

/** A program runs in its workspace folder, and a relative `cwd` is relative to it. */
function inFolder(definition: ServerDefinition, folder: vscode.WorkspaceFolder | undefined): ServerDefinition {
	if (definition.type !== 'stdio') {
		return definition;
	}
	const base = folder?.uri.scheme === 'file' ? folder.uri.fsPath : homedir();
	const { cwd } = definition;
	return { ...definition, cwd: cwd === undefined ? base : isAbsolute(cwd) ? cwd : join(base, cwd) };
}

function variableSource(folder: vscode.WorkspaceFolder | undefined): VariableSource {
	return {
		workspaceFolder: (name) =>
			(name === undefined ? folder : vscode.workspace.workspaceFolders?.find((candidate) => candidate.name === name))
				?.uri.fsPath,
		userHome: homedir,
		pathSeparator: () => sep,
		environment: (name) => process.env[name],
		configuration: (key) => {
			const value = vscode.workspace.getConfiguration(undefined, folder?.uri).get<unknown>(key);
			return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
				? String(value)
				: undefined;
		},
	};
}

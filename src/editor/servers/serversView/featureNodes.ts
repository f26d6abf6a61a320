import * as vscode from 'vscode';
import { type NativeText, native, together } from '../../../elicitation/display.ts';
import { keyOf } from '../../../elicitation/json.ts';
import type { Connection } from '../../../mcp/index.ts';
import { fullId } from '../../common/contributions.ts';
import { featureDescription, featureName } from '../../common/descriptions.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { type NativeTreeItem, treeItem } from '../../common/surfaces.ts';

/** What a row stands for. Commands get it as their argument when they are run from the view. */
export type FeatureTarget = { readonly server: string } & (
	| { readonly kind: 'tool'; readonly tool: string }
	| { readonly kind: 'prompt'; readonly prompt: string }
	| { readonly kind: 'resource'; readonly uri: string }
	| { readonly kind: 'template'; readonly uriTemplate: string }
);

/** What a server has listed. */
export type Listed = Pick<Connection, 'name' | 'tools' | 'prompts' | 'resources' | 'resourceTemplates'>;

/** A server feature. */
export type FeatureNode = FeatureTarget & { readonly item: NativeTreeItem };

const GROUPS = ['tools', 'prompts', 'resources'] as const;

/** A group of server features of one kind. */
export interface GroupNode {
	readonly kind: 'group';
	readonly server: string;
	readonly group: (typeof GROUPS)[number];
	readonly item: NativeTreeItem;
}

/** Child nodes of a server: its tools, or groups if it has more than tools. */
export function featureNodes(connection: Listed): (FeatureNode | GroupNode)[] {
	const groups = GROUPS.filter((group) => countOf(connection, group) > 0);
	return groups.every((group) => group === 'tools')
		? groupMembers(connection, 'tools')
		: groups.map((group) => ({ kind: 'group', server: connection.name, group, item: groupItem(connection, group) }));
}

export function groupMembers(connection: Listed, group: GroupNode['group']): FeatureNode[] {
	const server = connection.name;
	switch (group) {
		case 'tools':
			return connection.tools.map((tool) => node({ kind: 'tool', server, tool: tool.name }, 'tools', tool));
		case 'prompts':
			return connection.prompts.map((prompt) =>
				node({ kind: 'prompt', server, prompt: prompt.name }, 'comment', prompt),
			);
		case 'resources':
			return [
				...connection.resources.map((resource) =>
					node({ kind: 'resource', server, uri: resource.uri }, 'file', resource, resource.uri),
				),
				...connection.resourceTemplates.map((template) => {
					const { uriTemplate } = template;
					return node({ kind: 'template', server, uriTemplate }, 'file-symlink-file', template, uriTemplate);
				}),
			];
	}
}

function groupItem(connection: Listed, group: GroupNode['group']): NativeTreeItem {
	const count = countOf(connection, group);
	const label = {
		tools: () => localizeNative('Tools ({0})', count),
		prompts: () => localizeNative('Prompts ({0})', count),
		resources: () => localizeNative('Resources ({0})', count),
	}[group]();
	const item = treeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
	item.id = `group:${keyOf(connection.name, group)}`;
	return item;
}

/** Number of features of each kind, for the tooltip: one line per kind. */
export function featureCounts({ tools, prompts, resources, resourceTemplates }: Listed): NativeText[] {
	return [
		localizeNative('Tools: {0}', tools.length),
		...(prompts.length > 0 ? [localizeNative('Prompts: {0}', prompts.length)] : []),
		...(resources.length > 0 ? [localizeNative('Resources: {0}', resources.length)] : []),
		...(resourceTemplates.length > 0 ? [localizeNative('Resource templates: {0}', resourceTemplates.length)] : []),
	];
}

function countOf(connection: Listed, group: GroupNode['group']): number {
	return group === 'resources'
		? connection.resources.length + connection.resourceTemplates.length
		: connection[group].length;
}

/** Lets a row do nothing while its server restarts. It stays where it is. */
export function disable(item: NativeTreeItem): void {
	delete item.command;
	item.tooltip = localize('Not available while the server restarts');
	if (item.iconPath instanceof vscode.ThemeIcon) {
		item.iconPath = new vscode.ThemeIcon(item.iconPath.id, new vscode.ThemeColor('disabledForeground'));
	}
}

interface ListedFeature {
	readonly name: string;
	readonly title?: string | undefined;
	readonly description?: string | undefined;
}

/**
 * The row of a feature. Enter and a click run it: VS Code reports both as the same event, and a row that does something
 * on one of them has to do it on both. Nothing is sent before the user has seen a form, unless a call takes no arguments.
 * The row has no id, because a server may list the same feature twice and VS Code rejects duplicate ids.
 * @param address the server's identifier of the feature, if it is not the name
 */
function node(target: FeatureTarget, icon: string, feature: ListedFeature, address = feature.name): FeatureNode {
	const { name } = feature;
	const description = featureDescription(feature);
	const title = featureName(feature);
	const item = treeItem(native(title, 100));
	item.accessibilityInformation = { label: native(`${title}, ${description}`, 300) };
	item.iconPath = new vscode.ThemeIcon(icon);
	// Its calls go by its name, everywhere else: what they are to be known by stands beside the title.
	const known = title === name || address !== name ? [] : [name];
	item.description = native(
		[...known, description || (address === name ? '' : address)].filter(Boolean).join(' · '),
		200,
	);
	item.tooltip = together([native(address), native(description, 2000)], '\n');
	item.command = { ...commandOf(target), arguments: [target] };
	return { ...target, item };
}

function commandOf({ kind }: FeatureTarget): vscode.Command {
	switch (kind) {
		case 'tool':
			return { command: fullId('callTool'), title: localize('Call Tool') };
		case 'prompt':
			return { command: fullId('getPrompt'), title: localize('Get Prompt') };
		default:
			return { command: fullId('readResource'), title: localize('Read Resource') };
	}
}

import * as vscode from 'vscode';
import { native } from '../../../elicitation/display.ts';
import { keyOf } from '../../../elicitation/json.ts';
import type { Connection } from '../../../mcp/index.ts';
import { localize, localizeNative } from '../../common/localize.ts';

/** A server feature. Commands get it as their argument when they are run from the view. */
export type FeatureNode = { readonly server: string; readonly item: vscode.TreeItem } & (
	| { readonly kind: 'tool'; readonly tool: string }
	| { readonly kind: 'prompt'; readonly prompt: string }
	| { readonly kind: 'resource'; readonly uri: string }
	| { readonly kind: 'template'; readonly uriTemplate: string }
);

const GROUPS = ['tools', 'prompts', 'resources'] as const;

/** A group of server features of one kind. */
export interface GroupNode {
	readonly kind: 'group';
	readonly server: string;
	readonly group: (typeof GROUPS)[number];
	readonly item: vscode.TreeItem;
}

/** Child nodes of a server: its tools, or groups if it has more than tools. */
export function featureNodes(connection: Connection): (FeatureNode | GroupNode)[] {
	const groups = GROUPS.filter((group) => countOf(connection, group) > 0);
	return groups.every((group) => group === 'tools')
		? groupMembers(connection, 'tools')
		: groups.map((group) => ({ kind: 'group', server: connection.name, group, item: groupItem(connection, group) }));
}

export function groupMembers(connection: Connection, group: GroupNode['group']): FeatureNode[] {
	const server = connection.name;
	switch (group) {
		case 'tools':
			return connection.tools.map((tool) => ({
				kind: 'tool',
				server,
				tool: tool.name,
				item: item('tool', 'tools', tool),
			}));
		case 'prompts':
			return connection.prompts.map((prompt) => ({
				kind: 'prompt',
				server,
				prompt: prompt.name,
				item: item('prompt', 'comment', prompt),
			}));
		case 'resources':
			return [
				...connection.resources.map(
					(resource): FeatureNode => ({
						kind: 'resource',
						server,
						uri: resource.uri,
						item: item('resource', 'file', resource, resource.uri),
					}),
				),
				...connection.resourceTemplates.map(
					(template): FeatureNode => ({
						kind: 'template',
						server,
						uriTemplate: template.uriTemplate,
						item: item('resource', 'file-symlink-file', template, template.uriTemplate),
					}),
				),
			];
	}
}

function groupItem(connection: Connection, group: GroupNode['group']): vscode.TreeItem {
	const count = countOf(connection, group);
	const label = {
		tools: () => localize('Tools ({0})', count),
		prompts: () => localize('Prompts ({0})', count),
		resources: () => localize('Resources ({0})', count),
	}[group]();
	const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
	item.id = `group:${keyOf(connection.name, group)}`;
	item.contextValue = 'group';
	return item;
}

/** Number of features of each kind, for the tooltip: one line per kind. */
export function featureCounts({ tools, prompts, resources, resourceTemplates }: Connection): string[] {
	return [
		localizeNative('Tools: {0}', tools.length),
		...(prompts.length > 0 ? [localizeNative('Prompts: {0}', prompts.length)] : []),
		...(resources.length > 0 ? [localizeNative('Resources: {0}', resources.length)] : []),
		...(resourceTemplates.length > 0 ? [localizeNative('Resource templates: {0}', resourceTemplates.length)] : []),
	];
}

function countOf(connection: Connection, group: GroupNode['group']): number {
	return group === 'resources'
		? connection.resources.length + connection.resourceTemplates.length
		: connection[group].length;
}

interface ListedFeature {
	readonly name: string;
	readonly title?: string | undefined;
	readonly description?: string | undefined;
}

/**
 * Without an id, because a server may list the same feature twice and VS Code rejects duplicate ids.
 * @param address the server's identifier of the feature, if it is not the name
 */
function item(
	contextValue: 'tool' | 'prompt' | 'resource',
	icon: string,
	feature: ListedFeature,
	address = feature.name,
): vscode.TreeItem {
	const { name, title = name, description = '' } = feature;
	const shown = new vscode.TreeItem(native(title, 100));
	shown.accessibilityInformation = { label: native(`${title}, ${description}`, 300) };
	shown.iconPath = new vscode.ThemeIcon(icon);
	shown.description = native(description || (address === name ? '' : address), 200);
	shown.contextValue = contextValue;
	shown.tooltip = [native(address), native(description, 2000)].filter(Boolean).join('\n');
	return shown;
}

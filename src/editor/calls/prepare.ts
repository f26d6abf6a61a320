import * as vscode from 'vscode';
import type { CallRequest } from '../../elicitation/call.ts';
import { type NativeText, native } from '../../elicitation/display.ts';
import { type JsonObject, own, plainObject } from '../../elicitation/json.ts';
import type { Connection, PromptInfo, ResourceInfo, ResourceTemplate, ToolInfo } from '../../mcp/index.ts';
import { featureDescription, featureName } from '../common/descriptions.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { notify } from '../common/notifications.ts';
import { type NativeItem, showQuickPick } from '../common/surfaces.ts';
import type { CallSubject } from './callSubject.ts';

/** Asks for the arguments in a form, which `values` fill in; undefined if the user cancelled. */
export type AskArguments = (
	server: string,
	subject: CallSubject,
	values?: JsonObject,
) => Promise<JsonObject | undefined>;

/**
 * Prepares a call for the user: prompts for its target, unless `wanted` names it, and for its arguments. Undefined if
 * the user cancelled or the server has nothing of this kind.
 * @param recent names of tools that the user called last, which come first
 */
export type Prepare = (
	connection: Connection,
	wanted: unknown,
	ask: AskArguments,
	recent: readonly string[],
) => Promise<CallRequest | undefined>;

/* What is called, by kind. */

export const toolCall = (name: string, args: JsonObject): CallRequest => ({ kind: 'tool', name, args });
export const promptCall = (name: string, args: JsonObject): CallRequest => ({ kind: 'prompt', name, args });
export const resourceCall = (uri: string): CallRequest => ({ kind: 'resource', name: uri, args: {} });

/** A call of anything that the server has: the tools that were called last, its tools, prompts and resources. */
export const prepareAny: Prepare = async (connection, wanted, ask, recent) => {
	const [, prepare] = FEATURES.find(([member]) => own(wanted, member) !== undefined) ?? [];
	if (prepare || typeof wanted === 'string') {
		return (prepare ?? prepareTool)(connection, wanted, ask, recent);
	}
	const items = featureItems(connection, recent);
	const chosen = await choose(items, localizeNative('Choose what to call on {0}', connection.name), () =>
		localizeNative('{0}: The server has no tools.', connection.name),
	);
	return chosen && prepareAny(connection, chosen, ask, recent);
};

/** The rows of what a server has, each with what `Prepare` takes. */
export function featureItems(
	{ tools, prompts, resources, resourceTemplates }: Connection,
	recent: readonly string[],
): Item<FeatureName>[] {
	const called = recent.flatMap((each) => tools.find((tool) => tool.name === each) ?? []);
	const others = tools.filter((tool) => !called.includes(tool)).map(itemOfTool);
	const onlyTools = called.length + prompts.length + resources.length + resourceTemplates.length === 0;
	return [
		...withSeparator(localize('Recently Called'), called.map(itemOfTool)),
		...(onlyTools ? others : withSeparator(localize('Tools'), others)),
		...withSeparator(
			localize('Prompts'),
			prompts.map((each) => ({ ...toolItem(each), value: { prompt: each.name } })),
		),
		...withSeparator(
			localize('Resources'),
			resources.map((each) => ({ ...resourceItem(each), value: { uri: each.uri } })),
		),
		...withSeparator(
			localize('Resource Templates'),
			resourceTemplates.map((each) => ({ ...resourceItem(each), value: { uriTemplate: each.uriTemplate } })),
		),
	];
}

const itemOfTool = (tool: ToolInfo) => ({ ...toolItem(tool), value: { tool: tool.name } });

/** Names one feature of a server. */
export type FeatureName =
	| { readonly tool: string }
	| { readonly prompt: string }
	| { readonly uri: string }
	| { readonly uriTemplate: string };

const prepareTool: Prepare = async (connection, wanted, ask) => {
	const server = connection.name;
	const name = typeof wanted === 'string' ? wanted : own(wanted, 'tool');
	const found =
		connection.tools.find((each) => each.name === name) ??
		showMissing(localizeNative('{0}: There is no tool "{1}".', server, String(name)));
	const args = found && (await ask(server, { ...found, kind: 'tool', description: featureDescription(found) }));
	return args && toolCall(found.name, args);
};

export const preparePrompt: Prepare = async (connection, wanted, ask) => {
	const server = connection.name;
	const name = typeof wanted === 'string' ? wanted : own(wanted, 'prompt');
	const found =
		typeof name === 'string'
			? (connection.prompts.find((each) => each.name === name) ??
				showMissing(localizeNative('{0}: There is no prompt "{1}".', server, name)))
			: await choose(connection.prompts.map(toolItem), localizeNative('Choose a prompt of {0}', server), () =>
					localizeNative('{0}: The server has no prompts.', server),
				);
	const args =
		found &&
		(await ask(server, {
			kind: 'prompt',
			name: found.name,
			description: featureDescription(found),
			inputSchema: stringsSchema(found.arguments ?? []),
			suggest: (...of) => connection.suggest('prompt', found.name, ...of),
		}));
	return args && promptCall(found.name, args);
};

export const prepareResource: Prepare = async (connection, wanted, ask) => {
	const server = connection.name;
	const uri = typeof wanted === 'string' ? wanted : own(wanted, 'uri');
	if (typeof uri === 'string') {
		return resourceCall(uri);
	}
	const { resources, resourceTemplates } = connection;
	const uriTemplate = own(wanted, 'uriTemplate');
	const found =
		typeof uriTemplate === 'string'
			? (resourceTemplates.find((each) => each.uriTemplate === uriTemplate) ??
				showMissing(localizeNative('{0}: There is no resource "{1}".', server, uriTemplate)))
			: await choose<ResourceInfo | ResourceTemplate>(
					[
						...withSeparator(localize('Resources'), resources.map(resourceItem)),
						...withSeparator(localize('Resource Templates'), resourceTemplates.map(resourceItem)),
					],
					localizeNative('Choose a resource of {0}', server),
					() => localizeNative('{0}: The server has no resources.', server),
				);
	if (!found || 'uri' in found) {
		return found && resourceCall(found.uri);
	}
	const values = await ask(server, {
		kind: 'resource',
		name: found.uriTemplate,
		description: featureDescription(found),
		inputSchema: stringsSchema(found.variables),
		suggest: (...of) => connection.suggest('resource', found.uriTemplate, ...of),
	});
	return values && resourceCall(found.expand(values));
};

const FEATURES: readonly (readonly [member: string, Prepare])[] = [
	['tool', prepareTool],
	['prompt', preparePrompt],
	['uri', prepareResource],
	['uriTemplate', prepareResource],
];

interface Item<T> extends NativeItem {
	/** Absent for a separator. */
	readonly value?: T;
}

async function choose<T>(
	items: readonly Item<T>[],
	placeHolder: NativeText,
	nothing: () => NativeText,
): Promise<T | undefined> {
	if (items.length === 0) {
		void notify('information', nothing());
		return undefined;
	}
	// Opens after the server has started. VS Code may open other views late, and they must not close it.
	const options = { placeHolder, matchOnDescription: true, matchOnDetail: true, ignoreFocusOut: true };
	return (await showQuickPick(items, options))?.value;
}

function showMissing(text: NativeText): undefined {
	void notify('error', text);
}

export function toolItem<T extends Pick<ToolInfo | PromptInfo, 'name' | 'title' | 'description'>>(value: T): Item<T> {
	const shown = featureName(value);
	return {
		label: native(shown, 100),
		description: native(shown === value.name ? '' : value.name, 100),
		detail: native(featureDescription(value), 200),
		value,
	};
}

function resourceItem<T extends ResourceInfo | ResourceTemplate>(value: T): Item<T> {
	return {
		label: native(featureName(value), 100),
		description: native('uri' in value ? value.uri : value.uriTemplate, 200),
		detail: native(featureDescription(value), 200),
		value,
	};
}

/** A group of a list, unless it is empty. */
export function withSeparator<T>(label: NativeText, items: readonly Item<T>[]): Item<T>[] {
	return items.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
}

interface StringArgument {
	readonly name: string;
	readonly title?: string | undefined;
	readonly description?: string | undefined;
	readonly required?: boolean | undefined;
}

/** Schema of a form for prompt arguments or URI template variables. The protocol only has strings here. */
function stringsSchema(strings: readonly StringArgument[]): JsonObject {
	return {
		type: 'object',
		properties: plainObject(
			strings.map(({ name, title, description }) => [
				name,
				{ type: 'string', ...(title !== undefined && { title }), ...(description !== undefined && { description }) },
			]),
		),
		required: strings.filter(({ required }) => required === true).map(({ name }) => name),
	};
}

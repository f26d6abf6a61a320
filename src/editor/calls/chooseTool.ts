import { native, together } from '../../elicitation/display.ts';
import { stateText } from '../common/descriptions.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { showQuickPick } from '../common/surfaces.ts';
import { isCallable, type ServerEntry, type Servers } from '../servers/servers.ts';
import { toolItem, withSeparator } from './prepare.ts';
import type { RecentCall } from './recentCalls.ts';

/** A tool of a server; without a name if the user chose to start the server first. */
export interface ToolChoice {
	readonly server: string;
	readonly tool?: string;
}

/** True if there is more to choose from than the tools of one server. */
export function isListable(entries: readonly ServerEntry[], recent: readonly RecentCall[]): boolean {
	const callable = entries.filter(isCallable);
	return (
		callable.length > 1 && (callable.some(({ state }) => state === 'running') || known(callable, recent).length > 0)
	);
}

/** One list of the tools of all servers: those that were called last, those of running servers, and servers to start. */
export async function chooseTool({ entries }: Servers, recent: readonly RecentCall[]): Promise<ToolChoice | undefined> {
	const callable = entries.filter(isCallable);
	const called = known(callable, recent);
	const tools = callable.flatMap(({ configured: { name }, connection, state }) => {
		const others = connection?.tools.filter(
			(tool) => !called.some((choice) => choice.server === name && choice.tool === tool.name),
		);
		return state === 'running' && others
			? withSeparator(
					native(name),
					others.map((tool) => itemOf({ server: name, tool: tool.name }, callable)),
				)
			: [];
	});
	const stopped = callable
		.filter(({ state }) => state !== 'running')
		.map(({ configured: { name }, state }) => ({
			label: localizeNative('Start {0}', name),
			description: native(stateText(state)),
			value: { server: name },
		}));
	const items = [
		...withSeparator(
			localize('Recently Called'),
			called.map((choice) => itemOf(choice, callable)),
		),
		...tools,
		...withSeparator(localize('Not Running'), stopped),
	];
	const options = { matchOnDescription: true, matchOnDetail: true, ignoreFocusOut: true };
	return (await showQuickPick(items, { ...options, placeHolder: localize('Choose a tool') }))?.value;
}

/** The tools that may still exist: the tools of a server are known only while it runs. */
function known(callable: readonly ServerEntry[], recent: readonly RecentCall[]): (ToolChoice & { tool: string })[] {
	return recent
		.filter(({ server, tool }) => {
			const entry = callable.find(({ configured }) => configured.name === server);
			return entry && (entry.state !== 'running' || entry.connection?.tools.some(({ name }) => name === tool));
		})
		.map(({ server, tool }) => ({ server, tool }));
}

function itemOf(value: ToolChoice & { tool: string }, callable: readonly ServerEntry[]) {
	const { server, tool } = value;
	const entry = callable.find(({ configured }) => configured.name === server);
	const found = entry?.connection?.tools.find(({ name }) => name === tool);
	const item = toolItem(found ?? { name: tool });
	// The name of the server comes first, so that it can be searched for.
	return { ...item, description: together([native(server), item.description], ' · '), value };
}

import { native, together } from '../../elicitation/display.ts';
import { own } from '../../elicitation/json.ts';
import { stateText } from '../common/descriptions.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { isCallable, type ServerEntry } from '../common/serverEntry.ts';
import { type NativeItem, showQuickPick } from '../common/surfaces.ts';
import type { Servers } from '../servers/servers.ts';
import { type FeatureName, featureItems, toolItem, withSeparator } from './prepare.ts';
import type { RecentCall } from './recentCalls.ts';

/** A feature of a server; no feature if the user chose to start the server first. */
export interface FeatureChoice {
	readonly server: string;
	readonly feature?: FeatureName;
}

/** True if there is more to choose from than the tools of one server. */
export function isListable(entries: readonly ServerEntry[], recent: readonly RecentCall[]): boolean {
	const callable = entries.filter(isCallable);
	return (
		callable.length > 1 && (callable.some(({ state }) => state === 'running') || known(callable, recent).length > 0)
	);
}

/** One list of all servers: the tools that were called last, what running servers have, and servers to start. */
export async function chooseFeature(
	{ entries }: Servers,
	recent: readonly RecentCall[],
): Promise<FeatureChoice | undefined> {
	const callable = entries.filter(isCallable);
	const called = known(callable, recent);
	const features = callable.flatMap(({ configured: { name: server }, connection, state }) => {
		const isNew = (feature: FeatureName | undefined) =>
			!('tool' in (feature ?? {})) ||
			!called.some((each) => each.server === server && each.tool === own(feature, 'tool'));
		const items = connection && state === 'running' ? featureItems(connection, []) : [];
		return withSeparator(
			native(server),
			items.flatMap(({ value: feature, ...item }) =>
				feature && isNew(feature) ? [{ ...namedAfter(server, item), value: { server, feature } }] : [],
			),
		);
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
		...features,
		...withSeparator(localize('Not Running'), stopped),
	];
	const options = { matchOnDescription: true, matchOnDetail: true, ignoreFocusOut: true };
	return (await showQuickPick(items, { ...options, placeHolder: localize('Choose what to call') }))?.value;
}

interface CalledTool {
	readonly server: string;
	readonly tool: string;
}

/** The tools that may still exist: the tools of a server are known only while it runs. */
function known(callable: readonly ServerEntry[], recent: readonly RecentCall[]): CalledTool[] {
	return recent
		.filter(({ server, tool }) => {
			const entry = callable.find(({ configured }) => configured.name === server);
			return entry && (entry.state !== 'running' || entry.connection?.tools.some(({ name }) => name === tool));
		})
		.map(({ server, tool }) => ({ server, tool }));
}

function itemOf({ server, tool }: CalledTool, callable: readonly ServerEntry[]) {
	const entry = callable.find(({ configured }) => configured.name === server);
	const found = entry?.connection?.tools.find(({ name }) => name === tool);
	return { ...namedAfter(server, toolItem(found ?? { name: tool })), value: { server, feature: { tool } } };
}

/** The name of the server comes first, so that it can be searched for. */
function namedAfter<T extends NativeItem>(server: string, item: T): T {
	return { ...item, description: together([native(server), item.description], ' · ') };
}

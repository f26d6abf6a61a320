/** Every id that the manifest contributes, typed so that none is misspelt or forgotten; a test compares both. */

export const commandIds = [
	'addServer',
	'startServer',
	'stopServer',
	'restartServer',
	'showServerLog',
	'resetServerTrust',
	'startDemo',
	'callTool',
	'cancelCall',
	'showPending',
	'openElicitation',
	'reopenUrl',
	'copyUrl',
	'retryCall',
	'declineElicitation',
	'cancelElicitation',
	'showTimeline',
	'exportTimeline',
	'clearTimeline',
	'openMessage',
] as const;

export type CommandId = (typeof commandIds)[number];

export const viewIds = ['servers', 'pending', 'timeline'] as const;

export type ViewId = (typeof viewIds)[number];

/** The settings that the extension reads, with their types. */
export interface Settings {
	servers: unknown;
	autoStart: boolean;
	'form.presentation': 'auto' | 'webview' | 'quickPick';
	'form.reveal': 'focus' | 'background' | 'notify';
	'url.allowInsecure': 'never' | 'loopback' | 'always';
	callTimeout: number;
	'trace.maxMessages': number;
}

export const settingIds: readonly (keyof Settings)[] = [
	'servers',
	'autoStart',
	'form.presentation',
	'form.reveal',
	'url.allowInsecure',
	'callTimeout',
	'trace.maxMessages',
];

/** The prefix of every contributed id. */
export const SECTION = 'mcpElicitation';

export function fullId<T extends CommandId | ViewId | keyof Settings>(id: T): `mcpElicitation.${T}` {
	return `${SECTION}.${id}`;
}

import type { TaskMode } from '../../config/capabilities.ts';
import type { InsecureUrls } from '../../elicitation/url/urlSafety.ts';
import type { CommandId, ViewId } from './commandTable.ts';

/** Settings that the extension reads, with their types. A test compares them with package.json. */
export interface Settings {
	servers: unknown;
	inputs: unknown;
	discoverMcpJson: boolean;
	autoStart: boolean;
	'form.presentation': 'auto' | 'webview' | 'quickPick';
	'form.reveal': 'auto' | 'focus' | 'background' | 'notify';
	'url.allowInsecure': InsecureUrls;
	'rateLimit.perMinute': number;
	callTimeout: number;
	tasks: TaskMode;
	answers: unknown;
	'trace.maxMessages': number;
	checkSchemas: boolean;
	agentBridge: unknown;
}

/** Language model tools. */
export const languageModelToolIds = ['listTools', 'callTool'] as const;

export type LanguageModelToolId = (typeof languageModelToolIds)[number];

/** Context keys besides those of the commands in the palette; conditions use them as `mcpElicitation.<name>`. */
export const contextKeys = [
	'callable',
	'settled',
	'recorded',
	'demoStarted',
	'defined',
	'formAnswered',
	'urlOpened',
	'taskCompleted',
] as const;

export type ContextKey = (typeof contextKeys)[number];

/** Prefix of all contributed ids. */
export const SECTION = 'mcpElicitation';

/** The command, of our own only, that shows a server in its view and selects it. Its argument is the name. */
export const REVEAL_SERVER = `${SECTION}.revealServer`;

export function fullId<T extends CommandId | ViewId | keyof Settings>(id: T): `mcpElicitation.${T}` {
	return `${SECTION}.${id}`;
}

/** Tool names cannot contain dots. */
export function languageModelToolName<T extends LanguageModelToolId>(id: T): `mcpElicitation_${T}` {
	return `${SECTION}_${id}`;
}

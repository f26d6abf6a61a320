import type { TaskMode } from '../../config/capabilities.ts';
import type { InsecureUrls } from '../../elicitation/url/urlSafety.ts';

/** Commands for server authors. */
export const debuggingCommands = [
	'replayCall',
	'compareRuns',
	'forceAnswer',
	'runActionMatrix',
	'runBoundaryValues',
	'exportTest',
	'checkSchema',
	'previewForm',
	'checkSchemaAs',
	'previewFormAs',
	'runAs',
	'runPatience',
	'runDeterminism',
	'testProtocol',
	'debugServer',
] as const;

/** All command ids of package.json, typed. A test compares both. */
export const commandIds = [
	'addServer',
	'startServer',
	'stopServer',
	'restartServer',
	'showServerLog',
	'signOut',
	'showDefinition',
	'editInputs',
	'resetServerTrust',
	'resetTrust',
	'copyName',
	'copyUri',
	'showSchema',
	'startDemo',
	'callTool',
	'getPrompt',
	'readResource',
	'callAgain',
	'editArguments',
	'cancelCall',
	'resumeCall',
	'discardCall',
	'showPending',
	'openElicitation',
	'reopenUrl',
	'copyUrl',
	'retryCall',
	'declineElicitation',
	'cancelElicitation',
	'sendAgain',
	'dismissUndelivered',
	'continueCall',
	'stopCall',
	'reviewHeld',
	'declineHeld',
	'declineAll',
	'showTimeline',
	'exportTimeline',
	'clearTimeline',
	'openRecording',
	'serveRecording',
	'openMessage',
	'saveAnswerAsScript',
	'toggleScripts',
	'showAnswerers',
	...debuggingCommands,
] as const;

export type DebuggingCommand = (typeof debuggingCommands)[number];

export type CommandId = (typeof commandIds)[number];

export const viewIds = ['servers', 'pending', 'timeline'] as const;

export type ViewId = (typeof viewIds)[number];

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

/** Context keys; menus use them as `mcpElicitation.<name>`. */
export const contextKeys = [
	'servers',
	'callable',
	'stopped',
	'started',
	'restartable',
	'settled',
	'defined',
	'demoStarted',
	'remote',
	'inputs',
	'undecided',
	'live',
	'urls',
	'retryable',
	'undelivered',
	'atRoundLimit',
	'heldBack',
	'calling',
	'waiting',
	'called',
	'exportable',
	'asked',
	'answered',
	'formAnswered',
	'urlOpened',
	'taskCompleted',
	'recorded',
] as const;

export type ContextKey = (typeof contextKeys)[number];

/** Scheme of the documents in which responses are edited. */
export const RESPONSE_SCHEME = 'mcp-elicitation-answer';

/** Prefix of all contributed ids. */
export const SECTION = 'mcpElicitation';

export function fullId<T extends CommandId | ViewId | keyof Settings>(id: T): `mcpElicitation.${T}` {
	return `${SECTION}.${id}`;
}

/** Tool names cannot contain dots. */
export function languageModelToolName<T extends LanguageModelToolId>(id: T): `mcpElicitation_${T}` {
	return `${SECTION}_${id}`;
}

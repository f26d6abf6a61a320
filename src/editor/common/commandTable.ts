import { hasUrl } from '../../config/definition.ts';
import { isEntered } from '../../config/inputs.ts';
import type { Call, RoundLimit } from '../../elicitation/call.ts';
import type { WaitingCall } from '../../elicitation/checkpoint.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { isCallable, isDisabled, type ServerEntry } from './serverEntry.ts';

export const viewIds = ['servers', 'pending', 'timeline'] as const;

export type ViewId = (typeof viewIds)[number];

/** A tool, prompt or resource of a server; without a name the server, one of whose features is chosen then. */
export interface FeatureSubject {
	readonly server: string;
	/** Name or URI. */
	readonly name?: string;
}

/** What commands act on. A row of a view stands for one of each kind at most, and an argument of a command for several. */
export interface Subjects {
	readonly server: ServerEntry;
	/** A server that the user has agreed to start. */
	readonly trusted: ServerEntry;
	readonly tool: FeatureSubject;
	readonly prompt: FeatureSubject;
	readonly resource: FeatureSubject;
	/** What a row identifies, as text. */
	readonly text: string;
	readonly call: Call;
	readonly elicitation: Elicitation;
	/** A server with requests that nobody has decided. */
	readonly asking: string;
	/** A server with requests over the rate limit. */
	readonly heldBack: string;
	readonly roundLimit: RoundLimit;
	readonly waiting: WaitingCall;
}

export type SubjectKind = keyof Subjects;

/**
 * The groups of menus, in their order: what goes on with it, what ends it, what is made of it, what tries a server out, what is
 * asked, what there is to know, who has access, what is copied.
 */
type Group = '1_act' | '2_end' | '3_keep' | '4_try' | '5_schema' | '6_about' | '7_access' | '9_copy';

/** A command, from which its entries in package.json are made (`npm run check -- --update`). */
export interface Command<K extends SubjectKind | undefined = SubjectKind | undefined> {
	/** Name of a codicon. */
	readonly icon: string;
	/** Whether it needs a trusted workspace. */
	readonly trusted?: true;
	/** What it acts on. */
	readonly on: K;
	/** Whether it applies to something of that kind. */
	applies(subject: never): boolean;
	/** What the user is told if there is nothing that it applies to. */
	readonly nothing?: Sentence;
	/** What comes first in a list of what it applies to. */
	first?(subject: never): boolean;
	/** Whether it applies to what a recording contains, too. Without a server, most do not. */
	readonly recorded?: true;
	/**
	 * When the Command Palette lists it: whenever it applies to something, always, or under a condition besides. Others
	 * are on the rows of views.
	 */
	readonly palette?: true | 'always' | `|| ${string}` | `if ${string}`;
	/** Its group in the menus of rows, and its place in that. All menus have one order, whatever they belong to. */
	readonly place?: `${Group}@${number}`;
	/** Where rows offer it: those of these views, also as a button with this place among the others. */
	readonly rows?: Partial<Record<ViewId, 'menu' | number>>;
	/** Its places in other menus: the menu, the condition, the group. */
	readonly menus?: readonly (readonly [menu: string, when: string, group: string])[];
}

type Rest<K extends SubjectKind | undefined> = Omit<Command<K>, 'icon' | 'on' | 'applies'>;

function on<K extends SubjectKind>(
	kind: K,
	icon: string,
	applies: (subject: Subjects[K]) => boolean,
	rest: Rest<K>,
): Command<K> {
	return { icon, on: kind, applies, ...rest };
}

/** A command that acts on nothing in particular. */
function plain(icon: string, rest: Rest<undefined>): Command<undefined> {
	return { icon, on: undefined, applies: () => false, ...rest };
}

const any = () => true;
const isOver = ({ state }: ServerEntry) => state === 'stopped' || state === 'failed';
/** A server that runs can lack a sign-in for its lists. Of one without a valid definition, the start says what is wrong. */
const canStart = (entry: ServerEntry) =>
	(isOver(entry) || entry.failure?.signIn === true) && !isDisabled(entry.configured);
const hasAccount = (entry: ServerEntry) => {
	const { definition } = entry.configured;
	return isCallable(entry) && definition !== undefined && hasUrl(definition);
};
const hasEnded = ({ state }: Call) => state !== 'running';
const isAccepted = ({ response }: Elicitation) => response?.action === 'accept';
const isUrl = ({ request }: Elicitation) => request.mode === 'url';

/** Whether the call that a URL belongs to can be made again without waiting for its completion. */
export function canRetry({ state, origin }: Elicitation): boolean {
	return state === 'opened' && origin.intake !== 'request';
}

const inView = (view: ViewId, more = '') => `view == mcpElicitation.${view}${more}`;
const CALLABLE = 'mcpElicitation.callable';
const RECORDED = 'mcpElicitation.recorded';
const JSONL = 'resourceExtname == .jsonl';
const JSON_FILE = '|| resourceLangId =~ /^jsonc?$/';
const NO_SERVER = localizable('No server is in a suitable state.');
const NO_CALL = localizable('No call has ended yet.');
const NO_SCHEMA = localizable(
	'There is no schema here. Open a JSON file with one, or call a tool that requests input.',
);
const NO_ELICITATION = localizable('No elicitation is waiting for this.');

/** All commands, with what they act on and where they are offered. Their titles stand in package.nls.json. */
export const COMMANDS = {
	addServer: plain('add', { palette: 'always', menus: [['view/title', inView('servers'), 'navigation@1']] }),
	startDemo: plain('beaker', {
		trusted: true,
		palette: 'always',
		menus: [['view/title', inView('servers'), '1_demo']],
	}),
	startServer: on('server', 'play', canStart, {
		trusted: true,
		nothing: NO_SERVER,
		palette: true,
		place: '1_act@1',
		rows: { servers: 1 },
	}),
	stopServer: on('server', 'debug-stop', (entry) => !isOver(entry), {
		nothing: NO_SERVER,
		palette: true,
		place: '2_end@9',
		rows: { servers: 1, pending: 3 },
	}),
	restartServer: on('server', 'debug-restart', (entry) => entry.state !== 'stopped' && !isDisabled(entry.configured), {
		trusted: true,
		nothing: NO_SERVER,
		palette: true,
		place: '1_act@2',
		rows: { servers: 'menu' },
	}),
	debugServer: on(
		'server',
		'debug',
		({ configured, temporaryFor }) => temporaryFor === undefined && configured.definition?.dev?.debug !== undefined,
		{
			trusted: true,
			nothing: localizable(
				'No definition says which debugger to attach. Add "dev": {"debug": {"type": "node"}} to one, or "debugpy" for Python.',
			),
			place: '1_act@3',
			rows: { servers: 'menu' },
		},
	),
	showServerLog: on('server', 'output', any, {
		nothing: NO_SERVER,
		palette: true,
		place: '6_about@1',
		rows: { servers: 2 },
	}),
	showDefinition: on(
		'server',
		'go-to-file',
		({ configured, temporaryFor }) => configured.source.kind !== 'demo' && temporaryFor === undefined,
		{
			nothing: NO_SERVER,
			place: '6_about@2',
			rows: { servers: 'menu' },
		},
	),
	editInputs: on('server', 'key', ({ configured }) => configured.inputs.some(isEntered), {
		nothing: NO_SERVER,
		place: '6_about@3',
		rows: { servers: 'menu' },
	}),
	signOut: on('server', 'sign-out', hasAccount, {
		nothing: NO_SERVER,
		place: '7_access@1',
		rows: { servers: 'menu' },
	}),
	offerServer: on('server', 'plug', isCallable, {
		trusted: true,
		nothing: NO_SERVER,
		palette: true,
		place: '7_access@3',
		rows: { servers: 'menu' },
	}),
	recordClient: on('server', 'record', isCallable, {
		trusted: true,
		nothing: NO_SERVER,
		place: '7_access@4',
		rows: { servers: 'menu' },
	}),
	resetTrust: on('trusted', 'shield', any, { palette: 'always', place: '7_access@2', rows: { servers: 'menu' } }),
	callTool: on('tool', 'zap', any, {
		trusted: true,
		palette: `if ${CALLABLE}`,
		place: '1_act@1',
		rows: { servers: 1 },
	}),
	getPrompt: on('prompt', 'zap', any, { trusted: true, place: '1_act@1', rows: { servers: 1 } }),
	readResource: on('resource', 'go-to-file', any, { trusted: true, place: '1_act@1', rows: { servers: 1 } }),
	showSchema: on('tool', 'json', ({ name }) => name !== undefined, { place: '5_schema@1', rows: { servers: 'menu' } }),
	copy: on('text', 'copy', any, { place: '9_copy@1', rows: { servers: 'menu' } }),
	openElicitation: on('elicitation', 'comment-discussion', ({ undecided }) => undecided, {
		nothing: NO_ELICITATION,
		place: '1_act@1',
		rows: { pending: 1, timeline: 1 },
	}),
	reopenUrl: on(
		'elicitation',
		'link-external',
		(each) => isUrl(each) && (each.state === 'asking' || each.state === 'opened'),
		{
			nothing: NO_ELICITATION,
			place: '1_act@2',
			rows: { pending: 1, timeline: 'menu' },
		},
	),
	copyUrl: on('elicitation', 'copy', (each) => isUrl(each) && each.live, {
		nothing: NO_ELICITATION,
		place: '1_act@3',
		rows: { pending: 'menu', timeline: 'menu' },
	}),
	retryCall: on('elicitation', 'refresh', canRetry, {
		nothing: NO_ELICITATION,
		place: '1_act@4',
		rows: { pending: 2, timeline: 'menu' },
	}),
	sendAgain: on('elicitation', 'send', ({ delivery }) => delivery?.canSendAgain === true, {
		nothing: NO_ELICITATION,
		place: '1_act@1',
		rows: { pending: 1, timeline: 'menu' },
	}),
	continueCall: on('roundLimit', 'debug-continue', any, {
		nothing: NO_ELICITATION,
		place: '1_act@1',
		rows: { pending: 1 },
	}),
	reviewHeld: on('heldBack', 'eye', any, {
		nothing: NO_ELICITATION,
		place: '1_act@1',
		rows: { pending: 1 },
	}),
	resumeCall: on('waiting', 'play', any, {
		nothing: NO_ELICITATION,
		place: '1_act@1',
		rows: { pending: 1 },
	}),
	callAgain: on('call', 'debug-rerun', hasEnded, {
		trusted: true,
		nothing: NO_CALL,
		palette: true,
		place: '1_act@5',
		rows: { timeline: 1 },
	}),
	editArguments: on('call', 'edit', (call) => hasEnded(call) && call.kind !== 'resource', {
		trusted: true,
		nothing: NO_CALL,
		place: '1_act@6',
		rows: { timeline: 2 },
	}),
	replayCall: on('call', 'run-all', hasEnded, {
		trusted: true,
		nothing: NO_CALL,
		place: '1_act@7',
		rows: { timeline: 'menu' },
	}),
	declineElicitation: on('elicitation', 'circle-slash', ({ undecided }) => undecided, {
		nothing: NO_ELICITATION,
		place: '2_end@1',
		rows: { pending: 'menu', timeline: 'menu' },
	}),
	cancelElicitation: on('elicitation', 'close', ({ live }) => live, {
		nothing: NO_ELICITATION,
		place: '2_end@2',
		rows: { pending: 9, timeline: 'menu' },
	}),
	dismissUndelivered: on('elicitation', 'close', ({ live, delivery }) => !live && delivery?.canSendAgain === true, {
		nothing: NO_ELICITATION,
		place: '2_end@2',
		rows: { pending: 9, timeline: 'menu' },
	}),
	stopCall: on('roundLimit', 'debug-stop', any, {
		nothing: NO_ELICITATION,
		place: '2_end@1',
		rows: { pending: 2 },
	}),
	declineHeld: on('heldBack', 'circle-slash', any, {
		nothing: NO_ELICITATION,
		place: '2_end@1',
		rows: { pending: 2 },
	}),
	discardCall: on('waiting', 'close', any, { nothing: NO_ELICITATION, place: '2_end@1', rows: { pending: 2 } }),
	declineAll: on('asking', 'circle-slash', any, {
		nothing: NO_ELICITATION,
		place: '2_end@3',
		rows: { pending: 'menu' },
	}),
	cancelCall: on('call', 'debug-stop', ({ state }) => state === 'running', {
		nothing: localizable('No call is running.'),
		palette: true,
		place: '2_end@4',
		rows: { timeline: 'menu', pending: 'menu' },
	}),
	compareRuns: on('call', 'diff', hasEnded, {
		nothing: NO_CALL,
		recorded: true,
		place: '3_keep@1',
		rows: { timeline: 'menu' },
	}),
	exportTest: on('call', 'export', ({ state }) => state === 'succeeded' || state === 'failed', {
		nothing: localizable('There is no call yet that could become a test.'),
		place: '3_keep@2',
		rows: { timeline: 'menu' },
	}),
	saveAnswerAsScript: on(
		'elicitation',
		'save',
		({ response }) => response !== undefined && response.action !== 'malformed',
		{
			first: isAccepted,
			trusted: true,
			nothing: localizable('No request has been answered yet.'),
			place: '3_keep@3',
			rows: { timeline: 'menu' },
		},
	),
	runTrial: on('call', 'beaker', (call) => hasEnded(call) && !call.trial, {
		nothing: localizable('There is no call to repeat yet: make one first.'),
		palette: true,
		place: '4_try@1',
		rows: { timeline: 'menu' },
	}),
	forceAnswer: on('elicitation', 'beaker', ({ undecided }) => undecided, {
		nothing: NO_ELICITATION,
		palette: true,
		place: '4_try@2',
		rows: { pending: 'menu', timeline: 'menu' },
	}),
	checkSchema: on('elicitation', 'checklist', any, {
		nothing: NO_SCHEMA,
		recorded: true,
		palette: JSON_FILE,
		place: '5_schema@1',
		rows: { pending: 'menu', timeline: 'menu' },
	}),
	previewForm: on('elicitation', 'open-preview', ({ request }) => request.mode === 'form', {
		nothing: NO_SCHEMA,
		recorded: true,
		palette: JSON_FILE,
		place: '5_schema@2',
		rows: { pending: 'menu', timeline: 'menu' },
	}),
	showPending: plain('bell', { palette: 'always' }),
	showTimeline: plain('history', {
		palette: 'always',
		menus: [['view/title', inView('timeline'), 'navigation@1']],
	}),
	exportTimeline: plain('export', {
		palette: `if ${RECORDED}`,
		menus: [['view/title', inView('timeline', ` && ${RECORDED}`), 'navigation@2']],
	}),
	clearTimeline: plain('clear-all', {
		menus: [['view/title', inView('timeline', ` && ${RECORDED}`), 'navigation@3']],
	}),
	openRecording: plain('folder-opened', {
		palette: 'always',
		menus: [
			['view/title', inView('timeline'), '1_recording@1'],
			['explorer/context', JSONL, 'navigation@9'],
		],
	}),
	serveRecording: plain('server-process', {
		trusted: true,
		menus: [
			['view/title', `${inView('timeline')} || ${inView('servers')}`, '1_recording@2'],
			['explorer/context', JSONL, 'navigation@9'],
			['editor/title', 'activeCustomEditorId == mcpElicitation.recording', 'navigation'],
		],
	}),
	showAnswerers: plain('robot', {
		palette: 'always',
		menus: [['view/title', inView('pending'), '1_answerers']],
	}),
	toggleScripts: plain('debug-pause', {}),
} as const satisfies Record<string, Command>;

export type CommandId = keyof typeof COMMANDS;

/** What a command acts on. */
export type SubjectOf<Id extends CommandId> =
	(typeof COMMANDS)[Id] extends Command<infer K extends SubjectKind> ? Subjects[K] : never;

/** Whether a command applies to something. */
export function applies(id: CommandId, subject: Subjects[SubjectKind]): boolean {
	return (COMMANDS[id] as Command).applies(subject as never);
}

/** All commands, those of menus in the order of these. */
const IN_ORDER = (Object.keys(COMMANDS) as CommandId[]).sort(
	(one, other) => Number(placeOf(one) > placeOf(other)) - Number(placeOf(one) < placeOf(other)),
);

/** The commands that a row of a view offers, in the order of its menu. */
export function commandsOf(view: ViewId, row: Partial<Subjects>): CommandId[] {
	return IN_ORDER.filter((id) => {
		const { on: kind, rows }: Command = COMMANDS[id];
		const subject = kind && row[kind];
		return rows?.[view] !== undefined && subject !== undefined && applies(id, subject);
	});
}

/** The group of a command in menus. */
export function groupOf(id: CommandId): string {
	return placeOf(id).replace(/@.*/, '');
}

/** Whether a command ends what it acts on: no surface has it as what is to be done next. */
export function ends(id: CommandId): boolean {
	return groupOf(id) === ('2_end' satisfies Group);
}

function placeOf(id: CommandId): string {
	return (COMMANDS[id] as Command).place ?? '';
}

/** Context value of a row, by which the editor chooses the commands of its menus. */
export function contextOf(view: ViewId, row: Partial<Subjects>): string {
	return `.${commandsOf(view, row).join('.')}.`;
}

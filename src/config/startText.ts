import { codePointName, INVISIBLE_CLASS, MASK, STACKED } from '../elicitation/display.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { decidesWhatRuns } from './decidingVariables.ts';
import type { HttpDefinition, ServerDefinition, StdioDefinition } from './definition.ts';
import { namesSecret } from './secretNames.ts';
import type { EnvFile, Program, Start } from './start.ts';
import { type Reference, referencesOf } from './variables.ts';

/** An item of the consent: its label, its value on one line, and where it comes from. */
export interface StartRow {
	readonly label?: Sentence;
	/** Contains no invisible characters (`exact`). */
	readonly text: string;
	readonly notes: readonly Sentence[];
}

export interface StartSection {
	readonly title?: Sentence;
	/** True for a warning. */
	readonly alarm: boolean;
	readonly rows: readonly StartRow[];
}

/** Invisible and stacked characters, leading, trailing and repeated spaces, and text that could be mistaken for an escape. */
const HIDDEN = new RegExp(`(?! )[\\s\\u2800${INVISIBLE_CLASS}]|${STACKED}|^ | $| (?= )|(?<= ) |‹(?=U\\+)`, 'gu');

/** A run of one escaped character, for example padding. */
const RUN = /‹(U\+[0-9A-F]+)›(?:‹\1›){3,}/g;

/** Everything that affects what is run or sent, in display order. */
export function startSections(start: Start): StartSection[] {
	const { written, shown, program } = start;
	const sources = new Sources(referencesOf(written));
	const sections =
		shown.type === 'stdio'
			? [
					commandSection(shown, written as StdioDefinition, program, sources),
					...variableSections(shown, program, sources),
				]
			: httpSections(shown, sources);
	sections.push(rootsSection(shown, sources), developmentSection(shown));
	return sections.filter(({ rows }) => rows.length > 0);
}

/** Finds the variables that a text was resolved from. */
class Sources {
	constructor(private readonly references: readonly Reference[]) {}

	/** @param text the displayed text; sources that it names are omitted */
	of(path: readonly (string | number)[], text: string): Sentence[] {
		const own = this.references.filter((reference) => path.every((step, index) => reference.path[index] === step));
		const named = own.map(({ expression }) => `\${${exact(expression)}}`).filter((name) => !text.includes(name));
		return named.length > 0 ? [localizable('from {0}', [...new Set(named)].join(', '))] : [];
	}
}

function commandSection(
	shown: StdioDefinition,
	written: StdioDefinition,
	program: Program | undefined,
	sources: Sources,
): StartSection {
	const { command, args } = shown;
	const file = program?.file ?? command;
	const cwd = exact(program?.cwd ?? shown.cwd ?? '');
	const place = program?.inWorkspace ? localizable('in this workspace') : localizable('not in this workspace');
	const asWritten = written.command === file ? [] : [localizable('written as {0}', exact(written.command))];
	const rows = [
		{ label: localizable('Command'), text: exact(file), notes: [place, ...asWritten] },
		...args.map((argument, index) => ({
			label: localizable('Argument {0}', index + 1),
			text: exact(argument),
			notes: sources.of(['args', index], exact(argument)),
		})),
		row(localizable('Working directory'), cwd, sources.of(['cwd'], cwd)),
	];
	return { alarm: false, rows };
}

/**
 * The variables of the definition and of the environment file. Those that decide what runs have a section of their own.
 */
function variableSections({ env }: StdioDefinition, program: Program | undefined, sources: Sources): StartSection[] {
	const windows = program?.windows ?? false;
	const decides = (name: string) => decidesWhatRuns(name, windows);
	const own = Object.entries(env).map(([name, value]) => ({
		name,
		row: variableRow(name, value, windows, (text) => sources.of(['env', name], text)),
	}));
	const envFile = program?.envFile;
	const fromFile = fileVariables(envFile, env, windows);
	const of = <T extends { name: string; row: StartRow }>(all: readonly T[], deciding: boolean) =>
		all.filter(({ name }) => decides(name) === deciding).map((each) => each.row);
	return [
		{
			title: localizable('These variables determine what is run, regardless of the command:'),
			alarm: true,
			rows: [
				...of(own, true),
				...of(fromFile, true).map((each) => ({
					...each,
					notes: [...each.notes, localizable('from the environment file')],
				})),
			],
		},
		{ title: localizable('Environment variables:'), alarm: false, rows: of(own, false) },
		...(envFile ? [fileSection(envFile, of(fromFile, false), sources)] : []),
	];
}

function fileSection(envFile: EnvFile, rows: readonly StartRow[], sources: Sources): StartSection {
	const place = envFile.inWorkspace ? localizable('in this workspace') : localizable('not in this workspace');
	const file = exact(envFile.file);
	return {
		alarm: false,
		rows: [row(localizable('Environment file'), file, [place, ...sources.of(['envFile'], file)]), ...rows],
	};
}

function fileVariables(envFile: EnvFile | undefined, env: StdioDefinition['env'], windows: boolean) {
	const known = (name: string) => (windows ? name.toUpperCase() : name);
	const own = new Set(Object.keys(env).map(known));
	return Object.entries(envFile?.variables ?? {}).map(([name, value]) => ({
		name,
		row: variableRow(name, value, windows, () =>
			own.has(known(name)) ? [localizable('replaced by the definition')] : [],
		),
	}));
}

/** @param notesOn notes for the displayed value */
function variableRow(
	name: string,
	value: string | null,
	windows: boolean,
	notesOn: (text: string) => readonly Sentence[],
): StartRow {
	return value === null
		? { text: exact(name), notes: [localizable('removed')] }
		: assignment(name, value, isMasked(name, windows), notesOn);
}

/** `NAME=value` with secrets masked. An empty value is not a secret. */
function assignment(
	name: string,
	value: string,
	masked: boolean,
	notesOn: (text: string) => readonly Sentence[],
): StartRow {
	const text = masked && value !== '' ? MASK : exact(value);
	return { text: `${exact(name)}=${text}`, notes: notesOn(text) };
}

/** Values that decide what runs are shown, even if the name looks like that of a secret: `GIT_CONFIG_KEY_0`. */
export function isMasked(name: string, windows: boolean): boolean {
	return namesSecret(name) && !(decidesWhatRuns(name, windows) && !/auth|token|passw|secret|credential/i.test(name));
}

function httpSections({ url, type, headers, oauth = {} }: HttpDefinition, sources: Sources): StartSection[] {
	const signIn = Object.entries({
		'oauth.clientId': oauth.clientId,
		'oauth.clientMetadataUrl': oauth.clientMetadataUrl,
		'oauth.scopes': oauth.scopes?.join(' '),
		'oauth.callbackPort': oauth.callbackPort,
	}).flatMap(([name, value]) => {
		const text = exact(String(value));
		return value === undefined ? [] : [row(undefined, `${name}=${text}`, sources.of(name.split('.'), text))];
	});
	return [
		{
			alarm: false,
			rows: [
				row(localizable('URL'), exact(url), sources.of(['url'], exact(url))),
				row(localizable('Transport'), type === 'sse' ? 'HTTP + SSE' : 'HTTP', []),
			],
		},
		{
			title: localizable('Headers:'),
			alarm: false,
			rows: Object.entries(headers).map(([name, value]) =>
				assignment(name, value, namesSecret(name), (text) => sources.of(['headers', name], text)),
			),
		},
		{ title: localizable('Sign-in:'), alarm: false, rows: signIn },
	];
}

/** The roots that are listed: their variables could give anything away. */
function rootsSection({ roots }: ServerDefinition, sources: Sources): StartSection {
	const listed = typeof roots === 'string' ? [] : roots;
	const rows = listed.map((root, index) => row(undefined, exact(root), sources.of(['roots', index], exact(root))));
	return { title: localizable('Roots that it is told:'), alarm: false, rows };
}

function developmentSection({ dev }: ServerDefinition): StartSection {
	const of = (name: string, value: string | undefined, note: Sentence) =>
		value === undefined ? [] : [row(undefined, `dev.${name}=${exact(value)}`, [note])];
	const debugged = localizable('attached when you choose Debug Server');
	const rows = [
		...of('debug.type', dev?.debug?.type, debugged),
		...of('debug.debugpyPath', dev?.debug?.debugpyPath, localizable('run when you choose Debug Server')),
		...(dev?.watch ?? []).flatMap((glob) => of('watch', glob, localizable('restarts it when such a file changes'))),
		...of('replay', dev?.replay ? 'true' : undefined, localizable('repeats the last call then, with your responses')),
	];
	return { title: localizable('While you develop it:'), alarm: false, rows };
}

function row(label: Sentence | undefined, text: string, notes: readonly Sentence[]): StartRow {
	return label ? { label, text, notes } : { text, notes };
}

/** Max lines, and characters per line, that fit a dialog on a small screen. */
const MAX_LINES = 25;
const LINE = 56;

/** Characters that change the display order of their neighbors. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * True if a dialog, which wraps lines, shows the rows unambiguously. A text that wraps at a space could pose as several
 * lines, and too many lines would hide the last ones.
 * @param rows the rows with their labels and notes, as displayed; notes may quote the definition, too
 * @param lines all lines of the dialog, including the rows
 */
export function fitsDialog(
	rows: readonly { readonly label?: string; readonly text: string; readonly notes?: readonly string[] }[],
	lines: readonly string[],
): boolean {
	const breaks = (label: string, text: string) => widthOf(label + text) > LINE && text.includes(' ');
	const deceives = (label: string, text: string) => breaks(label, text) || RIGHT_TO_LEFT.test(text);
	const height = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / LINE)), 0);
	const unclear = rows.some(
		({ label = '', text, notes = [] }) => deceives(`${label}: `, text) || notes.some((note) => deceives('', note)),
	);
	return height <= MAX_LINES && !unclear;
}

/** Width in Latin characters. Other characters may be twice as wide. */
function widthOf(text: string): number {
	return [...text].reduce((width, character) => width + (character < '\u0250' ? 1 : 2), 0);
}

/**
 * Formats a text on one line with all invisible characters escaped: `‹U+000A›`, or `‹U+000A ×4›` for a run of four or
 * more. Different texts always look different.
 */
export function exact(text: string): string {
	return text
		.replace(HIDDEN, codePointName)
		.replace(RUN, (run, name: string) => `‹${name} ×${run.length / (name.length + 2)}›`);
}

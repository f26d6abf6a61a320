import { codePointName, INVISIBLE_CLASS, MASK, STACKED } from '../elicitation/display.ts';
import { namesSecret } from '../elicitation/secretNames.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { inspectUrl, levelOf, type UrlLevel } from '../elicitation/url/urlSafety.ts';
import { decidesWhatRuns, isHarmless } from './decidingVariables.ts';
import { type HttpDefinition, isProgram, type ServerDefinition, type StdioDefinition, socketOf } from './definition.ts';
import type { Input } from './inputs.ts';
import type { EnvFile, Program, Start } from './start.ts';
import { knownUrl, type Reference, referencesOf } from './variables.ts';

/** An item of the consent: its label, its value on one line, and where it comes from. */
export interface StartRow {
	readonly label?: Sentence;
	/** Contains no invisible characters (`exact`). */
	readonly text: string;
	readonly notes: readonly Sentence[];
}

export interface StartSection {
	readonly title?: Sentence;
	/** How much attention it needs. */
	readonly level?: UrlLevel;
	readonly rows: readonly StartRow[];
}

/** Invisible and stacked characters, leading, trailing and repeated spaces, and text that could be mistaken for an escape. */
const HIDDEN = new RegExp(`(?! )[\\s\\u2800${INVISIBLE_CLASS}]|${STACKED}|^ | $| (?= )|(?<= ) |‹(?=U\\+)`, 'gu');

/** A run of one escaped character, for example padding. */
const RUN = /‹(U\+[0-9A-F]+)›(?:‹\1›){3,}/g;

/**
 * Everything that affects what is run or sent, in display order.
 * @param isOwn true if the user has written it: then values named like secrets are masked. What somebody else has written is
 * shown, whatever it is called
 */
export function startSections(start: Start, isOwn: boolean): StartSection[] {
	const { written, shown, program, inputs } = start;
	const sources = new Sources(referencesOf(written), isOwn);
	const sections = isProgram(shown)
		? [
				commandSection(shown, written as StdioDefinition, program, sources),
				...variableSections(shown, program, sources),
			]
		: httpSections(shown, sources);
	sections.push(
		commandsSection(inputs),
		rootsSection(shown, sources),
		inputsSection(inputs),
		developmentSection(shown),
	);
	return sections.filter(({ rows }) => rows.length > 0);
}

/** Finds the variables that a text was resolved from. */
class Sources {
	constructor(
		private readonly references: readonly Reference[],
		private readonly isOwn: boolean,
	) {}

	/** True for the value of a variable or header that the user has written, and that is a secret. */
	isMasked(member: 'env' | 'headers', name: string): boolean {
		const isWritten = !this.references.some(({ path }) => path[0] === member && path[1] === name);
		return this.isOwn && isWritten && isSecretName(name);
	}

	/** @param text the displayed text; sources that it names are omitted */
	of(path: readonly (string | number)[], text: string): Sentence[] {
		const own = this.references.filter((reference) => path.every((step, index) => reference.path[index] === step));
		const named = own.map(({ expression }) => `\${${exact(expression)}}`).filter((name) => !text.includes(name));
		return named.length > 0 ? [localizable('from {0}', [...new Set(named)].join(', '))] : [];
	}
}

/** Values that decide what runs are shown, even if the name looks like that of a secret: `GIT_CONFIG_KEY_0`. */
function isSecretName(name: string): boolean {
	return namesSecret(name) && !decidesWhatRuns(name, true);
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
	const asWritten = written.command === file ? [] : [localizable('written as {0}', exact(written.command))];
	const rows = [
		{ label: localizable('Command'), text: exact(file), notes: [...placeOf(program), ...asWritten] },
		...args.map((argument, index) => ({
			label: localizable('Argument {0}', index + 1),
			text: exact(argument),
			notes: sources.of(['args', index], exact(argument)),
		})),
		row(localizable('Working directory'), cwd, sources.of(['cwd'], cwd)),
	];
	return { rows };
}

/**
 * The variables of the definition and of the environment file. Those that decide what runs have a section of their own.
 */
function variableSections({ env }: StdioDefinition, program: Program | undefined, sources: Sources): StartSection[] {
	const windows = program?.windows ?? false;
	const decides = (name: string) => !isHarmless(name, windows);
	const own = Object.entries(env).map(([name, value]) => ({
		name,
		row: variableRow(name, value, sources, (text) => sources.of(['env', name], text)),
	}));
	const envFile = program?.envFile;
	const fromFile = fileVariables(envFile, env, windows);
	const of = <T extends { name: string; row: StartRow }>(all: readonly T[], deciding: boolean) =>
		all.filter(({ name }) => decides(name) === deciding).map((each) => each.row);
	return [
		{
			title: localizable('These variables may change what is run, whatever the command is'),
			level: 'warning',
			rows: [
				...of(own, true),
				...of(fromFile, true).map((each) => ({
					...each,
					notes: [...each.notes, localizable('from the environment file')],
				})),
			],
		},
		{ title: localizable('Environment variables'), rows: of(own, false) },
		...(envFile ? [fileSection(envFile, of(fromFile, false), sources)] : []),
	];
}

/** Where a file is: what others have written along with the definition is worth a word, what is installed is not. */
function placeOf(file: { readonly inWorkspace: boolean } | undefined): Sentence[] {
	return file?.inWorkspace ? [localizable('in this workspace')] : [];
}

function fileSection(envFile: EnvFile, rows: readonly StartRow[], sources: Sources): StartSection {
	const file = exact(envFile.file);
	return {
		rows: [
			row(localizable('Environment file'), file, [...placeOf(envFile), ...sources.of(['envFile'], file)]),
			...rows,
		],
	};
}

function fileVariables(envFile: EnvFile | undefined, env: StdioDefinition['env'], windows: boolean) {
	const known = (name: string) => (windows ? name.toUpperCase() : name);
	const own = new Set(Object.keys(env).map(known));
	return Object.entries(envFile?.variables ?? {}).map(([name, value]) => {
		const notes = own.has(known(name)) ? [localizable('replaced by the definition')] : [];
		// A file of the workspace is no secret: whoever has the workspace can read it.
		const isMasked = envFile?.inWorkspace !== true && isSecretName(name);
		return { name, row: assignment(name, value, isMasked, () => notes) };
	});
}

/** @param notesOn notes for the displayed value */
function variableRow(
	name: string,
	value: string | null,
	sources: Sources,
	notesOn: (text: string) => readonly Sentence[],
): StartRow {
	return value === null
		? { text: exact(name), notes: [localizable('removed')] }
		: assignment(name, value, sources.isMasked('env', name), notesOn);
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
	const socket = socketOf(url);
	const place = socket
		? row(localizable('Socket'), exact(socket.socketPath), [localizable('a program on this machine')])
		: row(localizable('Host'), hostOf(url), []);
	return [
		...urlSections([
			...(socket ? [] : [url]),
			...(oauth.clientMetadataUrl === undefined ? [] : [oauth.clientMetadataUrl]),
		]),
		{
			rows: [
				place,
				row(localizable('URL'), exact(url), sources.of(['url'], exact(url))),
				row(localizable('Transport'), type === 'sse' ? 'HTTP + SSE' : 'HTTP', []),
			],
		},
		{
			title: localizable('Headers'),
			rows: Object.entries(headers).map(([name, value]) =>
				assignment(name, value, sources.isMasked('headers', name), (text) => sources.of(['headers', name], text)),
			),
		},
		{ title: localizable('Sign-in'), rows: signIn },
	];
}

/** The host as it is reached, in ASCII, and the domain that somebody has registered. */
function hostOf(url: string): string {
	const { host, port, domain } = inspectUrl(knownUrl(url) ?? url, { insecure: 'always' });
	const whole = port === '' ? host : `${host}:${port}`;
	return exact(domain === host || domain === '' ? whole : `${whole} (${domain})`);
}

/** What the user is told of URLs that are opened, too: what deceives first. */
function urlSections(urls: readonly string[]): StartSection[] {
	const reports = urls.map((url) => ({ url, ...inspectUrl(knownUrl(url) ?? url, { insecure: 'always' }) }));
	const section = (level: UrlLevel, title: Sentence) => ({
		title,
		level,
		rows: reports
			.filter((report) => levelOf(report) === level)
			.map(({ url, alarms, warnings }) => row(undefined, exact(url), [...alarms, ...warnings])),
	});
	return [
		section('alarm', localizable('These URLs are suspicious')),
		section('warning', localizable('These URLs are unusual')),
	];
}

/** What it learns of the user's folders. The variables of listed roots could give anything away. */
function rootsSection({ roots }: ServerDefinition, sources: Sources): StartSection {
	const rows =
		roots === 'workspace'
			? [row(undefined, '${workspaceFolder}', [localizable('all folders of the workspace')])]
			: roots === 'none' || roots.length === 0
				? [row(undefined, 'none', [localizable('no folders')])]
				: roots.map((root, index) => row(undefined, exact(root), sources.of(['roots', index], exact(root))));
	return { title: localizable('Roots that it is told'), rows };
}

/** What is asked for, and what the definition proposes for it: it is sent unless the user changes it. */
function inputsSection(inputs: Start['inputs']): StartSection {
	const rows = inputs.flatMap(({ id, default: value, options }) => [
		...(value === undefined ? [] : [row(undefined, exact(value), [localizable('proposed for {0}', inputName(id))])]),
		...options.map(({ label, value: option }) =>
			row(undefined, exact(option), [
				label === option
					? localizable('a choice for {0}', inputName(id))
					: localizable('a choice for {0}, shown as "{1}"', inputName(id), exact(label)),
			]),
		),
	]);
	return { title: localizable('Values that are proposed to you'), rows };
}

/** What the editor itself is told to run. It may do anything that the user may do. */
function commandsSection(inputs: Start['inputs']): StartSection {
	const rows = inputs.flatMap(({ id, command }) =>
		command
			? [row(undefined, exact(commandText(command)), [localizable('returns the value for {0}', inputName(id))])]
			: [],
	);
	return { title: localizable('The editor itself runs these commands'), level: 'warning', rows };
}

/** A command of the editor with its arguments, on one line. */
export function commandText({ id, args }: NonNullable<Input['command']>): string {
	return args === undefined ? id : `${id} ${JSON.stringify(args)}`;
}

function inputName(id: string): string {
	return `\${input:${exact(id)}}`;
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
	return { title: localizable('While you develop it'), rows };
}

function row(label: Sentence | undefined, text: string, notes: readonly Sentence[]): StartRow {
	return label ? { label, text, notes } : { text, notes };
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

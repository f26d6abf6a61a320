import { existsSync } from 'node:fs';
import { ProtocolError } from '@modelcontextprotocol/client';
import { TASKS_EXTENSION, type TaskMode } from '../config/capabilities.ts';
import { hasUrl, isProgram, type ServerDefinition, type StdioDefinition } from '../config/definition.ts';
import type { JsonPath } from '../config/problem.ts';
import { shorten } from '../elicitation/display.ts';
import { MISSING_CAPABILITY } from '../elicitation/errorCodes.ts';
import { isObject, type Json, own } from '../elicitation/json.ts';
import { MAX_DEPTH } from '../elicitation/nesting.ts';
import { REVISIONS } from '../elicitation/revisions.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { explainHttp, isTransportError } from './explainHttp.ts';
import type { Exit } from './process/stdioTransport.ts';
import {
	asFailure,
	ConnectionCut,
	causeCode,
	Failure,
	MAX_MESSAGE_LENGTH,
	MessageTooLongError,
	messageOf,
	NoResponse,
	NotMcp,
	Reason,
	RequestTimedOut,
	ResponseTooDeep,
	sentence,
	UnexpectedResult,
	UnsupportedRevision,
} from './wire/failure.ts';

/** The capabilities that `elicitation.advertise` declares. */
const MODES = new Set(['elicitation', 'elicitation.form', 'elicitation.url']);

/** The capability that the setting of tasks declares. */
const TASKS = `extensions.${TASKS_EXTENSION}`;

/** The capabilities that settings and definitions can declare. */
const OFFERED = new Set([...MODES, TASKS, 'roots', 'sampling']);

/** Max length of server-provided names in a message (characters). */
const MAX_NAMES = 200;

/** The connection closed after a request may have reached the server, so the request may have taken effect. */
const CUT = new Set(['ECONNRESET', 'EPIPE']);

/** Explains why a server couldn't be started or was lost: what happened and what to do. */
export function explainStart(
	definition: ServerDefinition,
	error: unknown,
	exit: Exit | undefined,
	/** What it wrote to stdout instead of a message. */
	otherOutput = '',
): Failure {
	if (error instanceof Failure) {
		return error;
	}
	if (error instanceof MessageTooLongError) {
		return new Failure(
			definition.name,
			localizable(
				'The server sent a message longer than {0} MB, so the connection was ended.',
				MAX_MESSAGE_LENGTH / 1024 / 1024,
			),
			localizable("Report it to the server's author; start the server yourself to try again."),
			{ cause: error },
		);
	}
	if (error instanceof Reason && !exit) {
		return new Failure(definition.name, error.sentence, error.fix ?? localizable("See the server's log."), {
			cause: error,
			definition: error.definition,
		});
	}
	const known =
		explainRevision(definition, error) ??
		explainCapability(definition, error, 'auto') ??
		explainSilence(definition, error, exit, otherOutput);
	if (known) {
		return known;
	}
	return isProgram(definition)
		? explainProcess(definition, error, exit)
		: explainHttp(definition.name, definition.url, error);
}

/** Explains why a call failed on a connection that is still open. */
export function explainCall(
	definition: ServerDefinition,
	call: string,
	error: unknown,
	{ taskMode, inSession }: { readonly taskMode: TaskMode; readonly inSession: boolean },
): Failure {
	const { name } = definition;
	if (error instanceof Failure) {
		return error;
	}
	const unanswered = explainNoResponse(definition, call, error, inSession);
	if (unanswered) {
		return unanswered;
	}
	const missing = explainCapability(definition, error, taskMode);
	if (missing) {
		return missing;
	}
	if (hasUrl(definition) && isTransportError(error)) {
		return explainStart(definition, error, undefined);
	}
	return error instanceof ProtocolError
		? new Failure(
				name,
				localizable('The server responded with error {0}: {1}', String(error.code), messageOf(error)),
				localizable("See the server's log, then call it again."),
				{ cause: error },
			)
		: asFailure(name, error);
}

/** Explains why a request of that name got no response, although the server could be reached. */
function explainNoResponse(
	definition: ServerDefinition,
	call: string,
	error: unknown,
	inSession: boolean,
): Failure | undefined {
	const fail = (what: Sentence, fix: Sentence, restart = false) =>
		new Failure(definition.name, what, fix, { cause: error, restart });
	if (error instanceof ConnectionCut || (hasUrl(definition) && CUT.has(causeCode(error) ?? ''))) {
		return fail(
			localizable('The connection was lost before "{0}" responded.', call),
			localizable("Check the server's log to see whether it took effect, then try again if necessary."),
		);
	}
	if (error instanceof NotMcp) {
		return fail(
			error.words === ''
				? localizable('The server accepted "{0}", but did not respond to it.', call)
				: localizable('The server responded to "{0}" with what is no MCP message: {1}', call, sentence(error.words)),
			inSession
				? localizable('It may have lost its session: restart it, then call it again.')
				: localizable("Report it to the server's author."),
			inSession,
		);
	}
	if (error instanceof ResponseTooDeep) {
		return fail(
			localizable('The response of "{0}" is nested deeper than {1} levels.', call, MAX_DEPTH),
			localizable("Report it to the server's author."),
		);
	}
	return error instanceof NoResponse
		? fail(
				localizable('The response of "{0}" is not an object.', call),
				localizable("Report it to the server's author; the timeline shows the whole response."),
			)
		: undefined;
}

/** Why a response couldn't be delivered, as a whole sentence. */
export function explainDelivery(definition: ServerDefinition, error: unknown): Sentence {
	if (error instanceof Failure) {
		return error.what;
	}
	if (error instanceof ProtocolError) {
		return localizable('The server responded with error {0}: {1}', String(error.code), messageOf(error));
	}
	if (isProgram(definition)) {
		return error instanceof Reason
			? error.sentence
			: localizable('The server no longer reads what is sent to it: {0}', messageOf(error));
	}
	return isTransportError(error) ? explainHttp(definition.name, definition.url, error).what : asFailure('', error).what;
}

/** Explains why the server features couldn't be listed. */
export function explainList(server: string, method: string, error: unknown): Failure {
	if (!(error instanceof UnexpectedResult) || error.resultType !== 'input_required') {
		return asFailure(server, error);
	}
	return new Failure(
		server,
		localizable(
			'The server responded to "{0}" with a request for input; only calls of tools, prompts, and resources allow that.',
			method,
		),
		localizable("Report it to the server's author; the timeline shows the request."),
		{ cause: error },
	);
}

/** The server needs an undeclared capability (2026-07-28): names it, and the setting that declares it (D08). */
function explainCapability(
	{ name, elicitation, roots, sampling }: ServerDefinition,
	error: unknown,
	taskMode: TaskMode,
): Failure | undefined {
	if (own(error, 'code') !== MISSING_CAPABILITY) {
		return undefined;
	}
	const wanted = capabilitiesIn(own(own(error, 'data'), 'requiredCapabilities') ?? null);
	const foreign = wanted.filter((capability) => !OFFERED.has(capability));
	const fail = (what: Sentence, fix: Sentence, definition?: JsonPath) =>
		new Failure(name, what, fix, { cause: error, definition });
	if (wanted.length === 0) {
		return fail(
			localizable(
				'The server needs a capability that this client did not declare, and does not say which: {0}',
				messageOf(error),
			),
			localizable("Report it to the server's author; the timeline shows the whole error."),
		);
	}
	const what = localizable('The server needs what this client did not declare: {0}.', listed(wanted));
	if (foreign.length > 0) {
		return fail(
			what,
			localizable('This client does not offer {0}; use a tool that does not need it.', listed(foreign)),
		);
	}
	if (taskMode === 'never' && wanted.includes(TASKS)) {
		return fail(what, localizable('Set "mcpElicitation.tasks" to "auto" or "required", then start the server again.'));
	}
	if (roots === 'none' && wanted.includes('roots')) {
		return fail(what, localizable('Set "roots" in its definition to "workspace", then start it again.'), ['roots']);
	}
	if (sampling === 'none' && wanted.includes('sampling')) {
		return fail(what, localizable('Set "sampling" in its definition to "ask", then start it again.'), ['sampling']);
	}
	return elicitation.advertise === 'both' || !wanted.some((capability) => MODES.has(capability))
		? fail(what, localizable("This client did declare it. Report it to the server's author."))
		: fail(what, localizable('Set "elicitation.advertise" in its definition to "both", then start it again.'), [
				'elicitation',
				'advertise',
			]);
}

/** The paths in an object of capabilities: `elicitation.url`, `sampling`. */
function capabilitiesIn(capabilities: Json): string[] {
	return Object.entries(isObject(capabilities) ? capabilities : {}).flatMap(([name, value]) => {
		const members = Object.keys(isObject(value) ? value : {});
		return members.length > 0 ? members.map((member) => `${name}.${member}`) : [name];
	});
}

function listed(names: readonly string[]): string {
	return shorten(names.join(', '), MAX_NAMES);
}

/** No revision in common: names the requested revision and, if known, those of the server (E04, E06). */
function explainRevision({ name, protocolVersion }: ServerDefinition, error: unknown): Failure | undefined {
	const supported = own(own(error, 'data'), 'supported');
	const revisions =
		error instanceof UnsupportedRevision
			? error.revisions
			: Array.isArray(supported)
				? supported.map(String)
				: undefined;
	if (revisions === undefined) {
		return undefined;
	}
	const has = revisions.join(', ');
	const pinned = protocolVersion !== 'auto';
	const wanted = pinned ? protocolVersion : REVISIONS.join(', ');
	return new Failure(
		name,
		has === ''
			? localizable('The server does not support protocol revision {0}.', wanted)
			: localizable('The server does not support protocol revision {0}; it supports {1}.', wanted, has),
		pinned
			? localizable('Set "protocolVersion" in its definition to "auto", or to a revision that it supports.')
			: localizable('Update the server or this client.'),
		{ cause: error, ...(pinned && { definition: ['protocolVersion'] }) },
	);
}

/** The server is running or reachable, but didn't respond. */
function explainSilence(
	definition: ServerDefinition,
	error: unknown,
	exit: Exit | undefined,
	otherOutput: string,
): Failure | undefined {
	const { name } = definition;
	if (!(error instanceof RequestTimedOut) || exit) {
		return undefined;
	}
	if (otherOutput) {
		return new Failure(
			name,
			localizable('What the program writes is no message of an MCP server: {0}', sentence(otherOutput)),
			localizable('Check "command" and "args" in its definition; it may need an argument to serve MCP over stdio.'),
			{ cause: error, definition: ['command'] },
		);
	}
	return new Failure(
		name,
		localizable('The server did not respond within {0} s.', error.timeout / 1000),
		isProgram(definition)
			? localizable(
					'Check its log to see what it is waiting for, or correct its definition if this is not an MCP server.',
				)
			: localizable('Start it again later, or correct "url" in its definition if this is not an MCP server.'),
		{ cause: error, definition: isProgram(definition) ? [] : ['url'] },
	);
}

function explainProcess(
	{ name: server, command, cwd }: StdioDefinition,
	error: unknown,
	exit: Exit | undefined,
): Failure {
	const code = causeCode(error);
	const fail = (what: Sentence, fix: Sentence, definition?: JsonPath) =>
		new Failure(server, what, fix, { cause: error, definition });
	if (code === 'ENOENT' && cwd !== undefined && !existsSync(cwd)) {
		return fail(
			localizable('The folder "{0}" was not found.', cwd),
			localizable('Create it, or correct "cwd" in its definition.'),
			['cwd'],
		);
	}
	if (code === 'ENOENT') {
		return fail(
			localizable('The command "{0}" was not found.', command),
			localizable(
				'Check "command" and "cwd" in its definition, and that the program is on the PATH that the editor was started with.',
			),
			['command'],
		);
	}
	if (code === 'EACCES') {
		return fail(
			localizable('The command "{0}" is not executable.', command),
			localizable('Make the file executable, or name its interpreter as the command.'),
			['command'],
		);
	}
	if (exit) {
		const how = exit.signal
			? localizable('signal {0}', exit.signal)
			: localizable('code {0}', String(exit.code ?? '?'));
		const words = exit.lastLines
			.map((line) => line.trim())
			.filter(Boolean)
			.join(' ⏎ ')
			.slice(-500);
		return fail(
			words
				? localizable('The server exited with {0}. Its last output: {1}', how, sentence(words))
				: localizable('The server exited with {0} and wrote nothing.', how),
			localizable('Run the command in a terminal to see why, or look at its log.'),
		);
	}
	return fail(
		localizable('Could not connect to the server: {0}', messageOf(error)),
		localizable("See the server's log."),
	);
}

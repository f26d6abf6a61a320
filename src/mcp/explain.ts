import { SdkErrorCode, SseError, UnauthorizedError } from '@modelcontextprotocol/client';
import { REVISIONS, type ServerDefinition } from '../config/definition.ts';
import { own } from '../elicitation/json.ts';
import { say } from '../elicitation/sentence.ts';
import { asFailure, causeCode, Failure, messageOf, STREAM_CUT, sentence } from './failure.ts';
import type { Exit } from './stdioTransport.ts';

const CONNECTION = new Set([
	'ECONNREFUSED',
	'ECONNRESET',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ETIMEDOUT',
	'UND_ERR_CONNECT_TIMEOUT',
]);

/** Why a server could not be reached, or was lost, in words: what happened and what to do. */
export function explainStart(definition: ServerDefinition, error: unknown, exit: Exit | undefined): Failure {
	if (error instanceof Failure) {
		return error;
	}
	const revision = explainRevision(definition, error);
	if (revision) {
		return revision;
	}
	return definition.type === 'stdio'
		? explainProcess(definition.name, definition.command, error, exit)
		: explainHttp(definition.name, definition.url, error);
}

/** Why a call failed on a connection that is still there. */
export function explainCall(definition: ServerDefinition, call: string, error: unknown): Failure {
	const { name, type } = definition;
	if (own(error, 'code') === STREAM_CUT) {
		return new Failure(
			name,
			say('The connection was cut before "{0}" had answered.', call),
			say("Look at the server's log to see whether it took effect, then call it again if need be."),
			{ cause: error },
		);
	}
	const unreachable = causeCode(error) !== undefined || own(own(error, 'data'), 'status') !== undefined;
	return type !== 'stdio' && unreachable ? explainStart(definition, error, undefined) : asFailure(name, error);
}

/** No revision in common: which one was wanted, and which the server has, where it told (E04, E06). */
function explainRevision({ name, protocolVersion }: ServerDefinition, error: unknown): Failure | undefined {
	const code = own(error, 'code');
	const supported = own(own(error, 'data'), 'supported');
	const chosen = /protocol version is not supported: (\S+?)\.?$/.exec(error instanceof Error ? error.message : '')?.[1];
	const has = Array.isArray(supported) ? supported.map(String).join(', ') : chosen;
	const pinned = protocolVersion !== 'auto';
	if (has === undefined && !(pinned && code === SdkErrorCode.EraNegotiationFailed)) {
		return undefined;
	}
	const wanted = pinned ? protocolVersion : REVISIONS.join(', ');
	return new Failure(
		name,
		has === undefined
			? say('The server does not speak protocol revision {0}.', wanted)
			: say('The server does not speak protocol revision {0}; it has {1}.', wanted, has),
		pinned
			? say('Set "protocolVersion" in its definition to "auto", or to a revision that it has.')
			: say('Update the server or this extension.'),
		{ cause: error },
	);
}

function explainProcess(server: string, command: string, error: unknown, exit: Exit | undefined): Failure {
	const code = causeCode(error);
	const fail = (what: ReturnType<typeof say>, fix: ReturnType<typeof say>) =>
		new Failure(server, what, fix, { cause: error });
	if (code === 'ENOENT') {
		return fail(
			say('The command "{0}" was not found.', command),
			say(
				'Check "command" and "cwd" in its definition, and that the program is on the PATH that the editor was started with.',
			),
		);
	}
	if (code === 'EACCES') {
		return fail(
			say('The command "{0}" may not be executed.', command),
			say('Make the file executable, or name its interpreter as the command.'),
		);
	}
	if (exit) {
		const how = exit.signal ? say('signal {0}', exit.signal) : say('code {0}', exit.code ?? '?');
		const words = exit.lastLines.join(' ⏎ ').slice(-500);
		return fail(
			words
				? say('The server ended with {0}. Its last words: {1}', how, sentence(words))
				: say('The server ended with {0} and said nothing.', how),
			say('Run the command in a terminal to see why, or look at its log.'),
		);
	}
	return fail(say('The server could not be connected: {0}', messageOf(error)), say("See the server's log."));
}

function explainHttp(server: string, url: string, error: unknown): Failure {
	const fail = (what: ReturnType<typeof say>, fix: ReturnType<typeof say>) =>
		new Failure(server, what, fix, { cause: error });
	// The older transport's errors name their cause in their message alone.
	const old = error instanceof SseError ? error : undefined;
	const code = causeCode(error) ?? /\b(E[A-Z]{4,}|EAI_AGAIN)\b/.exec(old?.message ?? '')?.[1];
	const status = old?.code ?? own(own(error, 'data'), 'status');
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		return fail(
			say('The host of {0} could not be found.', url),
			say('Check "url" in its definition, and the network.'),
		);
	}
	if (code !== undefined && CONNECTION.has(code)) {
		return fail(
			say('Nothing answers at {0} ({1}).', url, code),
			say('Start the server, or correct "url" in its definition.'),
		);
	}
	if (error instanceof UnauthorizedError || status === 401 || status === 403) {
		return fail(say('{0} demands authorization.', url), say('Put the token into "headers" of its definition.'));
	}
	if (typeof status === 'number') {
		return fail(
			say('{0} answered with HTTP status {1}.', url, status),
			say('Check that "url" is the address of an MCP endpoint, and look at the server\'s own log.'),
		);
	}
	return fail(
		say('{0} could not be connected: {1}', url, messageOf(error)),
		say('Check "url" in its definition, and look at its log.'),
	);
}

import type { Direction, Spoken } from '../../conversation/exchange.ts';
import type { CallKind } from '../../elicitation/call.ts';
import type { Shares } from '../../elicitation/clock.ts';
import { isObject, type Json, type JsonObject, keyOf, own } from '../../elicitation/json.ts';
import { parsedJson, textOf } from '../../elicitation/jsonText.ts';
import { isTooDeep, MAX_DEPTH } from '../../elicitation/nesting.ts';
import type { ResponderInfo } from '../../elicitation/responderInfo.ts';

/** Max length of a line (characters). The export writes messages of at most 2 MB, which escapes can make longer. */
const MAX_LINE = 8 * 1024 * 1024;

/** How much is read in a step (bytes). */
const STEP = 16 * 1024;

/** A line feed. In UTF-8, no part of another character looks like it. */
const NEWLINE = 0x0a;

/** Max length of a name (characters). */
const MAX_NAME = 1_000;

const KINDS: readonly unknown[] = ['tool', 'prompt', 'resource'] satisfies CallKind[];
const RESPONDERS: readonly unknown[] = ['script', 'extension', 'forced'] satisfies ResponderInfo['kind'][];

/** The revision that the params of a request name, as every request of 2026-07-28 does. */
export function revisionIn(params: Json | undefined): string | undefined {
	const revision = own(own(params, '_meta'), 'io.modelcontextprotocol/protocolVersion');
	return typeof revision === 'string' ? revision : undefined;
}

/** The call that a recorded message belongs to: the same object for all messages of one. */
export interface RecordedCall {
	/** Unique in the window that was recorded. */
	readonly id: string;
	readonly kind: CallKind;
	readonly name: string;
	readonly trial?: string | undefined;
	readonly answeredBy?: ResponderInfo['kind'] | undefined;
	readonly via?: string | undefined;
	/** As the window has measured them. */
	readonly times?: Shares | undefined;
}

/** A line of a recording. */
export interface RecordedMessage extends Spoken {
	/** Its number in the window that was recorded. */
	readonly seq: number;
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly server: string;
	/** Tells several connections to the server apart: each has ids of its own. */
	readonly session?: string | undefined;
	readonly direction: Direction;
	readonly call?: RecordedCall | undefined;
	/** True if the export shortened the message. */
	readonly truncated: boolean;
	/** True if there is masked input in the message. Without it, there may be some, too. */
	readonly masked: boolean;
	readonly message: JsonObject;
}

/** What the lines of a recording are like. */
export interface Lines {
	/** Number of lines that hold no message. */
	readonly unreadable: number;
	/** True if the file ends in the middle of a line. */
	readonly cutOff: boolean;
	/** True if the messages are in the order in which they were recorded, each of them once. */
	readonly sorted: boolean;
}

export interface Recording extends Lines {
	/** In the order in which they were recorded. */
	readonly messages: readonly RecordedMessage[];
}

/**
 * Reads a recording: the JSON Lines that the timeline exports. Never throws, whatever the file is.
 * @param file in UTF-8
 */
export function readRecording(file: Uint8Array): Recording {
	const messages: RecordedMessage[] = [];
	const reading = readLines(file, (message) => messages.push(message));
	for (;;) {
		const { done, value } = reading.next();
		if (done) {
			return { ...value, messages: value.sorted ? messages : inOrder(messages) };
		}
	}
}

/**
 * Reads a recording without keeping its messages, or the text of more than a few lines. Yields after these how much is read
 * (0 to 1), so that the caller can pause.
 * @param file in UTF-8
 * @param onMessage called with each message, in the order of the lines
 */
export function* readLines(file: Uint8Array, onMessage: (message: RecordedMessage) => void): Generator<number, Lines> {
	const decoder = new TextDecoder();
	const calls = new Calls();
	let last: RecordedMessage | undefined;
	let unreadable = 0;
	let cutOff = false;
	let sorted = true;
	for (let start = 0; start < file.length; ) {
		const newline = file.indexOf(NEWLINE, start + STEP);
		const end = newline < 0 ? file.length : newline;
		const lines = decoder.decode(file.subarray(start, end)).split('\n');
		start = end + 1;
		for (const [index, each] of lines.entries()) {
			// Also removes a byte order mark, which some editors put at the beginning.
			const line = each.trim();
			if (line === '') {
				continue;
			}
			const value = parsed(line);
			const message = messageIn(value, last, calls);
			if (message) {
				// The clock may have been set back between a message and the next one.
				sorted &&= !last || message.seq === last.seq + 1 || distance(last, message) < 0;
				last = message;
				onMessage(message);
			} else if (value === undefined && newline < 0 && index === lines.length - 1) {
				cutOff = true;
			} else {
				unreadable++;
			}
		}
		yield Math.min(1, start / file.length);
	}
	return { unreadable, cutOff, sorted };
}

/** Puts messages in order, and keeps each once: exports that were put into one file may overlap. */
export function inOrder(messages: RecordedMessage[]): readonly RecordedMessage[] {
	return messages.sort(distance).filter((each, index, all) => !isSame(each, all[index - 1]));
}

/** Several windows may have been exported, so the time decides first. */
function distance(a: RecordedMessage, b: RecordedMessage): number {
	return a.at - b.at || a.seq - b.seq;
}

function isSame(a: RecordedMessage, b: RecordedMessage | undefined): boolean {
	const same = (name: string) => own(a.message, name) === own(b?.message, name);
	return (
		b !== undefined &&
		distance(a, b) === 0 &&
		a.server === b.server &&
		a.session === b.session &&
		a.direction === b.direction &&
		['id', 'method'].every(same)
	);
}

function parsed(line: string): Json | undefined {
	if (line.length > MAX_LINE) {
		return undefined;
	}
	const value = parsedJson(line);
	return value !== undefined && line.length > 2 * MAX_DEPTH && isTooDeep(value) ? null : value;
}

/** @param last the message before it, for a line without a number or a time */
function messageIn(
	line: Json | undefined,
	last: RecordedMessage | undefined,
	calls: Calls,
): RecordedMessage | undefined {
	const [server, direction, message] = [own(line, 'server'), own(line, 'direction'), own(line, 'message')];
	if (!isName(server) || (direction !== 'sent' && direction !== 'received') || !isObject(message)) {
		return undefined;
	}
	const [seq, session] = [own(line, 'seq'), own(line, 'session')];
	const at = Date.parse(textOf(own(line, 'at')));
	// Listing the members, also those that are undefined, is much faster than spreading objects with and without them.
	return {
		seq: typeof seq === 'number' ? seq : (last?.seq ?? -1) + 1,
		at: Number.isNaN(at) ? (last?.at ?? 0) : at,
		server,
		session: isName(session) ? session : undefined,
		direction,
		call: calls.of(server, callIn(own(line, 'call'))),
		truncated: own(line, 'abridged') === true,
		masked: own(line, 'masked') === true,
		message,
	};
}

/** The calls of a recording. Several windows may have given an id to calls of theirs. */
class Calls {
	/** By id, the last one, its server, and all if there are several: by server, kind, and name. */
	readonly #byId = new Map<string, { server: string; call: RecordedCall; all?: Map<string, RecordedCall> }>();

	/** The object that stands for a call. */
	of(server: string, call: RecordedCall | undefined): RecordedCall | undefined {
		if (!call) {
			return undefined;
		}
		const { id, kind, name } = call;
		const last = this.#byId.get(id);
		if (!last) {
			this.#byId.set(id, { server, call });
			return call;
		}
		if (last.server !== server || last.call.kind !== kind || last.call.name !== name) {
			last.all ??= new Map([[keyOf(last.server, last.call.kind, last.call.name), last.call]]);
			const key = keyOf(server, kind, name);
			last.server = server;
			last.call = last.all.get(key) ?? call;
			last.all.set(key, last.call);
		}
		return last.call;
	}
}

function callIn(call: Json | undefined): RecordedCall | undefined {
	const [id, kind, name] = [own(call, 'id'), own(call, 'kind'), own(call, 'name')];
	if (!isName(id) || !KINDS.includes(kind) || typeof name !== 'string') {
		return undefined;
	}
	const [trial, answeredBy, via] = [own(call, 'trial'), own(call, 'answeredBy'), own(call, 'via')];
	return {
		id,
		kind: kind as CallKind,
		name,
		trial: typeof trial === 'string' ? trial : undefined,
		answeredBy: RESPONDERS.includes(answeredBy) ? (answeredBy as ResponderInfo['kind']) : undefined,
		via: typeof via === 'string' ? via : undefined,
		times: timesIn(own(call, 'times')),
	};
}

function timesIn(times: Json | undefined): Shares | undefined {
	const [server, person, automatic] = ['server', 'person', 'automatic'].map((share) => own(times, share));
	return isTime(server) && isTime(person) && isTime(automatic) ? { server, person, automatic } : undefined;
}

function isTime(value: Json | undefined): value is number {
	return typeof value === 'number' && value >= 0;
}

function isName(value: Json | undefined): value is string {
	return typeof value === 'string' && value.length <= MAX_NAME;
}

import type { DiscoverResult, JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, own } from '../elicitation/json.ts';
import type { Direction } from '../trace/log.ts';
import { MODERN } from './rounds/rounds.ts';

const METHOD_NOT_FOUND = -32601;
const UNSUPPORTED_PROTOCOL_VERSION = -32022;

/**
 * The probe for the newer era as it crosses the wire. The SDK takes a process that does not answer it in time for one of the
 * older era, and no longer listens for the answer; but a silence is no answer (E05).
 */
export class Probe {
	#id: unknown;
	#answered = false;
	#initializing = false;
	#late: DiscoverResult | undefined;

	/** What the server has answered after all, when it says that it speaks the newer era. */
	get late(): DiscoverResult | undefined {
		return this.#late;
	}

	/** Told of every message. */
	see(direction: Direction, message: JSONRPCMessage): void {
		const method = own(message, 'method');
		const id = own(message, 'id');
		if (direction === 'sent') {
			this.#id = method === 'server/discover' ? id : this.#id;
			this.#initializing ||= method === 'initialize';
			return;
		}
		if (method !== undefined || id === undefined || id !== this.#id) {
			return;
		}
		this.#answered = true;
		const result = own(message, 'result');
		const versions = own(result, 'supportedVersions');
		const modern = Array.isArray(versions) && versions.includes(MODERN) && isObject(own(result, 'capabilities'));
		if (this.#initializing && modern) {
			this.#late = result as DiscoverResult;
		}
	}

	/** Whether the server may speak the newer era, now that `initialize` has failed with that error. */
	isOpen(error: unknown): boolean {
		return this.#initializing && (this.#late !== undefined || (!this.#answered && isUnknownMethod(error)));
	}
}

/** Whether an answer to `initialize` says that there is no such thing, in whichever words, over HTTP with a status of its own. */
function isUnknownMethod(error: unknown): boolean {
	const { code, message } = answerOf(error);
	return (
		code === METHOD_NOT_FOUND ||
		code === UNSUPPORTED_PROTOCOL_VERSION ||
		(typeof code === 'number' &&
			/method|initialize/i.test(String(message)) &&
			/unknown|unrecogni[sz]ed|unsupported|no such|not (found|supported|implemented|exist)/i.test(String(message)))
	);
}

function answerOf(error: unknown): { readonly code?: unknown; readonly message?: unknown } {
	const body = own(own(error, 'data'), 'text');
	if (typeof body !== 'string') {
		return { code: own(error, 'code'), message: own(error, 'message') };
	}
	try {
		const answer = own(JSON.parse(body), 'error');
		return isObject(answer) ? answer : {};
	} catch {
		return {};
	}
}

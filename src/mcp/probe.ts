import type { DiscoverResult, JSONRPCMessage } from '@modelcontextprotocol/client';
import { METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION } from '../elicitation/errorCodes.ts';
import { idKey, isObject, own } from '../elicitation/json.ts';
import { STATELESS } from '../elicitation/revisions.ts';
import type { Direction } from '../trace/log.ts';
import { responseIn } from './http/sessionEnd.ts';

/**
 * Observes the `server/discover` probe. If a stdio server doesn't respond in time, the SDK assumes an older revision and
 * ignores a late response. This class keeps it (E05).
 */
export class Probe {
	#id: string | undefined;
	#answered = false;
	#initializing = false;
	#late: DiscoverResult | undefined;

	/** The late response, if it says that the server speaks the modern revision. */
	get late(): DiscoverResult | undefined {
		return this.#late;
	}

	/** Call with every message. */
	see(direction: Direction, message: JSONRPCMessage): void {
		const method = own(message, 'method');
		const id = idKey(own(message, 'id'));
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
		const modern = Array.isArray(versions) && versions.includes(STATELESS) && isObject(own(result, 'capabilities'));
		if (this.#initializing && modern) {
			this.#late = result as DiscoverResult;
		}
	}

	/** True if the server may speak the modern revision after all, given that `initialize` failed with this error. */
	isOpen(error: unknown): boolean {
		return this.#initializing && (this.#late !== undefined || (!this.#answered && isUnknownMethod(error)));
	}
}

/** True if the error says that `initialize` is unknown, in any wording. Over HTTP, it may come with a status of its own. */
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
	const { text: body } = responseIn(error);
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

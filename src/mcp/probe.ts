import { type DiscoverResult, type JSONRPCMessage, ProtocolError } from '@modelcontextprotocol/client';
import { idKey, isObject, type Json, own } from '../elicitation/json.ts';
import { STATELESS } from '../elicitation/revisions.ts';
import type { Direction } from '../trace/log.ts';
import { httpErrorIn } from './http/httpError.ts';

/**
 * Observes the `server/discover` probe. If a stdio server doesn't respond in time, the SDK assumes an older revision and
 * ignores a late response. This class keeps it (E05).
 */
export class Probe {
	#id: string | undefined;
	#answered = false;
	#initialize: string | undefined;
	#chosen: Json | undefined;
	#late: DiscoverResult | undefined;

	/** The late response, if it says that the server speaks the modern revision. */
	get late(): DiscoverResult | undefined {
		return this.#late;
	}

	/** The protocol revision that the server has chosen in response to `initialize`. */
	get chosen(): Json | undefined {
		return this.#chosen;
	}

	/** Call with every message. */
	see(direction: Direction, message: JSONRPCMessage): void {
		const method = own(message, 'method');
		const id = idKey(own(message, 'id'));
		if (direction === 'sent') {
			this.#id = method === 'server/discover' ? id : this.#id;
			this.#initialize = method === 'initialize' ? id : this.#initialize;
			return;
		}
		if (method === undefined && id !== undefined && id === this.#initialize) {
			this.#chosen = own(own(message, 'result'), 'protocolVersion');
		}
		if (method !== undefined || id === undefined || id !== this.#id) {
			return;
		}
		this.#answered = true;
		const result = own(message, 'result');
		const versions = own(result, 'supportedVersions');
		const modern = Array.isArray(versions) && versions.includes(STATELESS) && isObject(own(result, 'capabilities'));
		if (this.#initialize !== undefined && modern) {
			this.#late = result as DiscoverResult;
		}
	}

	/** True if the server may speak the modern revision after all, given that `initialize` failed with this error. */
	isOpen(error: unknown): boolean {
		return this.#initialize !== undefined && (this.#late !== undefined || (!this.#answered && isJsonRpc(error)));
	}
}

/** True for a JSON-RPC error. Over HTTP, it may come with a status of its own. */
function isJsonRpc(error: unknown): boolean {
	return error instanceof ProtocolError || httpErrorIn(error)?.refusal.code !== undefined;
}

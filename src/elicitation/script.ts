import { delay } from './abort.ts';
import type { AutoResponder, Referral } from './autoResponders.ts';
import type { Elicitation, ElicitationResponse, ProperResponse } from './elicitation.ts';
import { initialInputs, toContent } from './form/inputs.ts';
import { fieldsOf } from './form/readFields.ts';
import { globMatcher } from './glob.ts';
import { type JsonObject, plainObject } from './json.ts';
import type { FormRequest } from './request.ts';
import type { ResponderInfo } from './responderInfo.ts';
import { localizable } from './sentence.ts';

/** Which elicitations a scripted answer applies to. All members are globs; absent ones match everything. */
export interface ScriptMatch {
	readonly server?: string;
	/** The tool whose call caused the elicitation. */
	readonly tool?: string;
	readonly message?: string;
	readonly mode?: string;
}

/** A scripted answer. */
export interface ScriptedAnswer {
	readonly match: ScriptMatch;
	/** `content` is merged over the schema's defaults. Absent if the script is invalid; the user is then asked. */
	readonly decision?: ProperResponse;
	/** Delay before responding (ms). */
	readonly delayMs: number;
	/** How many elicitations it may be used for. */
	readonly times: number;
}

/** Responds to matching elicitations with one scripted answer. */
export class ScriptAutoResponder implements AutoResponder {
	readonly #matches: (elicitation: Elicitation) => boolean;
	/** Number of elicitations that it has responded to. */
	#used = 0;
	/** The elicitations that it is responding to. */
	readonly #trying = new Set<Elicitation>();
	#released = new AbortController();

	/** @param allowed whether it may respond; checked before responding and again after a delay */
	constructor(
		readonly responder: ResponderInfo,
		private readonly script: ScriptedAnswer,
		private readonly allowed: (elicitation: Elicitation) => Promise<boolean>,
	) {
		this.#matches = matcher(script.match);
	}

	async respond(elicitation: Elicitation, signal: AbortSignal): Promise<ElicitationResponse | Referral | undefined> {
		const { decision, delayMs } = this.script;
		if (!this.#left || !this.#matches(elicitation) || !(await this.allowed(elicitation))) {
			return undefined;
		}
		if (!decision) {
			return { action: 'refer', reason: localizable('It cannot be used as written: see the Problems panel.') };
		}
		// While the permission was checked, the script may have been used up or the elicitation may have ended.
		if (!this.#left || signal.aborted) {
			return undefined;
		}
		this.#trying.add(elicitation);
		if (delayMs > 0 && !((await delay(delayMs, signal)) && (await this.allowed(elicitation)))) {
			return undefined;
		}
		const { request } = elicitation;
		return decision.action === 'accept' && request.mode === 'form'
			? { action: 'accept', content: overDefaults(request, decision.content ?? {}) }
			: decision;
	}

	/** A response that was not sent does not count. */
	ended(elicitation: Elicitation): void {
		if (this.#trying.delete(elicitation) && elicitation.responder === this.responder) {
			this.#used++;
		}
	}

	get released(): AbortSignal {
		return this.#released.signal;
	}

	/** The elicitations that wait for it go on without it. */
	release(): void {
		this.#released.abort();
		this.#released = new AbortController();
	}

	get #left(): boolean {
		return this.#used + this.#trying.size < this.script.times;
	}
}

function matcher({ server, tool, message, mode }: ScriptMatch): (elicitation: Elicitation) => boolean {
	const fits = (pattern: string | undefined) => (pattern === undefined ? () => true : globMatcher(pattern));
	const [fitsServer, fitsTool, fitsMessage, fitsMode] = [fits(server), fits(tool), fits(message), fits(mode)];
	return ({ request, origin }) =>
		fitsServer(origin.server) &&
		fitsMode(request.mode) &&
		// If several calls may have caused it, all of them have to match.
		(tool === undefined ||
			(origin.calls.length > 0 && origin.calls.every(({ kind, name }) => kind === 'tool' && fitsTool(name)))) &&
		fitsMessage(request.message);
}

/** The content that the form would initially send, overridden by `content`. */
function overDefaults({ requestedSchema }: FormRequest, content: JsonObject): JsonObject {
	const fields = fieldsOf(requestedSchema);
	const defaults = toContent(fields, initialInputs(fields)).content;
	return plainObject([...Object.entries(defaults), ...Object.entries(content)]);
}

import { passed } from './abort.ts';
import type { ResponderInfo } from './autoResponder.ts';
import type { AutoResponder, Decision, Referral } from './autoResponders.ts';
import type { Elicitation } from './elicitation.ts';
import { initialInputs, toContent } from './form/answer.ts';
import { fieldsOf } from './form/readFields.ts';
import { globMatcher } from './glob.ts';
import { type JsonObject, plainObject } from './json.ts';
import type { FormRequest } from './request.ts';
import { localizable } from './sentence.ts';

/** Which questions a scripted answer is for; what is left out fits every question. All are globs. */
export interface ScriptMatch {
	readonly server?: string;
	/** The tool in whose call the server asks. */
	readonly tool?: string;
	readonly message?: string;
	readonly mode?: string;
}

/** An answer that was written down beforehand. */
export interface ScriptedAnswer {
	readonly match: ScriptMatch;
	/** `content` goes over the schema's defaults. Absent where what was written is unusable: the user answers what it is for. */
	readonly decision?: Decision;
	/** How long to wait with it, in milliseconds. */
	readonly delayMs: number;
	/** For how many questions it may be used. */
	readonly times: number;
}

/** Gives one scripted answer to the questions that it is for. */
export class ScriptAnswerer implements AutoResponder {
	readonly #matches: (elicitation: Elicitation) => boolean;
	#used = 0;

	/** @param allowed whether it may answer: asked once it could, and again before it does after a delay */
	constructor(
		readonly responder: ResponderInfo,
		private readonly script: ScriptedAnswer,
		private readonly allowed: (elicitation: Elicitation) => Promise<boolean>,
	) {
		this.#matches = matcher(script.match);
	}

	async answer(elicitation: Elicitation, signal: AbortSignal): Promise<Decision | Referral | undefined> {
		const { decision, delayMs } = this.script;
		if (!this.#left || !this.#matches(elicitation) || !(await this.allowed(elicitation))) {
			return undefined;
		}
		if (!decision) {
			return { action: 'refer', reason: localizable('It is not usable as it is written: see the Problems panel.') };
		}
		// Another question may have used it up, and this one may have ended, while the user was asked whether it may.
		if (!this.#left || signal.aborted) {
			return undefined;
		}
		this.#used++;
		if (delayMs > 0 && !((await passed(delayMs, signal)) && (await this.allowed(elicitation)))) {
			this.#used--;
			return undefined;
		}
		const { request } = elicitation;
		return decision.action === 'accept' && request.mode === 'form'
			? { action: 'accept', content: overDefaults(request, decision.content ?? {}) }
			: decision;
	}

	get #left(): boolean {
		return this.#used < this.script.times;
	}
}

function matcher({ server, tool, message, mode }: ScriptMatch): (elicitation: Elicitation) => boolean {
	const fits = (pattern: string | undefined) => (pattern === undefined ? () => true : globMatcher(pattern));
	const [fitsServer, fitsTool, fitsMessage, fitsMode] = [fits(server), fits(tool), fits(message), fits(mode)];
	return ({ request, origin }) =>
		fitsServer(origin.server) &&
		fitsMode(request.mode) &&
		// Where the protocol does not tell which call it was, every one that it may have been has to fit.
		(tool === undefined ||
			(origin.calls.length > 0 && origin.calls.every(({ kind, name }) => kind === 'tool' && fitsTool(name)))) &&
		fitsMessage(request.message);
}

/** What a form would send as it opens, with these members in the place of its own. */
function overDefaults({ requestedSchema }: FormRequest, content: JsonObject): JsonObject {
	const fields = fieldsOf(requestedSchema);
	const defaults = toContent(fields, initialInputs(fields)).content;
	return plainObject([...Object.entries(defaults), ...Object.entries(content)]);
}

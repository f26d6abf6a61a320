import type { AutoResponders, Referral } from './autoResponders.ts';
import type { Call } from './call.ts';
import type { Elicitation, ElicitationResponse } from './elicitation.ts';
import { isObject, keyOf, own } from './json.ts';
import { localizable, type Sentence } from './sentence.ts';

/** The responses of a call, to be repeated when the call is replayed: for the same requests in the same order. */
export class RecordedResponses {
	readonly #elicitations = new Map<string, Elicitation[]>();
	/** Number of recorded responses. */
	readonly size: number;

	/** @param elicitations includes the elicitations of the call, oldest first */
	constructor(
		call: Call,
		elicitations: readonly Elicitation[],
		private readonly autoResponders: AutoResponders,
	) {
		const ofCall = elicitations.filter(({ cause }) => cause === call);
		this.size = ofCall.filter(({ response, endedFirst }) => response && !endedFirst).length;
		for (const elicitation of ofCall) {
			const key = requestKey(elicitation);
			this.#elicitations.set(key, [...(this.#elicitations.get(key) ?? []), elicitation]);
		}
	}

	/**
	 * Returns the recorded response, or refers to the user if it cannot be repeated. URL elicitations are never
	 * accepted by a replay, because consent is given to each URL anew (U02).
	 */
	async respond(elicitation: Elicitation): Promise<ElicitationResponse | Referral | undefined> {
		const [recorded, ...later] = this.#elicitations.get(requestKey(elicitation)) ?? [];
		this.#elicitations.set(requestKey(elicitation), later);
		if (!recorded) {
			return refer(localizable('The replayed call did not get this request.'));
		}
		const { response, endedFirst } = recorded;
		if (!response || endedFirst) {
			return refer(localizable('The replayed call got this request, but it was never answered.'));
		}
		if (response.action === 'accept' && elicitation.request.mode === 'url') {
			return undefined;
		}
		// A deliberate schema violation is repeated deliberately.
		const schemaViolation = recorded.schemaViolation
			? undefined
			: await this.autoResponders.schemaViolationOf(elicitation, response);
		return schemaViolation
			? refer(localizable('The earlier response is not sent again. {0}', schemaViolation))
			: response;
	}
}

/** Requests with the same key are considered the same. */
function requestKey({ request }: Elicitation): string {
	const properties = request.mode === 'form' ? own(request.requestedSchema, 'properties') : undefined;
	const names = isObject(properties) ? Object.keys(properties).sort() : [];
	return keyOf(request.mode, request.message, names);
}

function refer(reason: Sentence): Referral {
	return { action: 'refer', reason };
}

import type { Elicitation } from '../elicitation.ts';
import { keyOf } from '../json.ts';

/** Counts the URL elicitations with the same id on one connection. */
export class UrlIds {
	readonly #counts = new Map<string, number>();

	add(elicitation: Elicitation): void {
		this.#change(elicitation, 1);
	}

	delete(elicitation: Elicitation): void {
		this.#change(elicitation, -1);
	}

	/** True if the server has given the id of an elicitation to others, too. */
	isRepeated(elicitation: Elicitation): boolean {
		const key = idKey(elicitation);
		return key !== undefined && (this.#counts.get(key) ?? 0) > 1;
	}

	#change(elicitation: Elicitation, by: 1 | -1): void {
		const key = idKey(elicitation);
		if (key === undefined) {
			return;
		}
		const count = (this.#counts.get(key) ?? 0) + by;
		if (count > 0) {
			this.#counts.set(key, count);
		} else {
			this.#counts.delete(key);
		}
	}
}

/** Undefined if it has no id. */
function idKey({ request, origin }: Elicitation): string | undefined {
	return request.mode === 'url' && request.elicitationId !== undefined
		? keyOf(origin.connection, request.elicitationId)
		: undefined;
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ErrorCode, RpcError } from './rpc.ts';

/** No call of the demo is answered later than that (milliseconds). */
const LIFETIME = 15 * 60_000;

/** Carries what a call knows from one round to the next. The client keeps it, so it is signed and expires. */
export class RequestStates<State> {
	readonly #key = randomBytes(32);

	mint(state: State): string {
		const payload = Buffer.from(JSON.stringify({ state, expires: Date.now() + LIFETIME })).toString('base64url');
		return `${payload}.${this.#sign(payload).toString('base64url')}`;
	}

	/** Throws what the client is told when the text is not one of ours, or too old. */
	read(text: unknown): State {
		const [payload = '', signature = ''] = String(text).split('.');
		const given = Buffer.from(signature, 'base64url');
		const ours = this.#sign(payload);
		if (given.length === ours.length && timingSafeEqual(given, ours)) {
			const { state, expires } = JSON.parse(Buffer.from(payload, 'base64url').toString());
			if (Date.now() < expires) return state;
		}
		throw new RpcError(ErrorCode.invalidParams, 'Invalid or expired requestState');
	}

	#sign(payload: string): Buffer {
		return createHmac('sha256', this.#key).update(payload).digest();
	}
}

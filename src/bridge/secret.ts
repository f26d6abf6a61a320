import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that cannot be guessed. */
export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** Whether two secrets are the same, in a time that does not tell how much of them is. */
export function isSameSecret(one: string, other: string): boolean {
	return timingSafeEqual(digest(one), digest(other));
}

/** Fixed length, as `timingSafeEqual` requires. */
function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

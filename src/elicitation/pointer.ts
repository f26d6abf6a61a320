/** JSON pointers (RFC 6901): how a name is written in one, and the names in one. */

/** Escapes a name for a JSON pointer. */
export function pointerToken(name: string): string {
	return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The name that was escaped for a JSON pointer. */
export function nameOfToken(token: string): string {
	return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The names in a JSON pointer, outermost first. */
export function pointerNames(pointer: string): string[] {
	return pointer.split('/').slice(1).map(nameOfToken);
}

import { isObject, type Json, own } from '../json.ts';
import type { AcceptedFile } from './fields.ts';

/** Larger files do not belong into a message (bytes). */
export const MAX_FILE_SIZE = 1024 * 1024;

/** A number of bytes as it is shown: in KB, rounded up. */
export function kilobytes(bytes: number): number {
	return Math.ceil(bytes / 1024);
}

/** A file that was chosen. */
export interface ChosenFile {
	readonly name: string;
	/** Its media type; blank if unknown. */
	readonly type: string;
	/** Bytes. */
	readonly size: number;
}

/** Reads `x-mcp-file`, which marks a text as a file (draft: SEP-2356). Undefined if there is none. */
export function acceptedFile(descriptor: Json | undefined): AcceptedFile | undefined {
	if (!isObject(descriptor)) {
		return undefined;
	}
	const [accept, maxSize] = [own(descriptor, 'accept'), own(descriptor, 'maxSize')];
	return {
		accept: Array.isArray(accept) ? accept.filter((each) => typeof each === 'string') : [],
		maxSize: typeof maxSize === 'number' && maxSize > 0 ? Math.min(maxSize, MAX_FILE_SIZE) : MAX_FILE_SIZE,
	};
}

/** Whether a file has one of the accepted media types (`image/png`, `image/*`) or extensions (`.pdf`). */
export function isAccepted({ accept }: AcceptedFile, { name, type }: ChosenFile): boolean {
	const has = (pattern: string) =>
		pattern.startsWith('.')
			? name.toLowerCase().endsWith(pattern)
			: pattern.endsWith('/*')
				? type.toLowerCase().startsWith(pattern.slice(0, -1))
				: type.toLowerCase() === pattern;
	return accept.length === 0 || accept.some((pattern) => has(pattern.trim().toLowerCase()));
}

/** A file as a data URI (RFC 2397) with its name, as the draft demands. */
export function fileUri({ name, type }: Pick<ChosenFile, 'name' | 'type'>, base64: string): string {
	return `data:${type || 'application/octet-stream'};name=${encodeURIComponent(name)};base64,${base64}`;
}

/** The file in such a URI; undefined for any other text. */
export function fileIn(uri: string): ChosenFile | undefined {
	const [head = '', type = '', name = ''] = /^data:([^;,]*);name=([^;,]*);base64,/.exec(uri) ?? [];
	if (head === '') {
		return undefined;
	}
	const padding = /=*$/.exec(uri.slice(-2))?.[0].length ?? 0;
	const size = Math.max(0, Math.floor(((uri.length - head.length) * 3) / 4) - padding);
	try {
		return { name: decodeURIComponent(name), type, size };
	} catch {
		return { name, type, size };
	}
}

import { shorten } from '../../../elicitation/display.ts';
import { own } from '../../../elicitation/json.ts';

/** Max length of a server's message in a table (characters). */
export const MOST_WORDS = 200;

/** Start of a result of any kind: its first text, or its JSON. Server text. */
export function firstWords(result: unknown): string {
	const entries = ['content', 'messages', 'contents'].map((name) => own(result, name)).find(Array.isArray) ?? [];
	for (const entry of entries) {
		const content = own(entry, 'content') ?? entry;
		const text = own(content, 'text');
		if (typeof text === 'string' && text.trim() !== '') {
			return shorten(text.trim(), MOST_WORDS);
		}
	}
	return entries.length > 0 ? shorten(JSON.stringify(entries[0]), MOST_WORDS) : '';
}

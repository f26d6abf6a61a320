import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { root } from '../../harness/paths.mjs';
import type { Language } from './words.ts';

/** Where a picture is kept, and beside it what it shows. */
export function filesOf(name: string, language: Language): { readonly picture: string; readonly text: string } {
	const path = join(root, 'media', 'readme', language === 'en' ? name : `${name}.${language}`);
	return { picture: `${path}.png`, text: `${path}.txt` };
}

/** What a picture carries to tell of which text it was drawn. */
export function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}

/** A text without what differs from run to run: times, and how long something took. */
export function comparable(text: string): string {
	return text
		.replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, '‹time›')
		.replace(/(上午|下午)?\d{1,2}:\d\d:\d\d(\.\d+)?( [AP]M)?/g, '‹time›')
		.replace(/\d+(\.\d+)? ?(ms|s|毫秒|秒)(?=\W|$|[\u4e00-\u9fff])/g, '‹duration›')
		.replaceAll('just now', '‹duration› ago')
		.replaceAll('刚刚', '‹duration›前')
		.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '‹id›');
}

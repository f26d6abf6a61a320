import { createHash } from 'node:crypto';

/** What a picture carries to tell of which text it was drawn. */
export function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}

/** A text without what differs from run to run: times, how long something took, and numbers of messages. */
export function comparable(text: string): string {
	return text
		.replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, '‹time›')
		.replace(/(上午|下午)?\d{1,2}:\d\d:\d\d(\.\d+)?( [AP]M)?/g, '‹time›')
		.replace(/\d+(\.\d+)? ?(ms|s|毫秒|秒)(?=\W|$|[\u4e00-\u9fff])/g, '‹duration›')
		.replaceAll('just now', '‹duration› ago')
		.replaceAll('刚刚', '‹duration›前')
		.replace(/ #\d+/g, ' #‹number›')
		.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '‹id›');
}

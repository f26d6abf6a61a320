/**
 * Writes a value as JSON. Numbers too large for floating point are infinite and would become null; they are written so
 * that they are read as infinite again.
 */
export function toJson(value: unknown, indent?: number): string {
	const text = JSON.stringify(value, undefined, indent);
	if (!text.includes('null')) {
		return text;
	}
	let mark = 'infinite';
	while (text.includes(mark)) {
		mark += '!';
	}
	const marked = (_: string, item: unknown) =>
		item === Number.POSITIVE_INFINITY ? mark : item === Number.NEGATIVE_INFINITY ? `-${mark}` : item;
	return JSON.stringify(value, marked, indent).replaceAll(`"${mark}"`, '1e999').replaceAll(`"-${mark}"`, '-1e999');
}

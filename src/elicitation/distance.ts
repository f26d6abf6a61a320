/** How many letters of a word were changed, left out, inserted, or swapped with their neighbor; at most `limit`. */
export function distance(a: string, b: string, limit: number): number {
	if (Math.abs(a.length - b.length) >= limit) {
		return limit;
	}
	let beforeLast: number[] = [];
	let last = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		// Further from the diagonal, it takes more steps than the limit.
		for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
			const same = a[i - 1] === b[j - 1];
			let steps = Math.min((last[j] ?? limit) + 1, (row[j - 1] ?? limit) + 1, (last[j - 1] ?? limit) + (same ? 0 : 1));
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
				steps = Math.min(steps, (beforeLast[j - 2] ?? limit) + 1);
			}
			row[j] = steps;
		}
		beforeLast = last;
		last = row;
	}
	return Math.min(limit, last[b.length] ?? limit);
}

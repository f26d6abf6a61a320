/** Other clients' names for our members. */
const ALIASES: Readonly<Record<string, string>> = {
	serverurl: 'url',
	httpurl: 'url',
	endpoint: 'url',
	uri: 'url',
	cmd: 'command',
	executable: 'command',
	program: 'command',
	arguments: 'args',
	argv: 'args',
	parameters: 'args',
	environment: 'env',
	environmentvariables: 'env',
	workingdirectory: 'cwd',
	dotenv: 'envFile',
	transport: 'type',
	transporttype: 'type',
	requestheaders: 'headers',
	httpheaders: 'headers',
	mcpservers: 'servers',
	servers: 'mcpServers',
};

/** The known name that was probably meant; undefined if none is similar. */
export function nearest(name: string, known: readonly string[]): string | undefined {
	const plain = letters(name);
	const alias = Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined;
	if (alias !== undefined && known.includes(alias)) {
		return alias;
	}
	const tolerated = Math.min(2, Math.floor(plain.length / 3));
	let best: string | undefined;
	let least = tolerated + 1;
	for (const candidate of known) {
		const steps = distance(plain, letters(candidate), least);
		if (steps < least) {
			least = steps;
			best = candidate;
		}
	}
	return best;
}

function letters(name: string): string {
	return name
		.slice(0, 100)
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();
}

/** Edit distance (change, deletion, insertion, transposition), capped at `limit`. */
function distance(a: string, b: string, limit: number): number {
	if (Math.abs(a.length - b.length) >= limit) {
		return limit;
	}
	let beforeLast: number[] = [];
	let last = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const same = a[i - 1] === b[j - 1];
			let steps = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
				steps = Math.min(steps, (beforeLast[j - 2] ?? 0) + 1);
			}
			row.push(steps);
		}
		beforeLast = last;
		last = row;
	}
	return Math.min(limit, last[b.length] ?? limit);
}

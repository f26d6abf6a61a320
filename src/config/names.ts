import { distance } from '../elicitation/distance.ts';

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

/** Max known names that a name is compared with. */
const MAX_KNOWN = 50;

/** The known name that was probably meant; undefined if none is similar. */
export function nearest(name: string, known: readonly string[]): string | undefined {
	const plain = letters(name);
	const alias = aliasOf(name);
	if (alias !== undefined && known.includes(alias)) {
		return alias;
	}
	const tolerated = Math.min(2, Math.floor(plain.length / 3));
	let best: string | undefined;
	let least = tolerated + 1;
	for (const candidate of known.slice(0, MAX_KNOWN)) {
		const steps = distance(plain, letters(candidate), least);
		if (steps < least) {
			least = steps;
			best = candidate;
		}
	}
	return best;
}

/** Our name for a member of another client; undefined for others. */
export function aliasOf(name: string): string | undefined {
	const plain = letters(name);
	return Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined;
}

function letters(name: string): string {
	return name
		.slice(0, 100)
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();
}

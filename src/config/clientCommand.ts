import { isObject, type Json, own } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { definitionOf, wordsOf } from './commandLine.ts';
import { type Linked, PASTE_INSTEAD } from './installLink.ts';
import { parseText } from './text.ts';

/** Options of the command lines that add a server, by what follows them, and what they are called here. */
const OPTIONS: Readonly<Record<string, string>> = {
	'-t': 'transport',
	'--transport': 'transport',
	'--type': 'transport',
	'-e': 'env',
	'--env': 'env',
	'-H': 'header',
	'--header': 'header',
	'--headers': 'header',
	'--name': 'name',
	'--url': 'target',
	'--command': 'target',
	'--args': 'args',
	'--bearer-token-env-var': 'token',
	'--client-id': 'clientId',
	'--callback-port': 'callbackPort',
	'--cwd': 'cwd',
	// Where another client keeps it, and what it does with it.
	'-s': 'ignored',
	'--scope': 'ignored',
	'--timeout': 'ignored',
	'--description': 'ignored',
	'--include-tools': 'ignored',
	'--exclude-tools': 'ignored',
	'--agent': 'ignored',
};

/** Programs that write the configuration of a client, and are no servers. */
const INSTALLER = /\s(?:@smithery\/cli(?:@\S*)?\s+(?:install|mcp\s+add)|(?:install-mcp|add-mcp)(?:@\S*)?)\s/;

/**
 * Reads a command line that adds a server to another client, which would be run as a server otherwise.
 * @returns a sentence if there is no definition in it; undefined for other command lines
 */
export function readClientCommand(text: string): Linked | Sentence | undefined {
	const words = wordsOf(text);
	const added = words.flatMap((word, index) => {
		const [, inside] = /^--add-mcp(?:=(.*))?$/s.exec(word) ?? [];
		return word.startsWith('--add-mcp') ? [jsonIn(inside ?? words[index + 1])] : [];
	});
	const adding = words.findIndex((word, index) => word === 'mcp' && /^add(?:-[a-z]+)*$/.test(words[index + 1] ?? ''));
	// A runner and its options may come before the client.
	const isAdding = adding > 0 && adding < 4 && !INSTALLER.test(`${text} `);
	const isJson = words[adding + 1] === 'add-json';
	// JSON has no variables of a shell.
	const server = isAdding
		? serverIn(isJson, (isJson ? words : wordsOf(text, variablesIn)).slice(adding + 2))
		: undefined;
	const documents = server ? [server] : added.filter((each) => each !== undefined);
	if (documents.length > 0) {
		return { document: documents.length === 1 ? (documents[0] as Json) : { servers: documents } };
	}
	return isAdding || added.length > 0 || INSTALLER.test(`${text} `)
		? localizable(
				'This command line adds a server to another client, and no definition can be read from it. {0}',
				PASTE_INSTEAD,
			)
		: undefined;
}

function jsonIn(text: string | undefined): Json | undefined {
	// Quoted for a shell that keeps the backslashes.
	const value = [text ?? '', (text ?? '').replaceAll('\\"', '"')].map((each) => parseText(each).value).find(isObject);
	return value as Json | undefined;
}

/** The definition in the options, the name, and the program or URL of `mcp add`. */
function serverIn(isJson: boolean, words: readonly string[]): Json | undefined {
	const { given, positional } = optionsIn(words);
	const [name = '', target = '', ...more] = [...(given['name'] ?? []), ...withTarget(positional, given)];
	if (isJson) {
		const definition = jsonIn(target);
		return definition && { ...(definition as object), name };
	}
	const pairs = (list: readonly string[] = [], between: RegExp) =>
		Object.fromEntries(
			list.flatMap((text) => {
				const { index = -1, 0: mark = '' } = between.exec(text) ?? {};
				return index > 0 ? [[text.slice(0, index), text.slice(index + mark.length)]] : [];
			}),
		);
	if (/^https?:/i.test(target)) {
		const [token, clientId, port] = ['token', 'clientId', 'callbackPort'].map((option) => given[option]?.[0]);
		const headers = pairs(given['header'], /[:=]\s*/);
		const oauth = {
			...(clientId !== undefined && { clientId }),
			...(port !== undefined && { callbackPort: Number(port) }),
		};
		return {
			name,
			type: given['transport']?.[0] === 'sse' ? 'sse' : 'http',
			url: target,
			...(Object.keys(headers).length > 0 && { headers }),
			...(token !== undefined && { bearer_token_env_var: token }),
			...(Object.keys(oauth).length > 0 && { oauth }),
		};
	}
	// A client may take the whole command line as one word.
	const program = more.length > 0 ? { command: target, args: more } : definitionOf(target);
	const env = { ...(own(program, 'env') as object), ...pairs(given['env'], /=/) };
	return program && { name, ...(program as object), ...(Object.keys(env).length > 0 && { env }) };
}

/** The program that an option names, with its arguments, takes the place of positional words. */
function withTarget(positional: readonly string[], given: Given): readonly string[] {
	const [target] = given['target'] ?? [];
	const args = (given['args'] ?? []).flatMap((list) => list.split(','));
	const before = given['name'] ? 0 : 1;
	return target === undefined
		? positional
		: [...positional.slice(0, before), target, ...args, ...positional.slice(before)];
}

type Given = Readonly<Record<string, readonly string[]>>;

/** Options stand anywhere before the program of the server; everything behind it is its own. */
function optionsIn(words: readonly string[]): { readonly given: Given; readonly positional: readonly string[] } {
	const given: Record<string, string[]> = {};
	const positional: string[] = [];
	const rest = [...words];
	const isOver = () => positional.length >= 2 && !/^https?:/i.test(positional[1] ?? '');
	for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
		const [, option = word, inside] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
		const name = Object.hasOwn(OPTIONS, option) ? OPTIONS[option] : undefined;
		if (word === '--') {
			return { given, positional: [...positional, ...rest] };
		}
		if (name !== undefined) {
			const value = inside ?? rest.shift() ?? '';
			given[name] = [...(given[name] ?? []), value];
			// Some take several variables behind one option.
			while (name === 'env' && /^[A-Z_][A-Z0-9_]*=/.test(rest[0] ?? '')) {
				given[name].push(rest.shift() as string);
			}
		} else if (!word.startsWith('-')) {
			positional.push(word);
			if (isOver()) {
				break;
			}
		}
	}
	return { given, positional: [...positional, ...rest] };
}

/** What a shell would fill in, as it is written here. */
function variablesIn(text: string): string {
	return text.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (_, braced, plain) => `\${env:${braced ?? plain}}`);
}

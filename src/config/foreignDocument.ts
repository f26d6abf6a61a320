import { isFilledText, isObject, type Json, type JsonObject, own, plainObject } from '../elicitation/json.ts';
import { textOf } from '../elicitation/jsonText.ts';
import { lineInCommand, type RawDefinition } from './commandLine.ts';
import { aliasOf } from './names.ts';

/** Pasted definitions with their names, if any, and the inputs that they use. */
export interface Snippet {
	readonly servers: readonly { readonly name: string | undefined; readonly definition: RawDefinition }[];
	readonly inputs: readonly unknown[];
}

/** Deeper, nobody has definitions. */
const MAX_HOLDERS = 4;

/**
 * The definitions in a document of any client, and the inputs beside them. The object that has them is found by its name
 * (`servers`, `mcpServers`, `context_servers`), whatever is around it: settings, a workspace, a container.
 */
export function serversIn(whole: Json, depth = 0): Snippet | undefined {
	if (isDefinition(whole)) {
		const { inputs: _, ...definition } = whole;
		return { servers: listed([definition]), inputs: inputsBeside(whole) };
	}
	if (!isObject(whole) || depth > MAX_HOLDERS) {
		return undefined;
	}
	const members = Object.entries(whole);
	const holders = [...members.filter(([name]) => /servers$/i.test(name)).map(([, holder]) => holder), whole];
	const servers = holders.map(listed).find(({ length }) => length > 0);
	if (servers) {
		return { servers, inputs: inputsBeside(whole) };
	}
	const found = members.map(([, inner]) => serversIn(inner, depth + 1)).find((each) => each !== undefined);
	return found && { ...found, inputs: [...found.inputs, ...inputsBeside(whole)] };
}

/** Definitions by name, or in a list with their names. */
function listed(holder: Json): Snippet['servers'] {
	if (!Array.isArray(holder)) {
		return Object.entries(isObject(holder) ? holder : {}).flatMap(([name, definition]) =>
			isDefinition(definition) ? [{ name, definition: inOurWords(definition) }] : [],
		);
	}
	return holder.filter(isDefinition).map(({ name, ...definition }) => ({
		name: isFilledText(name) ? name : undefined,
		definition: inOurWords(definition),
	}));
}

function inputsBeside(holder: JsonObject): Json[] {
	return Object.entries(holder).flatMap(([name, value]) =>
		/(?:^|\.)inputs$/.test(name) && Array.isArray(value) ? value : [],
	);
}

/** What the definitions of all clients have one of. */
const TELLING = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl'];

function isDefinition(value: Json): value is JsonObject {
	return TELLING.some((name) => {
		const member = own(value, name);
		return typeof member === 'string' || (name === 'command' && Array.isArray(member) && member.length > 0);
	});
}

const entriesOf = (value: Json | undefined) => (isObject(value) ? Object.entries(value) : []);

/** What follows from the members in which Codex names variables of the environment. */
function fromEnvironment(definition: JsonObject): JsonObject {
	const members = ['bearer_token_env_var', 'env_http_headers', 'env_vars', 'headers', 'env'];
	const [token, byHeader, names, headers, env] = members.map((name) => own(definition, name));
	const variable = (name: Json) => `\${env:${textOf(name)}}`;
	const secrets: [string, Json][] = [
		...entriesOf(byHeader).map(([header, name]): [string, Json] => [header, variable(name)]),
		...(isFilledText(token) ? [['Authorization', `Bearer ${variable(token)}`] as [string, Json]] : []),
	];
	const passed = (Array.isArray(names) ? names : []).map((name): [string, Json] => [textOf(name), variable(name)]);
	return {
		...(secrets.length > 0 && { headers: plainObject([...entriesOf(headers), ...secrets]) }),
		...(passed.length > 0 && { env: plainObject([...passed, ...entriesOf(env)]) }),
	};
}

/** A definition without the spellings of other clients: their names of members, and the whole command line in `command`. */
function inOurWords(definition: JsonObject): RawDefinition {
	const renamed = plainObject(
		Object.entries(definition).map(([name, value]) => {
			const alias = aliasOf(name);
			return [alias === undefined || Object.hasOwn(definition, alias) ? name : alias, value];
		}),
	);
	// Those with underscores are settings of Codex, and mean nothing here.
	const plain = Object.entries(renamed).filter(([name]) => !name.includes('_'));
	const known = plainObject([...plain, ...Object.entries(fromEnvironment(renamed))]);
	const [command, args, env] = ['command', 'args', 'env'].map((name) => own(known, name));
	if (Array.isArray(command)) {
		return { ...known, command: command[0], args: [...command.slice(1), ...(Array.isArray(args) ? args : [])] };
	}
	const line = lineInCommand(command, args);
	// A path with a space looks the same; whether there is such a file is found out later.
	return !line || /[\\/]/.test(String(line['command']))
		? known
		: {
				...known,
				...line,
				...((env ?? line['env']) !== undefined && { env: { ...(line['env'] as object), ...(env as object) } }),
			};
}

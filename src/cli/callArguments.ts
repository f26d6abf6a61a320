import { isObject, type JsonObject } from '../elicitation/json.ts';
import { parseJson } from '../elicitation/jsonText.ts';
import type { Context } from './command.ts';
import { CannotRun, messageOf } from './errors.ts';
import { type Startable, serverOf } from './servers.ts';

/** What the help of commands says of `SERVER TOOL [ARGS]`. */
export const callUsage = [
	'  SERVER    a server of .vscode/mcp.json, .mcp.json, or the settings of the folder, by its name;',
	'            or a URL; or a command line with at least one argument',
	'  ARGS      the arguments of the tool, a JSON object',
	'',
];

/** A call that a person named. */
export interface NamedCall {
	readonly server: Startable;
	readonly tool: string;
	readonly args: JsonObject;
}

/** Reads `SERVER TOOL [ARGS]`. Rejects with a CannotRun. */
export async function callFrom(
	command: string,
	[server, tool, args = '{}', ...more]: readonly string[],
	context: Context,
): Promise<NamedCall> {
	if (server === undefined || tool === undefined || more.length > 0) {
		throw new CannotRun(
			`${command} takes a server, a tool, and the arguments of the tool as one JSON object.`,
			`See "mcp-elicitation ${command} --help".`,
		);
	}
	return { server: await serverOf(server, context), tool, args: objectFrom(args) };
}

function objectFrom(text: string): JsonObject {
	let value: unknown;
	try {
		value = parseJson(text.trim());
	} catch (error) {
		throw new CannotRun(
			`The arguments of the tool are not JSON: ${messageOf(error)}.`,
			`Write them as '{"name": "value"}'.`,
		);
	}
	if (!isObject(value)) {
		throw new CannotRun('The arguments of the tool are no JSON object.', `Write them as '{"name": "value"}'.`);
	}
	return value;
}

import { type Json, type JsonObject, own } from '../../../elicitation/json.ts';
import type { ServerEntry } from '../../servers/servers.ts';

/** What a model is told of servers: JSON, in which no text of a server can pass for ours. */
export function serversText(entries: readonly ServerEntry[]): string {
	const servers = entries.map(({ configured, state, connection }) => ({
		name: configured.name,
		state,
		tools: (connection?.tools ?? []).map(({ name, title, description, inputSchema }) => ({
			name,
			title,
			description,
			inputSchema,
		})),
	}));
	return JSON.stringify({ servers });
}

/**
 * A result (`CallToolResult`) as a model reads it: that the tool failed, its texts as they are, and everything else as JSON,
 * in which the size of images and sounds stands for them.
 */
export function textsOf(result: JsonObject): string[] {
	const content = own(result, 'content');
	const texts = Array.isArray(content) ? content.map(blockText) : [];
	const structured = own(result, 'structuredContent');
	const json = JSON.stringify(structured);
	return [
		...(own(result, 'isError') === true ? [JSON.stringify({ isError: true })] : []),
		...texts,
		// Servers should send it as a text as well, for clients that do not know it (tools, Structured Content).
		...(structured === undefined || texts.some((text) => compact(text) === json) ? [] : [json]),
	];
}

function blockText(block: Json): string {
	const text = own(block, 'text');
	if (own(block, 'type') === 'text' && typeof text === 'string') {
		return text;
	}
	return JSON.stringify(block, (key, value: unknown) =>
		(key === 'data' || key === 'blob') && typeof value === 'string'
			? `<${Buffer.byteLength(value, 'base64')} bytes>`
			: value,
	);
}

/** JSON without its white space; undefined for what is none. */
function compact(text: string): string | undefined {
	try {
		return JSON.stringify(JSON.parse(text));
	} catch {
		return undefined;
	}
}

import { type Json, type JsonObject, own } from '../../../elicitation/json.ts';
import { parsedJson, unmarkNumbers, writeJson } from '../../../elicitation/jsonText.ts';
import type { ServerEntry } from '../../common/serverEntry.ts';

/** Describes servers to a model, as JSON so that server text cannot pass for the extension's own. */
export function formatServers(entries: readonly ServerEntry[]): string {
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
	return writeJson({ servers });
}

/**
 * Formats a `CallToolResult` for a model: whether the tool failed, its text content verbatim, everything else as JSON.
 * Images and audio are replaced by their size.
 */
export function resultTexts(result: JsonObject): string[] {
	const content = own(result, 'content');
	const texts = Array.isArray(content) ? content.map(blockText) : [];
	const structured = own(result, 'structuredContent');
	const json = writeJson(structured);
	return [
		...(own(result, 'isError') === true ? [JSON.stringify({ isError: true })] : []),
		...texts,
		// Servers should also send structured content as text, for older clients (spec: tools, Structured Content).
		...(structured === undefined || texts.some((text) => compact(text) === json) ? [] : [json]),
	];
}

function blockText(block: Json): string {
	const text = own(block, 'text');
	if (own(block, 'type') === 'text' && typeof text === 'string') {
		return text;
	}
	const written = JSON.stringify(block, (key, value: unknown) =>
		(key === 'data' || key === 'blob') && typeof value === 'string'
			? `<${Buffer.byteLength(value, 'base64')} bytes>`
			: value,
	);
	return unmarkNumbers(written);
}

/** JSON without insignificant whitespace; undefined if the text is not JSON. */
function compact(text: string): string | undefined {
	const value = parsedJson(text);
	return value === undefined ? undefined : writeJson(value);
}

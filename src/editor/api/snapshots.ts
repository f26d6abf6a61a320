import type { ElicitationInfo, ServerInfo, SettledElicitation, ToolInfo } from '../../api.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { FormRequest, UrlRequest } from '../../elicitation/request.ts';
import type { Connection } from '../../mcp/index.ts';
import type { ServerEntry } from '../common/serverEntry.ts';

/** A frozen deep copy that shares nothing with the extension's own state. */
export function frozenCopy<T>(value: T): T {
	return freeze(structuredClone(value));
}

export function serverInfo({ configured, state, connection }: ServerEntry): ServerInfo {
	const { era, revision } = connection ?? {};
	return Object.freeze({
		name: configured.name,
		state,
		...(era !== undefined && { era }),
		...(revision !== undefined && { protocolVersion: revision }),
		tools: connection ? toolsOf(connection.tools) : NO_TOOLS,
	});
}

/** False for sampling requests, which are for the user alone. */
export function isInApi({ request }: Elicitation): boolean {
	return request.mode !== 'sampling';
}

export function elicitationInfo({ id, origin, request, state, delivery, receivedAt }: Elicitation): ElicitationInfo {
	const { server, calls } = origin;
	const base = { id, server, calls: calls.map(({ kind, name }) => ({ kind, name })), state, receivedAt };
	return frozenCopy({
		...base,
		...(delivery && { delivery: delivery.state }),
		...(request as FormRequest | UrlRequest),
	});
}

export function settledElicitation(elicitation: Elicitation): SettledElicitation {
	const { response } = elicitation;
	const answeredBy = response && settledBy(elicitation);
	return Object.freeze({
		elicitation: elicitationInfo(elicitation),
		...(response && response.action !== 'malformed' && { action: response.action }),
		...(answeredBy && { answeredBy }),
	});
}

/** Undefined if settings or limits decided, or if the server or the end of the call came first. */
function settledBy({ responder, unasked, endedFirst }: Elicitation): SettledElicitation['answeredBy'] {
	if (unasked || endedFirst) {
		return undefined;
	}
	// A forced response is sent by the user, only without validation.
	return responder && responder.kind !== 'forced' ? responder.kind : 'person';
}

const NO_TOOLS: readonly ToolInfo[] = Object.freeze([]);

/** Cached, because lists can be long and are read often. */
const copies = new WeakMap<object, readonly ToolInfo[]>();

function toolsOf(tools: Connection['tools']): readonly ToolInfo[] {
	const known = copies.get(tools);
	if (known) {
		return known;
	}
	const copy = frozenCopy(
		tools.map(({ name, title, description, inputSchema }) => ({
			name,
			...(title !== undefined && { title }),
			...(description !== undefined && { description }),
			inputSchema,
		})),
	);
	copies.set(tools, copy);
	return copy;
}

function freeze<T>(value: T): T {
	if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
		Object.freeze(value);
		Object.values(value).forEach(freeze);
	}
	return value;
}

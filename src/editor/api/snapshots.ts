import type { ElicitationInfo, ServerInfo, SettledElicitation, ToolInfo } from '../../api.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { Connection } from '../../mcp/index.ts';
import type { ServerEntry } from '../servers/servers.ts';

/** A copy that nobody can change, of which nothing is ours. */
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

export function elicitationInfo({ id, origin, request, state, delivery, receivedAt }: Elicitation): ElicitationInfo {
	const { server, calls } = origin;
	const base = { id, server, calls: calls.map(({ kind, name }) => ({ kind, name })), state, receivedAt };
	return frozenCopy({ ...base, ...(delivery && { delivery: delivery.state }), ...request });
}

export function settledElicitation(elicitation: Elicitation): SettledElicitation {
	const { answer } = elicitation;
	const answeredBy = answer && whoAnswered(elicitation);
	return Object.freeze({
		elicitation: elicitationInfo(elicitation),
		...(answer && { action: answer.action }),
		...(answeredBy && { answeredBy }),
	});
}

/** Nobody, where the settings or the limits did, or the server or the end of the call before anybody had decided. */
function whoAnswered({ state, answer, responder, unasked, withdrawal }: Elicitation): SettledElicitation['answeredBy'] {
	if (unasked || withdrawal || (state === 'completed' && answer?.action === 'cancel')) {
		return undefined;
	}
	// What is sent unchecked, the user sends.
	return responder && responder.kind !== 'forced' ? responder.kind : 'person';
}

const NO_TOOLS: readonly ToolInfo[] = Object.freeze([]);

/** Lists may be long and are asked for again and again. */
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

import type { Call } from '../elicitation/call.ts';
import { isObject, type Json, type JsonObject, own, without } from '../elicitation/json.ts';
import { textOf, writeJson } from '../elicitation/jsonText.ts';
import { REVISIONS } from '../elicitation/revisions.ts';
import type { Redactor } from '../privacy/redactor.ts';
import type { TraceEntry } from './log.ts';
import { revisionIn } from './recording/readRecording.ts';

type Step = JsonObject;

/**
 * A call as a case of the field log (`test/field/case.schema.json`): what the server sent, and what the person did. What must
 * come of it is for a person to add.
 * @param entries all messages, oldest first
 */
export function fieldCase(entries: readonly TraceEntry[], call: Call, redactor: Redactor): string {
	const all = entries.filter(({ server }) => server === call.server);
	const first = all.findIndex((entry) => entry.call === call);
	const last = all.findLastIndex((entry) => entry.call === call);
	const { kind } = call;
	const name = redactor.text(call.name);
	const steps = new Steps({ [CALLS[kind][0]]: name }, redactor);
	for (const entry of first < 0 ? [] : all.slice(first, last + 1)) {
		entry.direction === 'sent' ? steps.sent(entry) : steps.received(entry);
	}
	const revision = all.map(({ message }) => revisionOf(message)).findLast((each) => each !== undefined);
	return writeJson(
		{
			$schema: '../case.schema.json',
			name: `"${name}" of ${redactor.text(call.server)}`,
			source: 'a report',
			server: { wire: 'stdio', ...(revision !== undefined && { revision }), ...offered(kind, name) },
			steps: steps.all,
		},
		2,
	);
}

/** What the person does to make such a call, and the list in which the server must offer it. */
const CALLS = { tool: ['calls', 'tools'], prompt: ['gets', 'prompts'], resource: ['reads', 'resources'] } as const;

/** What the server must offer so that the call can be made. */
function offered(kind: Call['kind'], name: string): JsonObject {
	const [, list] = CALLS[kind];
	return kind === 'tool'
		? { tools: [name] }
		: { capabilities: { [list]: {} }, answers: { [`${list}/list`]: { [list]: [{ uri: name, name }] } } };
}

function revisionOf(message: unknown): string | undefined {
	const known = revisionIn(own(message, 'params')) ?? own(own(message, 'result'), 'protocolVersion');
	return REVISIONS.find((revision) => revision === known);
}

class Steps {
	readonly all: Step[] = [];
	/** The request that the server has taken last. */
	#taken: TraceEntry | undefined;
	#entries: Json | undefined;

	/** @param begins what the person does to make the call */
	constructor(
		private readonly begins: Step,
		private readonly redactor: Redactor,
	) {}

	sent(entry: TraceEntry): void {
		const { exchange } = entry;
		const message = this.redactor.message(entry);
		const method = own(message, 'method');
		if (typeof method !== 'string') {
			if (exchange?.request && exchange.method === 'elicitation/create' && isObject(message)) {
				const asked = this.redactor.message(exchange.request);
				this.#decided(asked, own(message, 'result'));
				this.all.push({ responses: { [textOf(own(asked, 'id'))]: [without(message, ['jsonrpc', 'id'])] } });
			}
			return;
		}
		const answers = own(own(message, 'params'), 'inputResponses');
		for (const [key, answer] of isObject(answers) ? Object.entries(answers) : []) {
			this.#decided(own(this.#entries, key), answer);
		}
		if (this.all.length === 0) {
			this.all.push(this.begins);
		}
		this.all.push({ takes: method });
		this.#taken = exchange ? entry : this.#taken;
	}

	received(entry: TraceEntry): void {
		const message = this.redactor.message(entry);
		const sent = isObject(message) ? without(message, ['jsonrpc']) : {};
		if (own(message, 'method') !== undefined) {
			this.all.push({ sends: sent });
		} else if (this.#taken && entry.exchange?.request === this.#taken) {
			this.all.push({ replies: without(sent, ['id']) });
			this.#entries = own(own(message, 'result'), 'inputRequests');
			this.#required(own(own(own(message, 'error'), 'data'), 'elicitations'));
		}
	}

	/** What the person did to a request. */
	#decided(asked: Json | undefined, result: Json | undefined): void {
		const params = own(asked, 'params');
		switch (own(result, 'action')) {
			case 'accept':
				this.all.push(
					own(params, 'mode') === 'url'
						? { opens: own(params, 'url') ?? '' }
						: { acceptsJson: own(result, 'content') ?? {} },
				);
				break;
			case 'decline':
				this.all.push({ declines: {} });
				break;
			case 'cancel':
				this.all.push({ cancels: {} });
		}
	}

	/** The URLs that the call needs, after which it is retried. */
	#required(elicitations: Json | undefined): void {
		const urls = Array.isArray(elicitations)
			? elicitations.map((each) => own(each, 'url')).filter((url) => typeof url === 'string')
			: [];
		this.all.push(...urls.map((opens) => ({ opens })), ...(urls.length > 0 ? [{ retries: true }] : []));
	}
}

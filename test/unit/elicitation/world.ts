import type { Call } from '../../../src/elicitation/call.ts';
import type { Elicitation, ElicitationGroup, Intake } from '../../../src/elicitation/elicitation.ts';
import { Registry } from '../../../src/elicitation/registry.ts';

/** A registry with helpers for everything that servers can do to it. */
export class World {
	readonly registry: Registry;

	constructor(perMinute = Number.POSITIVE_INFINITY) {
		this.registry = new Registry({ validate: async () => ({ status: 'valid' }) }, () => perMinute);
	}

	call(name = 'deploy', server = 's'): Call {
		return this.registry.beginCall(server, 'tool', name, {});
	}

	form(
		message: string,
		more: { server?: string; calls?: Call[]; group?: ElicitationGroup; tellsDelivery?: boolean } = {},
	): Elicitation {
		return this.#add({ mode: 'form', message, requestedSchema: {} }, 'request', more);
	}

	forms(count: number, more: object = {}): Elicitation[] {
		return Array.from({ length: count }, (_, at) => this.form(`Elicitation ${at}`, more));
	}

	/** Elicitations that arrive together: URL elicitations by URL, forms by message. */
	together(call: Call, intake: Intake, ...messages: string[]): Elicitation[] {
		const group = { call, round: call.rounds, size: messages.length };
		return messages.map((message) =>
			message.startsWith('https:')
				? this.#add({ mode: 'url', message, url: message }, intake, { calls: [call], group })
				: this.#add({ mode: 'form', message, requestedSchema: {} }, intake, { calls: [call], group }),
		);
	}

	#add(
		request: Parameters<Registry['add']>[0],
		intake: Intake,
		more: { server?: string; calls?: Call[]; group?: ElicitationGroup; tellsDelivery?: boolean },
	): Elicitation {
		return this.registry.add(request, {
			server: 's',
			connection: 'c',
			intake,
			revision: '2025-11-25',
			calls: [],
			params: null,
			...more,
		});
	}
}

export function first<T>(list: readonly T[]): T {
	const [found] = list;
	if (found === undefined) {
		throw new Error('There is nothing.');
	}
	return found;
}

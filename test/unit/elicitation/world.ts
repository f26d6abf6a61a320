import type { RejectedResponse } from '../../../src/elicitation/autoResponders.ts';
import type { Call } from '../../../src/elicitation/call.ts';
import type { Elicitation, Intake, Origin } from '../../../src/elicitation/elicitation.ts';
import type { Validator } from '../../../src/elicitation/form/validate.ts';
import { Registry } from '../../../src/elicitation/registry.ts';
import type { ElicitationRequest } from '../../../src/elicitation/request.ts';

/** A registry with helpers for everything that servers can do to it. */
export class World {
	readonly registry: Registry;
	/** What the user was asked, oldest first. */
	readonly asked: Elicitation[] = [];
	/** Responses of auto-responders that were not sent. */
	readonly rejected: RejectedResponse[] = [];

	constructor(
		perMinute = Number.POSITIVE_INFINITY,
		validate: Validator['validate'] = async () => ({ status: 'valid' }),
		identify?: (server: string) => string | undefined,
	) {
		this.registry = new Registry({ validate }, () => perMinute, identify);
		this.registry.onDidAsk((each) => this.asked.push(each));
		this.registry.autoResponders.onDidReject((each) => this.rejected.push(each));
	}

	call(name = 'deploy', server = 's'): Call {
		return this.registry.beginCall(server, 'tool', name, {});
	}

	form(message: string, more: Partial<Origin> = {}): Elicitation {
		return this.add({ mode: 'form', message, requestedSchema: {} }, more);
	}

	forms(count: number, more: Partial<Origin> = {}): Elicitation[] {
		return Array.from({ length: count }, (_, at) => this.form(`Elicitation ${at}`, more));
	}

	url(more: Partial<Origin> = {}, elicitationId?: string): Elicitation {
		const id = elicitationId === undefined ? {} : { elicitationId };
		return this.add({ mode: 'url', message: 'A', url: 'https://example.com/', ...id }, more);
	}

	/** Elicitations that arrive together: URL elicitations by URL, forms by message. */
	together(call: Call, intake: Intake, ...messages: string[]): Elicitation[] {
		const group = { call, round: call.rounds, size: messages.length };
		return messages.map((message) =>
			this.add(
				message.startsWith('https:')
					? { mode: 'url', message, url: message }
					: { mode: 'form', message, requestedSchema: {} },
				{ intake, calls: [call], group },
			),
		);
	}

	add(request: ElicitationRequest, more: Partial<Origin> = {}): Elicitation {
		return this.registry.add(request, {
			server: 's',
			connection: 'c',
			intake: 'request',
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

import { constraintOf } from '../../src/elicitation/form/constraint.ts';
import type {
	CallDetail,
	ElicitationDetail,
	FromTimeline,
	MessageDetail,
	ShownDetail,
	ShownFilter,
	ShownRow,
	ShownRows,
	ToTimeline,
} from '../../src/timelineProtocol.ts';
import { everyField } from './models.ts';

export const NO_FILTER: ShownFilter = { text: '', server: '', group: '', direction: '', method: '', show: 'all' };

/** A call with so many messages, all of them rows. */
export function rowsOf(messages: number, call = 'call:1'): ShownRow[] {
	const group: ShownRow = {
		key: call,
		level: 1,
		position: 1,
		size: 1,
		up: 0,
		open: true,
		icon: 'succeeded',
		sign: 'succeeded',
		label: 'deploy',
		detail: 'demo · server 3.2 s · you 41 s',
		at: 1_700_000_000_000,
		error: false,
		warning: false,
	};
	return [group, ...Array.from({ length: messages }, (_, at) => messageRow(at, messages))];
}

function messageRow(at: number, size: number): ShownRow {
	const sent = at % 2 === 0;
	return {
		key: `message:${at}`,
		level: 2,
		position: at + 1,
		size,
		up: at + 1,
		icon: sent ? 'sent' : 'received',
		sign: sent ? 'sent to the server' : 'received from the server',
		label: sent ? `tools/call #${at}` : `result #${at - 1}`,
		detail: 'deploy',
		at: 1_700_000_000_000 + at,
		...(!sent && { latency: 12 }),
		error: at % 10 === 3,
		warning: at % 10 === 5,
	};
}

interface Ready {
	readonly type: 'ready';
}

/** The extension host as the timeline's page knows it: it has the lines, and does what it is told. */
export class TimelineHost {
	readonly received: (FromTimeline | Ready)[] = [];
	rows: readonly ShownRow[];
	/** The line whose details were asked for last. */
	selected: string | undefined;
	details: (key: string) => ShownDetail | undefined = messageDetail;
	more: Partial<ShownRows> = {};

	constructor(
		private readonly post: (message: ToTimeline) => unknown,
		rows: readonly ShownRow[],
	) {
		this.rows = rows;
	}

	show(filter = NO_FILTER, more: Partial<Extract<ToTimeline, { type: 'show' }>> = {}): unknown {
		return this.post({ type: 'show', ...this.part(0), filter, ...more });
	}

	/** Does what a message of the page asks for. */
	receive(message: FromTimeline | Ready): unknown {
		this.received.push(message);
		switch (message.type) {
			case 'ready':
				return this.show();
			case 'rows': {
				const { first, count, anchor, selected } = message;
				const at = anchor ? this.#indexOf(anchor.key) : -1;
				const moved = anchor && at >= 0 ? at - anchor.index : 0;
				const index = this.#indexOf(selected);
				const place = selected === undefined ? {} : { selected: { key: selected, ...(index >= 0 && { index }) } };
				return this.post({ type: 'rows', ...this.rowsFrom(Math.max(0, first + moved), count), ...place });
			}
			case 'detail':
				this.selected = message.key;
				return this.post({ type: 'detail', ...withDetail(this.details(message.key)) });
			default:
				return undefined;
		}
	}

	/** Says that something has changed. */
	push(changes: Partial<Pick<TimelineHost, 'rows' | 'more'>> = {}): unknown {
		Object.assign(this, changes);
		return this.post({ type: 'changed' });
	}

	/** Rows that are sent unasked. */
	part(first: number): { filter: ShownFilter; rows: ShownRows } {
		return { filter: NO_FILTER, rows: this.rowsFrom(first) };
	}

	rowsFrom(first: number, count = 80): ShownRows {
		return {
			total: this.rows.length,
			first,
			rows: this.rows.slice(first, first + count),
			searching: false,
			messages: this.rows.length,
			dropped: 0,
			servers: ['demo'],
			methods: ['tools/call'],
			...this.more,
		};
	}

	/** Messages of one kind, oldest first. */
	sent<T extends FromTimeline['type']>(type: T): Extract<FromTimeline, { type: T }>[] {
		return this.received.filter((message): message is Extract<FromTimeline, { type: T }> => message.type === type);
	}

	#indexOf(line: string | undefined): number {
		return this.rows.findIndex(({ key }) => key === line);
	}
}

function withDetail(detail: ShownDetail | undefined): { detail?: ShownDetail } {
	return detail ? { detail } : {};
}

const json = { text: '{\n  "a": [1, true, null, "x \\" y"]\n}', cut: 0 };

export function messageDetail(key: string, more: Partial<MessageDetail> = {}): MessageDetail {
	return {
		kind: 'message',
		key,
		version: '1',
		server: 'demo',
		actions: [],
		direction: 'received',
		label: 'result #1',
		at: 1_700_000_000_000,
		bytes: 123,
		truncated: false,
		error: false,
		call: { key: 'call:1', text: 'deploy' },
		counterpart: { key: 'message:1', text: 'tools/call #1', answers: true },
		latency: 1_234,
		json,
		...more,
	};
}

export function callDetail(key: string, more: Partial<CallDetail> = {}): CallDetail {
	return {
		kind: 'call',
		key,
		version: '1',
		server: 'demo',
		actions: [{ id: 'cancelCall', text: 'Cancel Call', group: '2_end', ends: true }],
		call: { kind: 'tool', name: 'deploy' },
		state: 'running',
		stateText: 'running',
		at: 1_700_000_000_000,
		times: { server: 3_200, person: 41_000, automatic: 0 },
		rounds: 2,
		refusals: [],
		elicitations: [{ key: 'elicitation:1:call:1', text: 'Deploy? · accepted' }],
		args: json,
		result: json,
		failure: 'It failed.',
		...more,
	};
}

export function elicitationDetail(key: string, more: Partial<ElicitationDetail> = {}): ElicitationDetail {
	return {
		kind: 'elicitation',
		key,
		version: '1',
		server: 'demo',
		actions: [{ id: 'openElicitation', text: 'Respond…', group: '1_act' }],
		mode: 'form',
		message: 'Deploy to production?\nNow?',
		stateText: 'accepted, by script x',
		reason: 'The call was cancelled.',
		intake: 'A request of the server',
		revision: '2025-11-25',
		calls: [{ key: 'call:1', text: 'deploy' }],
		steps: [
			{ text: 'asked', at: 1_700_000_000_000 },
			{ text: 'accepted', at: 1_700_000_041_000 },
		],
		url: 'https://example.com/?a=b',
		fields: everyField,
		constraints: everyField.map(constraintOf),
		moreFields: 3,
		findings: [
			{ pointer: '/requestedSchema', rule: 'keyword', severity: 'warning', text: 'A finding.', handling: 'Handled.' },
		],
		notes: [],
		answer: json,
		request: json,
		...more,
	};
}

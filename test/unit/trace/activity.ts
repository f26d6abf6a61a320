import fc from 'fast-check';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Call } from '../../../src/elicitation/call.ts';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import { own } from '../../../src/elicitation/json.ts';
import { Matcher, NO_FILTER, type TimelineFilter } from '../../../src/trace/filter.ts';
import type { Direction, TraceEntry } from '../../../src/trace/log.ts';
import { Timeline } from '../../../src/trace/timeline.ts';
import { World } from '../elicitation/world.ts';
import { maskedLog } from '../privacy/maskedLog.ts';

/** Has each message of a test come at a time of its own. */
export function ownTimes(): void {
	beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
	afterEach(() => void vi.useRealTimers());
}

/** A window with a small timeline and a lot of activity. */
export class Window {
	readonly world = new World();
	readonly trace = maskedLog(() => this.limit);
	readonly timeline = new Timeline(this.world.registry, this.trace);
	readonly calls: Call[] = [];
	readonly elicitations: Elicitation[] = [];
	readonly said: TraceEntry[] = [];
	limit = 20;

	say(direction: Direction, message: object, call?: Call, server = call?.server ?? 's'): TraceEntry {
		vi.setSystemTime(Date.now() + 1);
		const entry = this.trace.add({ server, direction, message, call });
		this.said.push(entry);
		return entry;
	}

	/** Asks for the state of the task of a call. */
	poll(id: number, call: Call): void {
		this.say('sent', { id, method: 'tasks/get' }, call);
		this.say('received', { id, result: { status: 'working' } }, call);
	}

	end(call: Call): void {
		this.world.registry.endCall(call, 'succeeded', null);
	}

	begin(name: string, server = 's'): Call {
		const call = this.world.call(name, server);
		this.calls.push(call);
		return call;
	}

	ask(message: string, ...calls: Call[]): Elicitation {
		vi.setSystemTime(Date.now() + 1);
		const elicitation = this.world.form(message, { calls, server: calls[0]?.server ?? 's' });
		this.elicitations.push(elicitation);
		return elicitation;
	}

	/** What is shown with a filter. */
	matcher(filter: Partial<TimelineFilter>): Matcher {
		return new Matcher({ ...NO_FILTER, ...filter }, this.timeline);
	}
}

export const SERVERS = ['s', 'other: "server"'];
export const METHODS = ['tools/call', 'ping', 'elicitation/create'];

export type Action = (window: Window) => void;

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

/** Something that servers, users or settings do. */
export const action: fc.Arbitrary<Action> = fc.oneof(
	fc.tuple(fc.nat(1), fc.nat(2)).map(
		([server, name]): Action =>
			(window) =>
				void window.begin(`tool${name}`, SERVERS[server] ?? 's'),
	),
	{
		weight: 6,
		arbitrary: fc.tuple(fc.nat(5), fc.nat(2), fc.nat(3), fc.boolean(), fc.nat(2)).map(
			([call, method, id, sent, kind]): Action =>
				(window) => {
					const message = [
						{ id, method: METHODS[method] },
						{ id, result: { isError: id === 3 } },
						{ method: METHODS[method] },
					][kind] as object;
					const of = pick([undefined, ...window.calls], call);
					if (of && own(message, 'method') === 'tools/call') {
						of.rounds++;
					}
					window.say(sent ? 'sent' : 'received', message, of, of ? undefined : SERVERS[id % 2]);
				},
		),
	},
	{
		weight: 2,
		arbitrary: fc.tuple(fc.nat(5), fc.boolean()).map(
			([call, two]): Action =>
				(window) => {
					const of = pick([undefined, ...window.calls], call);
					const other = two && of ? window.calls.find((each) => each !== of && each.server === of.server) : undefined;
					window.ask(`Elicitation ${call}`, ...(of ? [of] : []), ...(other ? [other] : []));
				},
		),
	},
	fc.nat(9).map(
		(at): Action =>
			(window) =>
				void pick(window.elicitations, at)?.decline(),
	),
	fc.nat(9).map(
		(at): Action =>
			(window) => {
				const call = pick(window.calls, at);
				if (call?.state === 'running') {
					window.world.registry.endCall(call, at % 2 === 0 ? 'succeeded' : 'failed', null);
				}
			},
	),
	fc.nat(20).map(
		(limit): Action =>
			(window) => {
				window.limit = limit;
				window.trace.trim();
			},
	),
	fc.constant((window: Window) => window.world.registry.forgetEnded()),
	fc.constant((window: Window) => {
		window.trace.clear();
		window.world.registry.forgetEnded();
	}),
);

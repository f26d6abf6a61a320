import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { type Disposable, Emitter } from '../elicitation/emitter.ts';
import { own } from '../elicitation/json.ts';
import type { Registry } from '../elicitation/registry.ts';
import type { TraceEntry, TraceLog } from './log.ts';
import { Queue } from './queue.ts';

/** Where the messages of a timeline come from: the log of this window, or a recording. */
export type TimelineTrace = Pick<
	TraceLog,
	'entries' | 'get' | 'length' | 'dropped' | 'privacy' | 'onDidAdd' | 'onDidForget' | 'onDidClear'
>;

/** Where the calls and the elicitations of a timeline come from: this window, or a recording. */
export type TimelineRegistry = Pick<
	Registry,
	| 'calls'
	| 'elicitations'
	| 'urlIds'
	| 'onDidAdd'
	| 'onDidChange'
	| 'onDidChangeDelivery'
	| 'onDidForget'
	| 'onDidChangeCalls'
	| 'onDidForgetCall'
> & { readonly autoResponders: Pick<Registry['autoResponders'], 'onDidConsult'> };

/** The activity of one call, or between a server and this window outside of calls. */
export interface TimelineGroup {
	readonly key: string;
	readonly server: string;
	readonly call?: Call | undefined;
	/** Oldest first. */
	readonly entries: Queue<TraceEntry>;
	/** Oldest first. */
	readonly elicitations: ReadonlySet<Elicitation>;
	/** Increases with every change. */
	readonly version: number;
}

/** Beginnings of the keys of groups, of a call and of a server. Webviews use the keys, too. */
const CALL = 'call:';
const OUTSIDE = 'outside:';

class MutableGroup implements TimelineGroup {
	readonly entries = new Queue<TraceEntry>();
	readonly elicitations = new Set<Elicitation>();
	readonly key: string;
	version = 0;

	constructor(
		readonly server: string,
		readonly call?: Call,
	) {
		this.key = call ? `${CALL}${call.id}` : `${OUTSIDE}${server}`;
	}
}

/**
 * Indexes messages, calls and elicitations by call. Updated in constant time for each message. A call stays in the
 * timeline while anything of it is remembered.
 */
export class Timeline {
	/** Groups by the ids of their calls. */
	readonly #groups = new Map<string, MutableGroup>();
	/** Groups without a call, by server. Listed last. */
	readonly #outside = new Map<string, MutableGroup>();
	/** Calls that the registry remembers. */
	readonly #calls = new Set<Call>();
	#newest: Call | undefined;
	readonly #servers = new Counts();
	readonly #methods = new Counts();
	readonly #changed = new Emitter<void>();
	readonly #subscriptions: readonly Disposable[];

	readonly onDidChange = this.#changed.event;
	#version = 0;

	/** @param recorded true for a recording: nothing in it changes, and there is no server */
	constructor(
		readonly registry: TimelineRegistry,
		readonly trace: TimelineTrace,
		readonly recorded = false,
	) {
		this.#fill();
		this.#subscriptions = [
			trace.onDidAdd((entry) => this.#change(() => this.#add(entry))),
			trace.onDidForget((entry) => this.#change(() => this.#forget(entry))),
			trace.onDidClear(() => this.#change(() => this.#clear())),
			registry.onDidAdd((elicitation) => this.#change(() => this.#addElicitation(elicitation))),
			registry.onDidChange(({ elicitation }) => this.#change(() => this.#addElicitation(elicitation))),
			registry.onDidChangeDelivery((elicitation) => {
				// May be forgotten already.
				if (this.groupsOf(elicitation).some(({ elicitations }) => elicitations.has(elicitation))) {
					this.#change(() => this.#addElicitation(elicitation));
				}
			}),
			registry.autoResponders.onDidConsult((elicitation) => {
				// When auto-responders are done, it may have ended and been forgotten.
				if (elicitation.live) {
					this.#change(() => this.#addElicitation(elicitation));
				}
			}),
			registry.onDidForget((elicitation) => this.#change(() => this.#forgetElicitation(elicitation))),
			registry.onDidChangeCalls((call) => this.#change(() => this.#addCall(call))),
			registry.onDidForgetCall((call) => this.#change(() => this.#forgetCall(call))),
		];
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) {
			subscription.dispose();
		}
	}

	/** Increases with every change. */
	get version(): number {
		return this.#version;
	}

	/** Calls, newest first, followed by the groups outside of calls. */
	get groups(): readonly TimelineGroup[] {
		return [...[...this.#groups.values()].reverse(), ...this.#outside.values()];
	}

	group(key: string): TimelineGroup | undefined {
		return key.startsWith(CALL)
			? this.#groups.get(key.slice(CALL.length))
			: key.startsWith(OUTSIDE)
				? this.#outside.get(key.slice(OUTSIDE.length))
				: undefined;
	}

	groupOf({ call, server }: Pick<TraceEntry, 'call' | 'server'>): TimelineGroup | undefined {
		return this.#find(call, server);
	}

	/** The groups of an elicitation. Several if the protocol does not tell which call caused it. */
	groupsOf({ origin }: Elicitation): readonly TimelineGroup[] {
		return callsOf(origin).flatMap((call) => this.#find(call, origin.server) ?? []);
	}

	/** Servers in the timeline, sorted by name. */
	get servers(): readonly string[] {
		return [...this.#servers.names].sort();
	}

	/** Methods of the messages, most frequent first. */
	get methods(): readonly string[] {
		return this.#methods.byCount();
	}

	#fill(): void {
		const { trace, registry } = this;
		const entries = trace.entries;
		const calls = new Set(registry.calls);
		for (const { call } of entries) {
			if (call) {
				calls.add(call);
			}
		}
		for (const { origin } of registry.elicitations) {
			for (const call of origin.calls) {
				calls.add(call);
			}
		}
		for (const call of [...calls].sort(inOrder)) {
			this.#group(call, call.server);
		}
		for (const call of registry.calls) {
			this.#calls.add(call);
		}
		for (const entry of entries) {
			this.#add(entry);
		}
		for (const elicitation of registry.elicitations) {
			this.#addElicitation(elicitation);
		}
	}

	#change(act: () => void): void {
		act();
		this.#version++;
		this.#changed.fire();
	}

	#add(entry: TraceEntry): void {
		const group = this.#group(entry.call, entry.server);
		group.entries.push(entry);
		group.version++;
		this.#servers.add(entry.server);
		this.#methods.add(ownMethod(entry));
	}

	#forget(entry: TraceEntry): void {
		const group = this.#find(entry.call, entry.server);
		// The oldest message of all is also the oldest of its group.
		if (group?.entries.at(0) === entry) {
			group.entries.shift();
			this.#touch(group);
		}
		this.#servers.remove(entry.server);
		this.#methods.remove(ownMethod(entry));
	}

	#clear(): void {
		this.#servers.clear();
		this.#methods.clear();
		for (const group of [...this.#groups.values(), ...this.#outside.values()]) {
			group.entries.clear();
			this.#touch(group);
		}
	}

	#addElicitation(elicitation: Elicitation): void {
		// An automatic response without asking is announced only by its end, before it is remembered.
		const { origin } = elicitation;
		for (const call of callsOf(origin)) {
			const group = this.#group(call, origin.server);
			group.elicitations.add(elicitation);
			group.version++;
		}
	}

	#forgetElicitation(elicitation: Elicitation): void {
		const { origin } = elicitation;
		for (const call of callsOf(origin)) {
			const group = this.#find(call, origin.server);
			if (group?.elicitations.delete(elicitation)) {
				this.#touch(group);
			}
		}
	}

	#addCall(call: Call): void {
		this.#calls.add(call);
		this.#group(call, call.server).version++;
	}

	#forgetCall(call: Call): void {
		this.#calls.delete(call);
		const group = this.#find(call, call.server);
		if (group) {
			this.#touch(group);
		}
	}

	/** Removes a group when nothing in it is remembered any more. */
	#touch(group: MutableGroup): void {
		group.version++;
		const { call, server, entries, elicitations } = group;
		if (entries.length > 0 || elicitations.size > 0) {
			return;
		}
		if (!call) {
			this.#outside.delete(server);
		} else if (!this.#calls.has(call)) {
			this.#groups.delete(call.id);
		}
	}

	#find(call: Call | undefined, server: string): MutableGroup | undefined {
		return call ? this.#groups.get(call.id) : this.#outside.get(server);
	}

	#group(call: Call | undefined, server: string): MutableGroup {
		const found = this.#find(call, server);
		if (found) {
			return found;
		}
		const group = new MutableGroup(server, call);
		if (!call) {
			this.#outside.set(server, group);
			return group;
		}
		this.#groups.set(call.id, group);
		if (this.#newest && inOrder(call, this.#newest) < 0) {
			// Activity of a call arrived after the call was forgotten.
			const groups = [...this.#groups].sort(([, a], [, b]) => (a.call && b.call ? inOrder(a.call, b.call) : 0));
			this.#groups.clear();
			for (const [each, sorted] of groups) {
				this.#groups.set(each, sorted);
			}
		} else {
			this.#newest = call;
		}
		return group;
	}
}

/** The recording that the argument of a command belongs to; undefined if it belongs to this window. */
export function recordingOf(target: unknown): Timeline | undefined {
	const timeline = typeof target === 'object' && target !== null && 'timeline' in target ? target.timeline : undefined;
	return timeline instanceof Timeline ? timeline : undefined;
}

/** Call ids increase. */
function inOrder(a: Call, b: Call): number {
	return Number(a.id) - Number(b.id);
}

/** The calls of an elicitation; only `undefined` if it belongs to none. */
function callsOf({ calls }: Elicitation['origin']): readonly (Call | undefined)[] {
	return calls.length > 0 ? calls : [undefined];
}

function ownMethod({ message }: TraceEntry): string {
	const method = own(message, 'method');
	return typeof method === 'string' ? method : '';
}

/** Counts the occurrences of names. Ignores the empty name. */
class Counts {
	readonly #counts = new Map<string, number>();

	get names(): Iterable<string> {
		return this.#counts.keys();
	}

	byCount(): string[] {
		return [...this.#counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
	}

	add(name: string): void {
		if (name !== '') {
			this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
		}
	}

	remove(name: string): void {
		const count = this.#counts.get(name) ?? 0;
		if (count > 1) {
			this.#counts.set(name, count - 1);
		} else {
			this.#counts.delete(name);
		}
	}

	clear(): void {
		this.#counts.clear();
	}
}

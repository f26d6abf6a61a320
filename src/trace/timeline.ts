import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { type Disposable, Emitter } from '../elicitation/emitter.ts';
import { own } from '../elicitation/json.ts';
import type { Registry } from '../elicitation/registry.ts';
import { Exchanges } from './exchanges.ts';
import type { TraceEntry, TraceLog } from './log.ts';
import { Queue } from './queue.ts';

/** What happened in the course of one call or, without a call, between a server and this window outside of calls. */
export interface Group {
	readonly key: string;
	readonly server: string;
	readonly call?: Call | undefined;
	/** Oldest first. */
	readonly entries: Queue<TraceEntry>;
	/** Oldest first. */
	readonly elicitations: ReadonlySet<Elicitation>;
	/** Counts up with whatever changes in it. */
	readonly version: number;
}

class KeptGroup implements Group {
	readonly entries = new Queue<TraceEntry>();
	readonly elicitations = new Set<Elicitation>();
	version = 0;

	constructor(
		readonly key: string,
		readonly server: string,
		readonly call?: Call,
	) {}
}

/**
 * The index over messages, calls and elicitations: what belongs to what. It follows the trace and the registry in constant time
 * for each message that comes or goes. A call is in it as long as anything of it is remembered.
 */
export class Timeline {
	readonly exchanges = new Exchanges();
	readonly #groups = new Map<string, KeptGroup>();
	/** Groups without a call, which come last. */
	readonly #outside = new Map<string, KeptGroup>();
	/** Calls that the registry remembers. */
	readonly #calls = new Set<Call>();
	#newest: Call | undefined;
	readonly #servers = new Counts();
	readonly #methods = new Counts();
	readonly #changed = new Emitter<void>();
	readonly #subscriptions: readonly Disposable[];

	readonly onDidChange = this.#changed.event;

	constructor(
		private readonly registry: Registry,
		readonly trace: TraceLog,
	) {
		this.#fill();
		this.#subscriptions = [
			trace.onDidAdd((entry) => this.#change(() => this.#add(entry))),
			trace.onDidForget((entry) => this.#change(() => this.#forget(entry))),
			trace.onDidClear(() => this.#change(() => this.#clear())),
			registry.onDidAdd((elicitation) => this.#change(() => this.#addElicitation(elicitation))),
			registry.onDidChange(({ elicitation }) => this.#change(() => this.#addElicitation(elicitation))),
			registry.onDidChangeDelivery((elicitation) => {
				// It may be forgotten by now.
				if (this.groupsOf(elicitation).some(({ elicitations }) => elicitations.has(elicitation))) {
					this.#change(() => this.#addElicitation(elicitation));
				}
			}),
			registry.autoResponders.onDidConsult((elicitation) => {
				// It may be over, and forgotten, when nobody is asked any more.
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

	/** The calls, newest first; then what is outside of calls, by server. */
	get groups(): readonly Group[] {
		return [...[...this.#groups.values()].reverse(), ...this.#outside.values()];
	}

	group(key: string): Group | undefined {
		return this.#groups.get(key) ?? this.#outside.get(key);
	}

	groupOf({ call, server }: Pick<TraceEntry, 'call' | 'server'>): Group | undefined {
		return this.group(keyOf(call, server));
	}

	/** The groups of an elicitation: several where the protocol does not tell which call caused it. */
	groupsOf({ origin }: Elicitation): readonly Group[] {
		return keysOf(origin).flatMap((key) => this.group(key) ?? []);
	}

	/** Servers that have anything in the timeline, in alphabetical order. */
	get servers(): readonly string[] {
		return [...this.#servers.names].sort();
	}

	/** Methods of the messages, those used most first. */
	get methods(): readonly string[] {
		return this.#methods.byCount();
	}

	#fill(): void {
		const { trace, registry } = this;
		const entries = trace.entries;
		const calls = new Set([
			...registry.calls,
			...entries.flatMap(({ call }) => call ?? []),
			...registry.elicitations.flatMap(({ origin }) => origin.calls),
		]);
		for (const call of [...calls].sort(inOrder)) {
			this.#group(keyOf(call), call.server, call);
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
		this.#changed.fire();
	}

	#add(entry: TraceEntry): void {
		const group = this.#group(keyOf(entry.call, entry.server), entry.server, entry.call);
		group.entries.push(entry);
		group.version++;
		this.exchanges.add(entry);
		this.#servers.add(entry.server);
		this.#methods.add(methodOf(entry));
	}

	#forget(entry: TraceEntry): void {
		const group = this.#find(keyOf(entry.call, entry.server));
		// What is forgotten is the oldest of all, so it is the oldest of its group.
		if (group?.entries.at(0) === entry) {
			group.entries.shift();
			this.#touch(group);
		}
		this.exchanges.forget(entry);
		this.#servers.remove(entry.server);
		this.#methods.remove(methodOf(entry));
	}

	#clear(): void {
		this.exchanges.clear();
		this.#servers.clear();
		this.#methods.clear();
		for (const group of [...this.#groups.values(), ...this.#outside.values()]) {
			group.entries.clear();
			this.#touch(group);
		}
	}

	#addElicitation(elicitation: Elicitation): void {
		// One that was answered without being asked is told of by its end alone, before it is remembered.
		const { origin } = elicitation;
		for (const call of origin.calls.length > 0 ? origin.calls : [undefined]) {
			const group = this.#group(keyOf(call, origin.server), origin.server, call);
			group.elicitations.add(elicitation);
			group.version++;
		}
	}

	#forgetElicitation(elicitation: Elicitation): void {
		for (const key of keysOf(elicitation.origin)) {
			const group = this.#find(key);
			if (group?.elicitations.delete(elicitation)) {
				this.#touch(group);
			}
		}
	}

	#addCall(call: Call): void {
		this.#calls.add(call);
		this.#group(keyOf(call), call.server, call).version++;
	}

	#forgetCall(call: Call): void {
		this.#calls.delete(call);
		const group = this.#find(keyOf(call));
		if (group) {
			this.#touch(group);
		}
	}

	/** Forgets a group once nothing of it is remembered any more. */
	#touch(group: KeptGroup): void {
		group.version++;
		const { call, key, entries, elicitations } = group;
		if (entries.length === 0 && elicitations.size === 0 && !(call && this.#calls.has(call))) {
			this.#groups.delete(key);
			this.#outside.delete(key);
		}
	}

	#find(key: string): KeptGroup | undefined {
		return this.#groups.get(key) ?? this.#outside.get(key);
	}

	#group(key: string, server: string, call?: Call): KeptGroup {
		const found = this.#find(key);
		if (found) {
			return found;
		}
		const group = new KeptGroup(key, server, call);
		if (!call) {
			this.#outside.set(key, group);
			return group;
		}
		this.#groups.set(key, group);
		if (this.#newest && inOrder(call, this.#newest) < 0) {
			// Something of a call has arrived after the call itself was forgotten.
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

/** The ids of calls count up. */
function inOrder(a: Call, b: Call): number {
	return Number(a.id) - Number(b.id);
}

/** What names a group, here and in a page that shows it. */
function keyOf(call: Call | undefined, server = ''): string {
	return call ? `call:${call.id}` : `outside:${server}`;
}

function keysOf({ calls, server }: Elicitation['origin']): string[] {
	return calls.length > 0 ? calls.map((call) => keyOf(call)) : [keyOf(undefined, server)];
}

function methodOf({ message }: TraceEntry): string {
	const method = own(message, 'method');
	return typeof method === 'string' ? method : '';
}

/** How often each name occurs; the empty name is none. */
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

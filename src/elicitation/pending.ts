import type { Call, RoundLimit } from './call.ts';
import type { Elicitation, ElicitationGroup } from './elicitation.ts';
import { entriesOf } from './group.ts';
import type { HeldRequests, Registry } from './registry.ts';

/** An item of the pending list. Commands that are run on an item, such as `cancelCall`, read its `call`. */
export type Pending =
	/** A call that continues only if the user agrees. */
	| { readonly kind: 'roundLimit'; readonly call: Call; readonly roundLimit: RoundLimit }
	/** Requests of a server over the rate limit. */
	| {
			readonly kind: 'rateLimit';
			readonly server: string;
			readonly heldRequests: HeldRequests;
			readonly held: readonly Elicitation[];
	  }
	| { readonly kind: 'elicitation'; readonly elicitation: Elicitation }
	/** Elicitations that arrived together, including those that have ended. */
	| {
			readonly kind: 'group';
			readonly call: Call;
			readonly group: ElicitationGroup;
			readonly entries: readonly Elicitation[];
	  };

/**
 * All pending items in this order: round limits, held requests, undelivered responses, elicitations, groups. Each
 * oldest first.
 */
export function pendingOf(registry: Registry): Pending[] {
	const live = [...unsentOf(registry), ...registry.live];
	const together = new Set<ElicitationGroup>();
	const single: Pending[] = [];
	const held = new Map<string, Elicitation[]>();
	const limited = new Set(live.filter(isTooMuch).map(({ origin }) => origin.server));
	for (const elicitation of live) {
		const { group, server } = elicitation.origin;
		if (group && group.size > 1) {
			together.add(group);
		} else if (elicitation.state === 'held' && limited.has(server)) {
			held.set(server, [...(held.get(server) ?? []), elicitation]);
		} else {
			single.push({ kind: 'elicitation', elicitation });
		}
	}
	const all = together.size > 0 ? registry.elicitations : [];
	return [
		...registry.calls.flatMap((call): Pending[] =>
			call.atRoundLimit ? [{ kind: 'roundLimit', call, roundLimit: call.atRoundLimit }] : [],
		),
		...heldRequestsOf(registry, limited, held),
		...single,
		...[...together].map(
			(group): Pending => ({ kind: 'group', call: group.call, group, entries: entriesOf(group, all) }),
		),
	];
}

export interface PendingCount {
	readonly count: number;
	/** The user's consent is waited for: to open a URL, or to let a call or a server go on. */
	readonly consent: boolean;
	/** Nothing waits for the user: auto-responders decide, or decided responses are on their way. */
	readonly automatic: boolean;
}

/** Counts the pending items. */
export function countPending(registry: Registry): PendingCount {
	const { live } = registry;
	const unsent = unsentOf(registry);
	const atRoundLimit = registry.calls.filter((call) => call.atRoundLimit).length;
	const pending = [...live, ...unsent];
	return {
		count: pending.length + atRoundLimit,
		consent:
			atRoundLimit > 0 ||
			live.some(
				(each) => isTooMuch(each) || (each.state === 'asking' && each.request.mode === 'url' && !each.consulted),
			),
		automatic: pending.length > 0 && atRoundLimit === 0 && pending.every(isAutomatic),
	};
}

function isAutomatic({ consulted, delivery }: Elicitation): boolean {
	return consulted !== undefined || delivery?.state === 'sending';
}

/** Decided but undelivered. Live elicitations are listed anyway. */
function unsentOf(registry: Registry): Elicitation[] {
	return registry.unsent.filter((elicitation) => !elicitation.live);
}

function heldRequestsOf(
	registry: Registry,
	servers: ReadonlySet<string>,
	held: ReadonlyMap<string, Elicitation[]>,
): Pending[] {
	return [...servers].flatMap((server): Pending[] => {
		const heldRequests = registry.heldRequests(server);
		return heldRequests ? [{ kind: 'rateLimit', server, heldRequests, held: held.get(server) ?? [] }] : [];
	});
}

/** Held because of the rate limit, not only because too many are shown. */
function isTooMuch({ holdReason }: Elicitation): boolean {
	return holdReason === 'rate' || holdReason === 'repeated';
}

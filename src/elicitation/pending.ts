import type { Call, RoundLimit } from './call.ts';
import type { Elicitation, Group } from './elicitation.ts';
import { entriesOf } from './group.ts';
import type { HeldRequests, Registry } from './registry.ts';

/** An item of the pending list. */
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
	| { readonly kind: 'question'; readonly elicitation: Elicitation }
	/** Elicitations that arrived together, including those that have ended. */
	| {
			readonly kind: 'group';
			readonly call: Call;
			readonly group: Group;
			readonly entries: readonly Elicitation[];
	  };

/**
 * All pending items in this order: round limits, held requests, undelivered responses, elicitations, groups. Each
 * oldest first.
 */
export function pendingOf(registry: Registry): Pending[] {
	const live = [...unsentOf(registry), ...registry.live];
	const together = new Set<Group>();
	const single: Pending[] = [];
	const held = new Map<string, Elicitation[]>();
	for (const elicitation of live) {
		const { group, server } = elicitation.origin;
		if (group && group.size > 1) {
			together.add(group);
		} else if (isTooMuch(elicitation)) {
			held.set(server, [...(held.get(server) ?? []), elicitation]);
		} else {
			single.push({ kind: 'question', elicitation });
		}
	}
	const all = together.size > 0 ? registry.elicitations : [];
	return [
		...registry.calls.flatMap((call): Pending[] =>
			call.atRoundLimit ? [{ kind: 'roundLimit', call, roundLimit: call.atRoundLimit }] : [],
		),
		...heldRequestsOf(registry, live, held),
		...single,
		...[...together].map(
			(group): Pending => ({ kind: 'group', call: group.call, group, entries: entriesOf(group, all) }),
		),
	];
}

/** Number of pending items, and whether one of them needs a decision of the user. */
export function countPending(registry: Registry): { readonly count: number; readonly urgent: boolean } {
	const { live } = registry;
	const unsent = unsentOf(registry);
	const atRoundLimit = registry.calls.filter((call) => call.atRoundLimit).length;
	const urgent =
		atRoundLimit > 0 ||
		registry.unsent.some(({ delivery }) => delivery?.canSendAgain) ||
		live.some((each) => isTooMuch(each) || (each.state === 'asking' && each.request.mode === 'url'));
	return { count: live.length + unsent.length + atRoundLimit, urgent };
}

/** Decided but undelivered. Live elicitations are listed anyway. */
function unsentOf(registry: Registry): Elicitation[] {
	return registry.unsent.filter((elicitation) => !elicitation.live);
}

function heldRequestsOf(
	registry: Registry,
	live: readonly Elicitation[],
	held: ReadonlyMap<string, Elicitation[]>,
): Pending[] {
	const servers = new Set(live.filter(isTooMuch).map(({ origin }) => origin.server));
	return [...servers].flatMap((server): Pending[] => {
		const heldRequests = registry.heldRequests(server);
		return heldRequests ? [{ kind: 'rateLimit', server, heldRequests, held: held.get(server) ?? [] }] : [];
	});
}

/** Held because of the rate limit, not only because too many are shown. */
function isTooMuch({ holdReason }: Elicitation): boolean {
	return holdReason === 'rate' || holdReason === 'repeated';
}

import type { Call, RoundLimit } from './call.ts';
import type { Elicitation, Group } from './elicitation.ts';
import { entriesOf } from './group.ts';
import type { HeldRequests, Registry } from './registry.ts';

/** Something that waits for the user or the server, as the surfaces show it. */
export type Pending =
	/** A call that goes on only if the user says so. */
	| { readonly kind: 'roundLimit'; readonly call: Call; readonly roundLimit: RoundLimit }
	/** What a server asked too much. */
	| {
			readonly kind: 'held';
			readonly server: string;
			readonly heldRequests: HeldRequests;
			readonly held: readonly Elicitation[];
	  }
	| { readonly kind: 'question'; readonly elicitation: Elicitation }
	/** Questions that came together, those that are over included. */
	| {
			readonly kind: 'group';
			readonly call: Call;
			readonly group: Group;
			readonly entries: readonly Elicitation[];
	  };

/**
 * All that is pending: first what only the user can decide, then responses that could not be delivered, then the questions,
 * then the groups; each oldest first.
 */
export function pendingOf(registry: Registry): Pending[] {
	const live = [...unsentOf(registry), ...registry.live];
	const together = new Set<Group>();
	const questions: Pending[] = [];
	const held = new Map<string, Elicitation[]>();
	for (const elicitation of live) {
		const { group, server } = elicitation.origin;
		if (group && group.size > 1) {
			together.add(group);
		} else if (isTooMuch(elicitation)) {
			held.set(server, [...(held.get(server) ?? []), elicitation]);
		} else {
			questions.push({ kind: 'question', elicitation });
		}
	}
	const all = together.size > 0 ? registry.elicitations : [];
	return [
		...registry.calls.flatMap((call): Pending[] =>
			call.atRoundLimit ? [{ kind: 'roundLimit', call, roundLimit: call.atRoundLimit }] : [],
		),
		...heldRequestsOf(registry, live, held),
		...questions,
		...[...together].map(
			(group): Pending => ({ kind: 'group', call: group.call, group, entries: entriesOf(group, all) }),
		),
	];
}

/** How many things are pending, and whether one of them cannot go on without a decision of the user. */
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

/** Decided, and not delivered; those that are live are shown as such. */
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
		return heldRequests ? [{ kind: 'held', server, heldRequests, held: held.get(server) ?? [] }] : [];
	});
}

/** Held back because of what the server does, and not only for want of room. */
function isTooMuch({ holdReason }: Elicitation): boolean {
	return holdReason === 'rate' || holdReason === 'repeated';
}

import type { Call, Halt } from './call.ts';
import type { Elicitation, Group } from './elicitation.ts';
import { entriesOf } from './group.ts';
import type { Registry, Storm } from './registry.ts';

/** Something that waits for the person or the server, as the surfaces show it. */
export type Pending =
	/** A call that goes on only if the person says so. */
	| { readonly kind: 'halt'; readonly call: Call; readonly halt: Halt }
	/** What a server asked too much. */
	| { readonly kind: 'storm'; readonly server: string; readonly storm: Storm; readonly held: readonly Elicitation[] }
	| { readonly kind: 'question'; readonly elicitation: Elicitation }
	/** Questions that came together, those that are over included. */
	| {
			readonly kind: 'group';
			readonly call: Call;
			readonly group: Group;
			readonly entries: readonly Elicitation[];
	  };

/**
 * All that is pending: first what only the person can decide, then responses that could not be delivered, then the questions,
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
		...registry.calls.flatMap((call): Pending[] => (call.halted ? [{ kind: 'halt', call, halt: call.halted }] : [])),
		...stormsOf(registry, live, held),
		...questions,
		...[...together].map(
			(group): Pending => ({ kind: 'group', call: group.call, group, entries: entriesOf(group, all) }),
		),
	];
}

/** How many things are pending, and whether one of them cannot go on without a decision of the person. */
export function countPending(registry: Registry): { readonly count: number; readonly urgent: boolean } {
	const { live } = registry;
	const unsent = unsentOf(registry);
	const halted = registry.calls.filter((call) => call.halted).length;
	const urgent =
		halted > 0 ||
		registry.unsent.some(({ delivery }) => delivery?.canSendAgain) ||
		live.some((each) => isTooMuch(each) || (each.state === 'asking' && each.request.mode === 'url'));
	return { count: live.length + unsent.length + halted, urgent };
}

/** Decided, and not delivered; those that are live are shown as such. */
function unsentOf(registry: Registry): Elicitation[] {
	return registry.unsent.filter((elicitation) => !elicitation.live);
}

function stormsOf(
	registry: Registry,
	live: readonly Elicitation[],
	held: ReadonlyMap<string, Elicitation[]>,
): Pending[] {
	const servers = new Set(live.filter(isTooMuch).map(({ origin }) => origin.server));
	return [...servers].flatMap((server): Pending[] => {
		const storm = registry.storm(server);
		return storm ? [{ kind: 'storm', server, storm, held: held.get(server) ?? [] }] : [];
	});
}

/** Held back because of what the server does, and not only for want of room. */
function isTooMuch({ holdReason }: Elicitation): boolean {
	return holdReason === 'rate' || holdReason === 'repeated';
}

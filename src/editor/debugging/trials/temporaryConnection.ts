import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Validator } from '../../../elicitation/form/validate.ts';
import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import { accept } from '../../../trials/accept.ts';
import type { CallSpec } from '../../../trials/callRun.ts';
import { failure, type Observation, observe, type RunContext, type TrialRun } from '../../../trials/observe.ts';
import type { Variant } from '../../servers/servers.ts';
import type { PlannedRun } from './trial.ts';

/** What tests on a temporary connection need. */
export interface TrialTools extends RunContext {
	readonly validator: Validator;
	/** Name of the temporary connection, shown wherever the connection appears. */
	nameFor(server: string, trial: Sentence): string;
	/** Resolves to false if the user did not consent to the start. */
	openTemporaryConnection(server: string, as: string, variant: Variant): Promise<boolean>;
	closeTemporaryConnection(name: string): Promise<void>;
	/** The negotiated protocol revision. */
	revisionOf(name: string): string | undefined;
}

/** The call to repeat, and its elicitations. */
export interface RepeatedCall {
	readonly spec: Omit<CallSpec, 'trial'>;
	/** True if it ran as a task. */
	readonly isTask: boolean;
	readonly before: readonly Elicitation[];
}

/** True if a task requested it. The rounds of a call precede its task. */
export function isOfTask({ cause, origin: { group } }: Elicitation): boolean {
	return cause?.task !== undefined && (group === undefined || group.round === cause.rounds);
}

/** A run on its own connection. */
export interface ProtocolTestRun extends PlannedRun {
	readonly group: 'modes' | 'revisions' | 'state' | 'urls' | 'tasks';
}

/** Makes the call on the temporary connection. */
export type MakeCall = (
	trial: Omit<TrialRun, 'name' | 'description'> & Partial<Pick<TrialRun, 'description'>>,
) => Promise<Observation | undefined>;

/** Responds to every elicitation with valid content. */
export function accepting({ validator }: TrialTools, { before }: RepeatedCall): Pick<TrialRun, 'answer'> {
	return { answer: (elicitation, _index, note) => accept(elicitation, validator, before, note) };
}

/** Opens a temporary connection for a run and always closes it. */
export async function onTemporaryConnection(
	tools: TrialTools,
	{ spec }: RepeatedCall,
	name: Sentence,
	variant: Variant,
	signal: AbortSignal,
	act: (makeCall: MakeCall) => Promise<Observation | undefined>,
): Promise<Observation | undefined> {
	const as = tools.nameFor(spec.server, name);
	// Not awaited, so that stopping the runs does not wait for a slow server.
	const end = () => void tools.closeTemporaryConnection(as);
	signal.addEventListener('abort', end, { once: true });
	try {
		if (!(await tools.openTemporaryConnection(spec.server, as, variant))) {
			return undefined;
		}
		const makeCall: MakeCall = (trial) =>
			observe(
				tools,
				{ ...spec, server: as },
				{ description: localizable('Protocol bench: {0}', name), ...trial, name },
				signal,
			);
		const seen = await act(makeCall).catch(notStarted);
		const revision = tools.revisionOf(as);
		return (
			seen && {
				...seen,
				...(revision !== undefined && { revision }),
				notes: seen.call ? [asked(seen), ...seen.notes] : seen.notes,
			}
		);
	} finally {
		signal.removeEventListener('abort', end);
		await tools.closeTemporaryConnection(as);
	}
}

/** The call was not made, for example because the server does not support the revision. */
function notStarted(error: unknown): Observation {
	return { ...failure(error), outcome: 'failed', elicitations: [], notes: [] };
}

function asked({ elicitations }: Observation): Sentence {
	const modes = [...new Set(elicitations.map(({ request }) => request.mode))];
	return modes.length > 0 ? localizable('Requested: {0}', modes.join(', ')) : localizable('Nothing was requested.');
}

import type { Call } from '../../../elicitation/call.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { boundaryCases } from '../../../elicitation/form/boundary.ts';
import { type Validator, validatorFor } from '../../../elicitation/form/validate.ts';
import { type Persona, titleOf } from '../../../elicitation/personas/persona.ts';
import { sendersOf } from '../../../elicitation/personas/senders.ts';
import { type FormRequest, modesOf } from '../../../elicitation/request.ts';
import { REVISIONS } from '../../../elicitation/revisions.ts';
import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import type { TraceLog } from '../../../trace/log.ts';
import { validContent } from '../../../trials/accept.ts';
import { actionMatrix } from '../../../trials/actionMatrix.ts';
import { boundaryRun, isForm, judgeBoundaryValue } from '../../../trials/boundaryValues.ts';
import { DEFAULT_RUNS, factsOf, judgeDeterminism, type RunFacts, repetition } from '../../../trials/determinism.ts';
import { type Observation, observe, SERVER_TIMEOUT, type TrialRun } from '../../../trials/observe.ts';
import { HOLD_TIMES, judgePatience, patienceRun } from '../../../trials/patience.ts';
import { personaRun } from '../../../trials/personaRun.ts';
import { localize } from '../../common/localize.ts';
import { ServerError } from '../../servers/serverError.ts';
import type { Variant } from '../../servers/servers.ts';
import { choosePersonas } from '../personas/choosePersona.ts';
import { protocolTests } from './protocolTests.ts';
import { chooseCases, chooseRuns, enterHoldTimes, enterRuns } from './quickPicks.ts';
import { onTemporaryConnection, type RepeatedCall, type TrialTools } from './temporaryConnection.ts';
import type { PlannedRun } from './trial.ts';

/** The call to repeat, and what is known of it. */
export interface CallToRepeat {
	readonly call: Call;
	/** The elicitations that the protocol says it caused. */
	readonly before: readonly Elicitation[];
	readonly validator: Validator;
}

/** The same, once it is settled how to repeat it. */
export interface Repeated extends CallToRepeat, RepeatedCall {
	readonly tools: TrialTools;
	readonly trace: Pick<TraceLog, 'entries'>;
}

/** A kind of trial: what is said of it, and the runs that it consists of. */
interface Description<Choice> {
	readonly heading: Sentence;
	/** What it does, where it is chosen. */
	readonly what: Sentence;
	/** How many calls it makes. */
	readonly calls: (subject: CallToRepeat) => Sentence;
	/** Absent: to every call. */
	readonly applies?: (subject: CallToRepeat) => boolean;
	/** Its purpose, as a complete sentence. */
	readonly about: Sentence;
	/** What else the user should know before it runs. */
	readonly more?: (choices: readonly Choice[]) => Sentence;
	/** The runs differ in their protocol revision. */
	readonly revisions?: true;
	/** What there is to run, as the user chooses; nothing if they give it up. */
	choices(of: Repeated): Promise<readonly Choice[]> | readonly Choice[];
	runs(of: Repeated, choices: readonly Choice[]): readonly PlannedRun[];
}

export interface TrialKind extends Omit<Description<never>, 'choices' | 'runs' | 'more'> {
	plan(of: Repeated): Promise<{ readonly runs: readonly PlannedRun[]; readonly more: Sentence | undefined }>;
}

function kind<Choice>({ choices, runs, more, ...said }: Description<Choice>): TrialKind {
	return {
		...said,
		plan: async (of) => {
			const chosen = await choices(of);
			return { runs: chosen.length > 0 ? runs(of, chosen) : [], more: more?.(chosen) };
		},
	};
}

const startsAgain = () => localizable('Each run starts the server again, in addition to the connection that you use.');

/** All ways to repeat a call. */
export const KINDS: readonly TrialKind[] = [
	kind({
		heading: localizable('Action matrix'),
		what: localizable('Accepts, declines, cancels, fails, and leaves open what the call requests.'),
		calls: ({ validator, before }) => localizable('{0} calls', actionMatrix(validator, before).length),
		about: localizable(
			'Every request of the call is accepted, declined, cancelled, answered with an error, and finally left open for up to {0} s.',
			SERVER_TIMEOUT / 1000,
		),
		choices: ({ validator, before }) => actionMatrix(validator, before),
		runs: (of, trials) =>
			trials.map((trial, at) => ({
				...inPlace(of, trial),
				showsAnswer: true,
				...(of.before[0] && { senders: sendersOf(trial.ending, of.before[0].request) }),
				// Only an accepted call has to succeed.
				refusal: () => (at === 0 ? undefined : 'expected'),
			})),
	}),
	kind({
		heading: localizable('Boundary values'),
		what: localizable('Responds to the first form with each value at the limits of its schema, and beyond.'),
		calls: () => localizable('1 call for each value'),
		applies: ({ before }) => before.some(isForm),
		about: localizable("The call's first form gets values at the limits of its schema, and beyond them on purpose."),
		choices: async (of) => {
			const { call, before } = of;
			const { schema, validator } = firstForm(of);
			const valid = await validContent(schema, validator, before);
			if (!valid) {
				throw new ServerError(
					call.server,
					localize('No response to the form of "{0}" was found that its schema allows.', call.name),
					localize('Call it again and respond yourself, then try that call.'),
				);
			}
			return chooseCases(await boundaryCases(schema, valid, validator));
		},
		runs: (of, cases) => {
			const { schema, validator } = firstForm(of);
			return cases.map((each) => ({
				...inPlace(of, boundaryRun(each, schema, validator, of.before)),
				...(each.changed && { sent: each.changed }),
				...(each.allowed === false && { mark: localizable('invalid on purpose') }),
				refusal: () => (each.allowed === false ? 'expected' : undefined),
				judge: (observation) => judgeBoundaryValue(each, observation, of.before),
			}));
		},
	}),
	kind({
		heading: localizable('Patience'),
		what: localizable('Holds the first response for longer and longer.'),
		calls: () => localizable('{0} calls', HOLD_TIMES.length + 1),
		about: localizable(
			'The first response is given at once, then held, to see who gives up and whether work is done twice.',
		),
		more: (times) =>
			localizable(
				'Responses are held for {0} s in all.',
				times.reduce((total, time) => total + time, 0),
			),
		choices: enterHoldTimes,
		runs: (of, times) => {
			let atOnce: Observation | undefined;
			const keep = (seen: Observation) => {
				atOnce ??= seen;
			};
			return [0, ...times].map((seconds) => ({
				...inPlace(of, patienceRun(seconds, of.validator, of.before), keep),
				judge: (seen) => (atOnce && seen !== atOnce ? judgePatience(seen, atOnce) : []),
			}));
		},
	}),
	kind({
		heading: localizable('Determinism'),
		what: localizable('Gives the same responses each time.'),
		calls: () => localizable('{0} calls', DEFAULT_RUNS),
		about: localizable('Every run has the same responses, to see what the server changes by itself.'),
		choices: async () => Array.from({ length: await enterRuns() }, (_, at) => at + 1),
		runs: (of, numbers) => {
			const facts: RunFacts[] = [];
			return numbers.map((number) => ({
				...inPlace(of, repetition(number, of.call, of.tools.registry, of.before), (seen) =>
					facts.push(factsOf(seen, of.trace.entries)),
				),
				judge: () => judgeDeterminism(facts.slice(0, number)),
			}));
		},
	}),
	kind({
		heading: localizable('Other clients'),
		what: localizable('Declares and responds as other clients do.'),
		calls: () => localizable('1 call for each client'),
		about: localizable(
			'Every run declares what the client declares, and responds as it does; where that takes a person, only what is required is entered.',
		),
		more: startsAgain,
		revisions: true,
		choices: choosePersonas,
		runs: (of, personas) => personas.map((persona) => asPersona(of, persona)),
	}),
	kind({
		heading: localizable('Protocol bench'),
		what: localizable(
			'Varies the capabilities, the protocol revision, and what is returned, over connections of its own.',
		),
		calls: () => localizable('1 call or more for each test'),
		about: localizable('Every run has its own connection, which is closed when the run ends. Yours is not affected.'),
		more: startsAgain,
		revisions: true,
		choices: (of) => chooseRuns(protocolTests(of.tools, of, REVISIONS)),
		runs: (_of, runs) => runs,
	}),
];

/** The schema of the first form of a call that has one. */
function firstForm({ call, before, validator }: CallToRepeat) {
	const { request } = before.find(isForm) as { readonly request: FormRequest };
	return { schema: request.requestedSchema, validator: validatorFor(call.server, validator) };
}

/**
 * A run over the connection that the user has.
 * @param ended called with what was observed
 */
function inPlace(
	{ tools, spec }: Repeated,
	trial: TrialRun,
	ended: (seen: Observation) => void = () => {},
): PlannedRun {
	return {
		name: trial.name,
		run: async (signal) => {
			const seen = await observe(tools, spec, trial, signal);
			if (seen) {
				ended(seen);
			}
			return seen;
		},
	};
}

/** A run as another client, on a connection that declares what the client declares. */
function asPersona(of: Repeated, persona: Persona): PlannedRun {
	const { tools, before } = of;
	const name = localizable('As {0}', titleOf(persona));
	const trial = personaRun(persona, tools.validator, before);
	return {
		name,
		showsAnswer: true,
		run: (signal) =>
			onTemporaryConnection(tools, of, name, variantOf(persona), signal, (makeCall) =>
				makeCall({ ...trial, description: localizable('Run as {0}', titleOf(persona)) }),
			),
		// It need not have the revision, nor succeed without a response of a person.
		refusal: ({ call }) => (persona.automatic ? 'expected' : call ? undefined : 'neutral'),
	};
}

/** The newest revision that the client negotiates, with the modes that it declares there. */
export function variantOf({ declares }: Persona): Variant {
	const protocolVersion = Object.keys(declares ?? {})
		.sort()
		.at(-1) as keyof NonNullable<Persona['declares']> | undefined;
	return protocolVersion === undefined ? {} : { protocolVersion, advertise: modesOf(declares?.[protocolVersion]) };
}

import * as vscode from 'vscode';
import type { Call, Series } from '../../../elicitation/call.ts';
import { native, shorten } from '../../../elicitation/display.ts';
import { boundaryCases } from '../../../elicitation/form/boundary.ts';
import { validatorFor } from '../../../elicitation/form/validate.ts';
import type { JsonObject } from '../../../elicitation/json.ts';
import { writeJson } from '../../../elicitation/jsonText.ts';
import { sendersOf } from '../../../elicitation/personas/senders.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { REVISIONS } from '../../../elicitation/revisions.ts';
import { localizable, render, type Sentence } from '../../../elicitation/sentence.ts';
import { Redactor } from '../../../trace/redact.ts';
import { validContent } from '../../../trials/accept.ts';
import { actionMatrix } from '../../../trials/actionMatrix.ts';
import { boundaryTrial, isForm, judgeBoundaryValue } from '../../../trials/boundaryValues.ts';
import type { CallSpec } from '../../../trials/callRun.ts';
import { DEFAULT_RUNS, factsOf, judgeDeterminism, type RunFacts, repetition } from '../../../trials/determinism.ts';
import { type Observation, observe, SERVER_TIMEOUT, type Trial } from '../../../trials/observe.ts';
import { HOLD_TIMES, judgePatience, patienceTrial } from '../../../trials/patience.ts';
import { receivingServer, wholeArgsOf } from '../../calls/changedServer.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import { notify, showModal, showProgress } from '../../common/notifications.ts';
import { showQuickPick } from '../../common/surfaces.ts';
import { ServerError } from '../../servers/serverError.ts';
import type { DebuggingContext } from '../debuggingContext.ts';
import { choosePersonas } from '../personas/choosePersona.ts';
import { toMarkdown } from './markdown.ts';
import { personaRun } from './personaRuns.ts';
import type { Plan, PlannedRun } from './plan.ts';
import { protocolTests } from './protocolTests.ts';
import { chooseCases, chooseRuns, elicitationsOf, enterHoldTimes, enterRuns, type Repeatable } from './quickPicks.ts';
import { Table } from './table.ts';
import type { RepeatedCall, TestBench } from './temporaryConnection.ts';
import { TrialsPanel } from './trialsPanel.ts';

/** A call, and the series in which it is repeated. */
type Planned = readonly [repeated: Repeatable, series: Series];

/** What a trial does. */
type Details = Pick<Plan, 'about' | 'runs' | 'revisions'> & {
	/** Number of calls, if a run makes several. */
	readonly calls?: number;
	/** What else the user should know before it runs. */
	readonly more?: string;
};

/** A way to repeat a call. */
interface TrialKind {
	readonly heading: Sentence;
	readonly what: string;
	/** How many calls it makes. */
	readonly calls: string;
	/** Asks for what it needs; undefined if the user gave it up. */
	plan(...of: Planned): Promise<Details | undefined>;
}

function callsText(count: number): string {
	return localize('{0} calls', count);
}

/** Runs series of test calls and shows each series in a table that fills as the calls end. */
export class Trials {
	/**
	 * One series at a time, because with two running calls the protocol does not say which one caused an elicitation.
	 */
	#running = false;
	/** Number of series so far. */
	#series = 0;

	constructor(private readonly context: DebuggingContext) {}

	/** The command `runTrial`: repeats a finished call in the way that the user chooses. */
	async run(call: Call): Promise<void> {
		const identity = await receivingServer(call, this.context.servers);
		if (identity === undefined) {
			return;
		}
		const items = this.#kindsFor(call).map((kind) => ({
			label: nativeText(kind.heading),
			description: native(kind.calls),
			detail: native(kind.what),
			trial: kind,
		}));
		const title = native(localize('Run a trial of {0} on {1}', call.name, call.server), 100);
		const kind = (await showQuickPick(items, { title, placeHolder: localize('Choose a trial'), matchOnDetail: true }))
			?.trial;
		if (!kind) {
			return;
		}
		const series = { id: String(++this.#series), server: call.server, name: call.name, heading: kind.heading };
		const planned = await kind.plan({ call, identity }, series);
		const calls = planned?.calls ?? planned?.runs.length ?? 0;
		if (planned && calls > 0 && (await confirmed(call, calls, planned.more))) {
			const { server, name } = call;
			await this.#run({ ...planned, heading: kind.heading, server, call: { kind: call.kind, name } });
		}
	}

	#kindsFor(call: Call): TrialKind[] {
		const before = elicitationsOf(this.context.registry, call);
		return [
			{
				heading: localizable('Action matrix'),
				what: localize('Accepts, declines, cancels, fails, and leaves open what the call requests.'),
				calls: callsText(actionMatrix(this.context.registry.validator, before).length),
				plan: (...of) => this.#actionMatrix(...of),
			},
			...(before.some(isForm)
				? [
						{
							heading: localizable('Boundary values'),
							what: localize('Responds to the first form with each value at the limits of its schema, and beyond.'),
							calls: localize('1 call for each value'),
							plan: (...of: Planned) => this.#boundaryValues(...of),
						},
					]
				: []),
			{
				heading: localizable('Patience'),
				what: localize('Holds the first response for longer and longer.'),
				calls: callsText(HOLD_TIMES.length + 1),
				plan: (...of) => this.#patience(...of),
			},
			{
				heading: localizable('Determinism'),
				what: localize('Gives the same responses each time.'),
				calls: callsText(DEFAULT_RUNS),
				plan: (...of) => this.#determinism(...of),
			},
			{
				heading: localizable('Other clients'),
				what: localize('Declares and responds as other clients do.'),
				calls: localize('1 call for each client'),
				plan: (...of) => this.#otherClients(...of),
			},
			{
				heading: localizable('Protocol bench'),
				what: localize(
					'Varies the capabilities, the protocol revision, and what is returned, over connections of its own.',
				),
				calls: localize('1 call or more for each test'),
				plan: (...of) => this.#protocolBench(...of),
			},
		];
	}

	/** Ends the elicitations of a call in every possible way. */
	async #actionMatrix(...[repeated, series]: Planned): Promise<Details> {
		const { registry } = this.context;
		const before = elicitationsOf(registry, repeated.call);
		return {
			about: localizable(
				'Every request of the call is accepted, declined, cancelled, answered with an error, and finally left open for up to {0} s.',
				SERVER_TIMEOUT / 1000,
			),
			runs: actionMatrix(registry.validator, before).map((trial, at) => ({
				...this.#planned(repeated, series, trial),
				showsAnswer: true,
				...(before[0] && { senders: sendersOf(trial.ending, before[0].request) }),
				// Only an accepted call has to succeed.
				refusal: () => (at === 0 ? undefined : 'expected'),
			})),
		};
	}

	/** Responds to the first form of a call with each boundary value of its schema. */
	async #boundaryValues(...[repeated, series]: Planned): Promise<Details | undefined> {
		const { registry } = this.context;
		const { call } = repeated;
		const before = elicitationsOf(registry, call);
		const form = before.find(isForm);
		if (!form) {
			return undefined;
		}
		const { requestedSchema } = form.request;
		const validator = validatorFor(call.server, registry.validator);
		const valid = await validContent(requestedSchema, validator, before);
		if (!valid) {
			throw new ServerError(
				call.server,
				localize('No response to the form of "{0}" was found that its schema allows.', call.name),
				localize('Call it again and respond yourself, then try that call.'),
			);
		}
		const cases = await chooseCases(await boundaryCases(requestedSchema, valid, validator));
		return {
			about: localizable("The call's first form gets values at the limits of its schema, and beyond them on purpose."),
			runs: cases.map((each) => ({
				...this.#planned(repeated, series, boundaryTrial(each, requestedSchema, validator, before)),
				...(each.changed && { sent: each.changed }),
				...(each.allowed === false && { mark: localizable('invalid on purpose') }),
				refusal: () => (each.allowed === false ? 'expected' : undefined),
				judge: (observation) => judgeBoundaryValue(each, observation, before),
			})),
		};
	}

	/** Makes a call over temporary connections that differ in capabilities, revision and what they send back. */
	async #protocolBench(...[repeated, series]: Planned): Promise<Details> {
		const subject = subjectOf(repeated, series, this.context.registry);
		const runs = await chooseRuns(protocolTests(this.#bench, subject, REVISIONS));
		return {
			about: localizable('Every run has its own connection, which is closed when the run ends. Yours is not affected.'),
			revisions: true,
			runs,
			calls: runs.reduce((sum, each) => sum + each.calls, 0),
			more: startsAgain(),
		};
	}

	/** Holds the first response of a call for longer and longer. */
	async #patience(...[repeated, series]: Planned): Promise<Details | undefined> {
		const { registry } = this.context;
		const times = await enterHoldTimes();
		if (times.length === 0) {
			return undefined;
		}
		const before = elicitationsOf(registry, repeated.call);
		let atOnce: Observation | undefined;
		return {
			about: localizable(
				'The first response is given at once, then held, to see who gives up and whether work is done twice.',
			),
			more: localize(
				'Responses are held for {0} s in all.',
				times.reduce((total, time) => total + time),
			),
			runs: [0, ...times].map((seconds) => ({
				...this.#planned(repeated, series, patienceTrial(seconds, registry.validator, before), (seen) => {
					atOnce ??= seen;
				}),
				judge: (seen) => (atOnce && seen !== atOnce ? judgePatience(seen, atOnce) : []),
			})),
		};
	}

	/** Makes a call several times with the same responses. */
	async #determinism(...[repeated, series]: Planned): Promise<Details> {
		const { registry, trace } = this.context;
		const times = await enterRuns();
		const before = elicitationsOf(registry, repeated.call);
		const facts: RunFacts[] = [];
		return {
			about: localizable('Every run has the same responses, to see what the server changes by itself.'),
			runs: Array.from({ length: times }, (_, at) => ({
				...this.#planned(repeated, series, repetition(at + 1, repeated.call, registry, before), (seen) => {
					facts.push(factsOf(seen, trace.entries));
				}),
				judge: () => judgeDeterminism(facts.slice(0, at + 1)),
			})),
		};
	}

	/** Repeats a call with other clients in the place of this one and its user. */
	async #otherClients(...[repeated, series]: Planned): Promise<Details> {
		const subject = subjectOf(repeated, series, this.context.registry);
		const personas = await choosePersonas();
		return {
			about: localizable(
				'Every run declares what the client declares, and responds as it does; where that takes a person, only what is required is entered.',
			),
			revisions: true,
			runs: personas.map((persona) => personaRun(this.#bench, subject, persona)),
			more: startsAgain(),
		};
	}

	get #bench(): TestBench {
		const { run, registry, servers } = this.context;
		return {
			...{ run, registry, validator: registry.validator },
			nameFor: (server, trial) => localize('{0} · test: {1}', server, render(trial, localize)),
			openTemporaryConnection: (server, as, variant) => servers.openTemporaryConnection(server, as, variant),
			closeTemporaryConnection: (name) => servers.closeTemporaryConnection(name),
			revisionOf: (name) => servers.get(name)?.connection?.revision,
		};
	}

	/** @param ended called with what was observed */
	#planned(
		repeated: Repeatable,
		series: Series,
		trial: Trial,
		ended: (seen: Observation) => void = () => {},
	): PlannedRun {
		return {
			name: trial.name,
			run: async (signal) => {
				const seen = await observe(this.context, specOf(repeated, series), trial, signal);
				if (seen) {
					ended(seen);
				}
				return seen;
			},
		};
	}

	async #run(plan: Plan): Promise<void> {
		if (this.#running) {
			void notify('information', localizeNative('Other trials are running. Wait for them, or stop them.'));
			return;
		}
		this.#running = true;
		try {
			await this.#runAll(plan);
		} finally {
			this.#running = false;
		}
	}

	/** Runs them one by one until the user stops. */
	async #runAll(plan: Plan): Promise<void> {
		const table = new Table(plan);
		const abort = new AbortController();
		const stop = () => abort.abort(new vscode.CancellationError());
		const panel = new TrialsPanel(this.context.extension.extensionUri, table, {
			open: async (index) => {
				const call = table.observation(index)?.call;
				await (call && vscode.commands.executeCommand(fullId('showTimeline'), `call:${call.id}`));
			},
			copy: () => this.#copy(table),
			stop,
		});
		const title = native(
			`${localize('{0} on {1}', plan.call.name, plan.server)}: ${render(plan.heading, localize)}`,
			100,
		);
		await showProgress(title, async (progress, token) => {
			token.onCancellationRequested(stop);
			try {
				for (const run of plan.runs) {
					progress.report({ message: localizeNative('{0} of {1} done', table.done, plan.runs.length) });
					table.begin(run);
					panel.update();
					const observation = abort.signal.aborted ? undefined : await run.run(abort.signal);
					if (!observation) {
						return;
					}
					table.end(run, observation);
				}
			} finally {
				table.close();
				panel.update();
			}
		});
	}

	async #copy(table: Table): Promise<void> {
		const { trace } = this.context;
		const redactor = new Redactor(trace);
		const markdown = toMarkdown(redactor.value(table.modelOf((sent) => redactor.value(sent)) as never) as never);
		await vscode.env.clipboard.writeText(markdown);
	}
}

function specOf({ call, identity }: Repeatable, series: Series): Omit<CallSpec, 'trial'> {
	const { server, kind, name, args } = call;
	return { server, identity, kind, name, args: args as JsonObject, series };
}

/** A call to repeat on temporary connections. */
function subjectOf(repeated: Repeatable, series: Series, registry: Registry): RepeatedCall {
	const { call } = repeated;
	return {
		spec: specOf(repeated, series),
		isTask: call.task !== undefined,
		before: elicitationsOf(registry, call),
	};
}

function startsAgain(): string {
	return localize('Each run starts the server again, in addition to the connection that you use.');
}

/** Explains what will happen and asks whether to continue. */
async function confirmed(call: Call, times: number, more = ''): Promise<boolean> {
	const { server, kind, name } = call;
	const run = localize('Run');
	const message = {
		tool: () =>
			times === 1
				? localize('Call "{0}" on {1} once?', name, server)
				: localize('Call "{0}" on {1} {2} times?', name, server, times),
		prompt: () =>
			times === 1
				? localize('Get "{0}" from {1} once?', name, server)
				: localize('Get "{0}" from {1} {2} times?', name, server, times),
		resource: () =>
			times === 1
				? localize('Read "{0}" from {1} once?', name, server)
				: localize('Read "{0}" from {1} {2} times?', name, server, times),
	}[kind]();
	const detail = [
		localize(
			'Each call has the same arguments and all its side effects. Its requests are answered for you; URLs are not opened.',
		),
		...(more === '' ? [] : [more]),
		localize('Arguments: {0}', shorten(writeJson(wholeArgsOf(call)), 500)),
	].join('\n\n');
	return (await showModal('warning', native(message, 200), detail, run)) === run;
}

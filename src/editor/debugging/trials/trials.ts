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
import { factsOf, judgeDeterminism, type RunFacts, repetition } from '../../../trials/determinism.ts';
import { type Observation, observe, SERVER_TIMEOUT, type Trial } from '../../../trials/observe.ts';
import { judgePatience, patienceTrial } from '../../../trials/patience.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify, showModal, showProgress } from '../../common/notifications.ts';
import { chooseServer } from '../../servers/chooseServer.ts';
import { ServerError } from '../../servers/serverError.ts';
import { isCallable } from '../../servers/servers.ts';
import type { DebuggingContext } from '../debuggingContext.ts';
import { choosePersonas } from '../personas/choosePersona.ts';
import { toMarkdown } from './markdown.ts';
import { personaRun } from './personaRuns.ts';
import type { Plan, PlannedRun } from './plan.ts';
import { protocolTests } from './protocolTests.ts';
import {
	callToRepeat,
	chooseCases,
	chooseRuns,
	elicitationsOf,
	enterHoldTimes,
	enterRuns,
	type Repeatable,
} from './quickPicks.ts';
import { Table } from './table.ts';
import type { RepeatedCall, TestBench } from './temporaryConnection.ts';
import { TrialsPanel } from './trialsPanel.ts';

/** Runs series of test calls and shows each series in a table that fills as the calls end. */
export class Trials {
	/**
	 * One series at a time, because with two running calls the protocol does not say which one caused an elicitation.
	 */
	#running = false;
	/** Number of series so far. */
	#series = 0;

	constructor(private readonly context: DebuggingContext) {}

	/** Ends the elicitations of a call in every possible way. */
	async runActionMatrix(target: unknown): Promise<void> {
		const { registry } = this.context;
		const repeated = await callToRepeat(this.context, target);
		if (!repeated) {
			return;
		}
		const { call } = repeated;
		const before = elicitationsOf(registry, call);
		const trials = actionMatrix(registry.validator, before);
		const series = this.#seriesOf(call, localizable('Action matrix'));
		if (await confirmed(call, trials.length)) {
			await this.#run({
				...planOf(call, series),
				about: localizable(
					'Every request of the call is accepted, declined, cancelled, answered with an error, and finally left open for up to {0} s.',
					SERVER_TIMEOUT / 1000,
				),
				runs: trials.map((trial, at) => ({
					...this.#planned(repeated, series, trial),
					showsAnswer: true,
					...(before[0] && { senders: sendersOf(trial.ending, before[0].request) }),
					// Only an accepted call has to succeed.
					refusal: () => (at === 0 ? undefined : 'expected'),
				})),
			});
		}
	}

	/** Responds to the first form of a call with each boundary value of its schema. */
	async runBoundaryValues(target: unknown): Promise<void> {
		const { registry } = this.context;
		const repeated = await callToRepeat(this.context, target, {
			fits: (each) => elicitationsOf(registry, each).some(isForm),
			nothing: () => localizeNative('No call has requested a form yet. Make one that does first.'),
		});
		const before = repeated ? elicitationsOf(registry, repeated.call) : [];
		const form = before.find(isForm);
		if (!repeated || !form) {
			return;
		}
		const { call } = repeated;
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
		const series = this.#seriesOf(call, localizable('Boundary values'));
		const cases = await chooseCases(await boundaryCases(requestedSchema, valid, validator));
		if (cases.length > 0 && (await confirmed(call, cases.length))) {
			await this.#run({
				...planOf(call, series),
				about: localizable(
					"The call's first form gets values at the limits of its schema, and beyond them on purpose.",
				),
				runs: cases.map((each) => ({
					...this.#planned(repeated, series, boundaryTrial(each, requestedSchema, validator, before)),
					...(each.changed && { sent: each.changed }),
					...(each.allowed === false && { mark: localizable('invalid on purpose') }),
					refusal: () => (each.allowed === false ? 'expected' : undefined),
					judge: (observation) => judgeBoundaryValue(each, observation, before),
				})),
			});
		}
	}

	/** Makes a call over temporary connections that differ in capabilities, revision and what they send back. */
	async testProtocol(target: unknown): Promise<void> {
		const { registry, servers } = this.context;
		const server = await chooseServer(servers, target, isCallable);
		if (server === undefined) {
			return;
		}
		const repeated = await callToRepeat(this.context, undefined, {
			fits: (each) => each.server === server,
			nothing: () => localizeNative('{0}: Make a call first; the bench repeats it.', server),
		});
		if (!repeated) {
			return;
		}
		const { call } = repeated;
		const series = this.#seriesOf(call, localizable('Protocol bench'));
		const subject = subjectOf(repeated, series, registry);
		const runs = await chooseRuns(protocolTests(this.#bench, subject, REVISIONS));
		const calls = runs.reduce((sum, each) => sum + each.calls, 0);
		if (calls > 0 && (await confirmed(call, calls, startsAgain()))) {
			await this.#run({
				...planOf(call, series),
				about: localizable(
					'Every run has its own connection, which is closed when the run ends. Yours is not affected.',
				),
				revisions: true,
				runs,
			});
		}
	}

	/** Holds the first response of a call for longer and longer. */
	async runPatience(target: unknown): Promise<void> {
		const { registry } = this.context;
		const repeated = await callToRepeat(this.context, target);
		const times = repeated ? await enterHoldTimes() : [];
		if (!repeated || times.length === 0) {
			return;
		}
		const { call } = repeated;
		const series = this.#seriesOf(call, localizable('Patience'));
		const before = elicitationsOf(registry, call);
		const sum = times.reduce((total, time) => total + time);
		if (await confirmed(call, times.length + 1, localize('Responses are held for {0} s in all.', sum))) {
			let atOnce: Observation | undefined;
			await this.#run({
				...planOf(call, series),
				about: localizable(
					'The first response is given at once, then held, to see who gives up and whether work is done twice.',
				),
				runs: [0, ...times].map((seconds) => ({
					...this.#planned(repeated, series, patienceTrial(seconds, registry.validator, before), (seen) => {
						atOnce ??= seen;
					}),
					judge: (seen) => (atOnce && seen !== atOnce ? judgePatience(seen, atOnce) : []),
				})),
			});
		}
	}

	/** Makes a call several times with the same responses. */
	async runDeterminism(target: unknown): Promise<void> {
		const { registry, trace } = this.context;
		const repeated = await callToRepeat(this.context, target);
		const times = repeated ? await enterRuns() : 0;
		if (!repeated || times === 0) {
			return;
		}
		const { call } = repeated;
		const series = this.#seriesOf(call, localizable('Determinism'));
		const before = elicitationsOf(registry, call);
		if (await confirmed(call, times)) {
			const facts: RunFacts[] = [];
			await this.#run({
				...planOf(call, series),
				about: localizable('Every run has the same responses, to see what the server changes by itself.'),
				runs: Array.from({ length: times }, (_, at) => ({
					...this.#planned(repeated, series, repetition(at + 1, call, registry, before), (seen) => {
						facts.push(factsOf(seen, trace.entries));
					}),
					judge: () => judgeDeterminism(facts.slice(0, at + 1)),
				})),
			});
		}
	}

	/** Repeats a call with other clients in the place of this one and its user. */
	async runAs(target: unknown): Promise<void> {
		const { registry } = this.context;
		const repeated = await callToRepeat(this.context, target);
		const personas = repeated ? await choosePersonas() : [];
		if (!repeated || personas.length === 0) {
			return;
		}
		const { call } = repeated;
		const series = this.#seriesOf(call, localizable('Other clients'));
		const subject = subjectOf(repeated, series, registry);
		if (await confirmed(call, personas.length, startsAgain())) {
			await this.#run({
				...planOf(call, series),
				about: localizable(
					'Every run declares what the client declares, and responds as it does; where that takes a person, only what is required is entered.',
				),
				revisions: true,
				runs: personas.map((persona) => personaRun(this.#bench, subject, persona)),
			});
		}
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

	/** Its calls are one entry of the timeline. */
	#seriesOf({ server, name }: Call, heading: Sentence): Series {
		return { id: String(++this.#series), server, name, heading };
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

function planOf({ server, kind, name }: Call, { heading }: Series): Pick<Plan, 'heading' | 'server' | 'call'> {
	return { heading, server, call: { kind, name } };
}

function startsAgain(): string {
	return localize('Each run starts the server again, in addition to the connection that you use.');
}

/** Explains what will happen and asks whether to continue. */
async function confirmed({ server, kind, name, args }: Call, times: number, more = ''): Promise<boolean> {
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
		localize('Arguments: {0}', shorten(writeJson(args), 500)),
	].join('\n\n');
	return (await showModal('warning', native(message, 200), detail, run)) === run;
}

import * as vscode from 'vscode';
import type { Call } from '../../../elicitation/call.ts';
import { native, shorten } from '../../../elicitation/display.ts';
import { boundaryCases } from '../../../elicitation/form/boundary.ts';
import { validatorFor } from '../../../elicitation/form/validate.ts';
import type { JsonObject } from '../../../elicitation/json.ts';
import { localizable, render } from '../../../elicitation/sentence.ts';
import { Redactor } from '../../../trace/redact.ts';
import type { CallSpec } from '../../calls/callRun.ts';
import { fullId } from '../../common/contributions.ts';
import { loadConfig } from '../../common/loadConfig.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { chooseServer } from '../../servers/chooseServer.ts';
import { ServerError } from '../../servers/serverError.ts';
import type { DebuggingContext } from '../debuggingContext.ts';
import { actionMatrix, SERVER_TIMEOUT, validAnswer } from './actionMatrix.ts';
import { boundaryTrial, isForm, judge } from './boundaryValues.ts';
import { toMarkdown } from './markdown.ts';
import { observe, type Trial } from './observe.ts';
import type { Plan, PlannedRun } from './plan.ts';
import { protocolTests } from './protocolTests.ts';
import { callToRepeat, chooseCases, chooseRuns, elicitationsOf } from './quickPicks.ts';
import { Table } from './table.ts';
import type { TestBench } from './temporaryConnection.ts';
import { TrialsPanel } from './trialsPanel.ts';

/** Runs series of test calls and shows each series in a table that fills as the calls end. */
export class Trials {
	/**
	 * One series at a time, because with two running calls the protocol does not say which one caused an elicitation.
	 */
	#running = false;

	constructor(private readonly context: DebuggingContext) {}

	/** Ends the elicitations of a call in every possible way. */
	async runActionMatrix(target: unknown): Promise<void> {
		const { registry } = this.context;
		const call = await callToRepeat(registry, target);
		if (!call) {
			return;
		}
		const trials = actionMatrix(registry.validator, elicitationsOf(registry, call));
		if (await confirmed(call, trials.length)) {
			await this.#run({
				heading: localizable('Action matrix'),
				about: localizable(
					'Every question of the call is accepted, declined, cancelled, answered with an error, and in the end left open for up to {0} s.',
					SERVER_TIMEOUT / 1000,
				),
				...planOf(call),
				runs: trials.map((trial) => ({ ...this.#planned(call, trial), showsAnswer: true })),
			});
		}
	}

	/** Responds to the first form of a call with each boundary value of its schema. */
	async runBoundaryValues(target: unknown): Promise<void> {
		const { registry } = this.context;
		const call = await callToRepeat(registry, target, {
			fits: (each) => elicitationsOf(registry, each).some(isForm),
			nothing: () => localizeNative('No call has asked for a form yet: make one that does first.'),
		});
		const before = call ? elicitationsOf(registry, call) : [];
		const form = before.find(isForm);
		if (!call || !form) {
			return;
		}
		const { requestedSchema } = form.request;
		const validator = validatorFor(call.server, registry.validator);
		const valid = await validAnswer(requestedSchema, validator, before);
		if (!valid) {
			throw new ServerError(
				call.server,
				localize('No answer to the form of "{0}" was found that its schema allows.', call.name),
				localize('Call it again and answer it yourself, then try that call.'),
			);
		}
		const cases = await chooseCases(await boundaryCases(requestedSchema, valid, validator));
		if (cases.length > 0 && (await confirmed(call, cases.length))) {
			await this.#run({
				heading: localizable('Boundary values'),
				about: localizable(
					'The first form of the call is answered at the limits of its schema, and beyond them on purpose.',
				),
				...planOf(call),
				runs: cases.map((each) => ({
					...this.#planned(call, boundaryTrial(each, requestedSchema, validator, before)),
					...(each.changed && { sent: each.changed }),
					...(each.allowed === false && { mark: localizable('invalid on purpose') }),
					judge: (observation) => judge(each, observation),
				})),
			});
		}
	}

	/** Makes a call over temporary connections that differ in capabilities, revision and what they send back. */
	async testProtocol(target: unknown): Promise<void> {
		const { registry, servers } = this.context;
		const server = await chooseServer(
			servers,
			target,
			({ configured, temporaryFor }) => temporaryFor === undefined && configured.definition !== undefined,
		);
		if (server === undefined) {
			return;
		}
		const call = await callToRepeat(registry, undefined, {
			fits: (each) => each.server === server,
			nothing: () => localizeNative('{0}: make a call first; the bench repeats one.', server),
		});
		if (!call) {
			return;
		}
		const { REVISIONS } = await loadConfig();
		const subject = { spec: specOf(call), before: elicitationsOf(registry, call) };
		const runs = await chooseRuns(protocolTests(this.#bench, subject, REVISIONS));
		const calls = runs.reduce((sum, each) => sum + each.calls, 0);
		if (
			calls > 0 &&
			(await confirmed(
				call,
				calls,
				localize('Each run starts the server once more, beside the connection that you use.'),
			))
		) {
			await this.#run({
				heading: localizable('Protocol bench'),
				about: localizable('Every run has a connection of its own that ends with it. Yours is left alone.'),
				...planOf(call),
				revisions: true,
				runs,
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

	#planned(call: Call, trial: Trial): PlannedRun {
		return { name: trial.name, run: (signal) => observe(this.context, specOf(call), trial, signal) };
	}

	async #run(plan: Plan): Promise<void> {
		if (this.#running) {
			void vscode.window.showInformationMessage(
				localizeNative('Other trials are running. Wait for them, or stop them.'),
			);
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
		await vscode.window.withProgress(
			{ location: vscode.ProgressLocation.Notification, title, cancellable: true },
			async (progress, token) => {
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
			},
		);
	}

	async #copy(table: Table): Promise<void> {
		const { trace } = this.context;
		const redactor = new Redactor(trace);
		const markdown = toMarkdown(
			trace.secrets.hideIn(redactor.value(table.modelOf((sent) => redactor.value(sent)) as never)) as never,
		);
		await vscode.env.clipboard.writeText(markdown);
	}
}

function specOf({ server, kind, name, args }: Call): Omit<CallSpec, 'trial'> {
	return { server, kind, name, args: args as JsonObject };
}

function planOf({ server, kind, name }: Call): Pick<Plan, 'server' | 'call'> {
	return { server, call: { kind, name } };
}

/** Explains what will happen and asks whether to continue. */
async function confirmed({ server, kind, name, args }: Call, times: number, more = ''): Promise<boolean> {
	const run = localize('Run');
	const message = {
		tool: () => localize('Call "{0}" of {1} {2} times?', name, server, times),
		prompt: () => localize('Get "{0}" of {1} {2} times?', name, server, times),
		resource: () => localize('Read "{0}" of {1} {2} times?', name, server, times),
	}[kind]();
	const detail = [
		localize(
			'Each time with the same arguments and all its side effects. Its questions are answered for you; pages are not opened.',
		),
		...(more === '' ? [] : [more]),
		localize('Arguments: {0}', shorten(JSON.stringify(args), 500)),
	].join('\n\n');
	return (
		(await vscode.window.showWarningMessage(native(message, 200), { modal: true, detail: native(detail) }, run)) === run
	);
}

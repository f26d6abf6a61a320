import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { native } from '../../elicitation/display.ts';
import { boundaryCases } from '../../elicitation/form/boundary.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import { render, say } from '../../elicitation/sentence.ts';
import { Redactor } from '../../trace/redact.ts';
import { fullId } from '../contributions.ts';
import type { DebuggingContext } from '../debugging.ts';
import { ServerError } from '../serverError.ts';
import { line, t } from '../words.ts';
import { actionMatrix, PATIENCE, validAnswer } from './actionMatrix.ts';
import { boundaryTrial, isForm, judge } from './boundaryValues.ts';
import { chooseCall, chooseCases, questionsOf } from './chooseCall.ts';
import { toMarkdown } from './markdown.ts';
import { observe, type Trial } from './observe.ts';
import type { Plan, PlannedRun } from './plan.ts';
import { Table } from './table.ts';
import { TrialsPanel } from './trialsPanel.ts';

/** Runs of one call that try out what its server does, each with a table that fills as they end. */
export class Trials {
	constructor(private readonly context: DebuggingContext) {}

	/** Ends the questions of a call in every way that there is. */
	async runActionMatrix(target: unknown): Promise<void> {
		const { registry } = this.context;
		const call = await chooseCall(registry, target);
		if (!call) {
			return;
		}
		const trials = actionMatrix(registry.validator, questionsOf(registry, call));
		if (await agreed(call, trials.length)) {
			await this.#run({
				heading: say('Action matrix'),
				about: say(
					'Every question of the call is accepted, declined, cancelled, answered with an error, and in the end left open for up to {0} s.',
					PATIENCE / 1000,
				),
				...planOf(call),
				runs: trials.map((trial) => this.#planned(call, trial)),
			});
		}
	}

	/** Answers the first form of a call with every value at the limits of its schema. */
	async runBoundaryValues(target: unknown): Promise<void> {
		const { registry } = this.context;
		const { validator } = registry;
		const call = await chooseCall(registry, target, {
			fits: (each) => questionsOf(registry, each).some(isForm),
			nothing: () => line('No call has asked for a form yet: make one that does first.'),
		});
		const before = call ? questionsOf(registry, call) : [];
		const form = before.find(isForm);
		if (!call || !form) {
			return;
		}
		const { requestedSchema } = form.request;
		const valid = await validAnswer(requestedSchema, validator, before);
		if (!valid) {
			throw new ServerError(
				call.server,
				t('No answer to the form of "{0}" was found that its schema allows.', call.name),
				t('Call it again and answer it yourself, then try that call.'),
			);
		}
		const cases = await chooseCases(await boundaryCases(requestedSchema, valid, validator));
		if (cases.length > 0 && (await agreed(call, cases.length))) {
			await this.#run({
				heading: say('Boundary values'),
				about: say('The first form of the call is answered at the limits of its schema, and beyond them on purpose.'),
				...planOf(call),
				runs: cases.map((each) => ({
					...this.#planned(call, boundaryTrial(each, requestedSchema, validator, before)),
					...(each.changed && { sent: each.changed }),
					...(each.allowed === false && { mark: say('invalid on purpose') }),
					judge: (observation) => judge(each, observation),
				})),
			});
		}
	}

	#planned(call: Call, trial: Trial): PlannedRun {
		const { server, kind, name, args } = call;
		const spec = { server, kind, name, args: args as JsonObject };
		return { name: trial.name, run: (signal) => observe(this.context, spec, trial, signal) };
	}

	/** Runs them one after the other, until the person has had enough. */
	async #run(plan: Plan): Promise<void> {
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
		const title = native(`${t('{0} on {1}', plan.call.name, plan.server)}: ${render(plan.heading, t)}`, 100);
		await vscode.window.withProgress(
			{ location: vscode.ProgressLocation.Notification, title, cancellable: true },
			async (progress, token) => {
				token.onCancellationRequested(stop);
				try {
					for (const run of plan.runs) {
						progress.report({ message: line('{0} of {1} done', table.done, plan.runs.length) });
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
		const redactor = new Redactor(trace.entries);
		const markdown = toMarkdown(trace.secrets.hideIn(redactor.value(table.model as never)) as never);
		await vscode.env.clipboard.writeText(markdown);
	}
}

function planOf({ server, kind, name }: Call): Pick<Plan, 'server' | 'call'> {
	return { server, call: { kind, name } };
}

/** Says what will happen; resolves to whether it shall. */
async function agreed({ server, kind, name, args }: Call, times: number): Promise<boolean> {
	const run = t('Run');
	const message = {
		tool: () => t('Call "{0}" of {1} {2} times?', name, server, times),
		prompt: () => t('Get "{0}" of {1} {2} times?', name, server, times),
		resource: () => t('Read "{0}" of {1} {2} times?', name, server, times),
	}[kind]();
	const detail = t(
		'Each time with the same arguments and all its side effects: {0}\n\nIts questions are answered for you; pages are not opened.',
		JSON.stringify(args),
	);
	return (
		(await vscode.window.showWarningMessage(
			native(message, 200),
			{ modal: true, detail: native(detail, 1000) },
			run,
		)) === run
	);
}

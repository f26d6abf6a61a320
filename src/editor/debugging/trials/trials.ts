import * as vscode from 'vscode';
import type { Call } from '../../../elicitation/call.ts';
import { native, shorten } from '../../../elicitation/display.ts';
import type { JsonObject } from '../../../elicitation/json.ts';
import { writeJson } from '../../../elicitation/jsonText.ts';
import { render, type Sentence } from '../../../elicitation/sentence.ts';
import { Redactor } from '../../../privacy/redactor.ts';
import { receivingServer, wholeArgsOf } from '../../calls/changedServer.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import { notify, showModal, showProgress } from '../../common/notifications.ts';
import { showQuickPick } from '../../common/surfaces.ts';
import type { DebuggingContext } from '../debuggingContext.ts';
import { type CallToRepeat, KINDS, type TrialKind } from './kinds.ts';
import type { TrialTools } from './temporaryConnection.ts';
import type { Trial } from './trial.ts';
import { toMarkdown } from './trialsMarkdown.ts';
import { TrialsPanel } from './trialsPanel.ts';
import { TrialsTable } from './trialsTable.ts';

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
		const { registry, servers, trace } = this.context;
		const identity = await receivingServer(call, servers);
		if (identity === undefined) {
			return;
		}
		const before = registry.elicitations.filter(({ cause }) => cause === call);
		const subject: CallToRepeat = { call, before, validator: registry.validator };
		const kind = await chooseKind(subject);
		if (!kind) {
			return;
		}
		const { heading, about, revisions } = kind;
		const { server, name, args } = call;
		const series = { id: String(++this.#series), server, name, heading };
		const { runs, more } = await kind.plan({
			...subject,
			...{ trace, tools: this.#tools, isTask: call.task !== undefined },
			spec: { server, identity, kind: call.kind, name, args: args as JsonObject, series },
		});
		const calls = runs.reduce((sum, run) => sum + (run.calls ?? 1), 0);
		if (calls > 0 && (await confirmed(call, calls, more))) {
			await this.#run({
				heading,
				about,
				server,
				call: { kind: call.kind, name },
				runs,
				...(revisions && { revisions }),
			});
		}
	}

	get #tools(): TrialTools {
		const { begin, registry, servers } = this.context;
		return {
			...{ begin, registry, validator: registry.validator },
			nameFor: (server, trial) => localize('{0} · test: {1}', server, render(trial, localize)),
			openTemporaryConnection: (server, as, variant) => servers.openTemporaryConnection(server, as, variant),
			closeTemporaryConnection: (name) => servers.closeTemporaryConnection(name),
			revisionOf: (name) => servers.get(name)?.connection?.revision,
		};
	}

	async #run(trial: Trial): Promise<void> {
		if (this.#running) {
			void notify('information', localizeNative('Other trials are running. Wait for them, or cancel them.'));
			return;
		}
		this.#running = true;
		try {
			await this.#runAll(trial);
		} finally {
			this.#running = false;
		}
	}

	/** Runs them one by one until the user stops. */
	async #runAll(trial: Trial): Promise<void> {
		const table = new TrialsTable(trial);
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
			`${localize('{0} on {1}', trial.call.name, trial.server)}: ${render(trial.heading, localize)}`,
			100,
		);
		await showProgress(title, async (progress, token) => {
			token.onCancellationRequested(stop);
			try {
				for (const run of trial.runs) {
					progress.report({ message: localizeNative('{0} of {1} done', table.done, trial.runs.length) });
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

	async #copy(table: TrialsTable): Promise<void> {
		const { trace } = this.context;
		const redactor = new Redactor(trace);
		const markdown = toMarkdown(redactor.value(table.modelOf((sent) => redactor.value(sent)) as never) as never);
		await vscode.env.clipboard.writeText(markdown);
	}
}

async function chooseKind(subject: CallToRepeat): Promise<TrialKind | undefined> {
	const { name, server } = subject.call;
	const items = KINDS.filter(({ applies }) => applies?.(subject) !== false).map((kind) => ({
		label: nativeText(kind.heading),
		description: nativeText(kind.calls(subject)),
		detail: nativeText(kind.what),
		trial: kind,
	}));
	const title = native(localize('Run a trial of {0} on {1}', name, server), 100);
	return (await showQuickPick(items, { title, placeHolder: localize('Choose a trial'), matchOnDetail: true }))?.trial;
}

/** Explains what will happen and asks whether to continue. */
async function confirmed(call: Call, times: number, more: Sentence | undefined): Promise<boolean> {
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
		...(more ? [render(more, localize)] : []),
		localize('Arguments: {0}', shorten(writeJson(wholeArgsOf(call)), 500)),
	].join('\n\n');
	return (await showModal('warning', native(message, 200), detail, run)) === run;
}

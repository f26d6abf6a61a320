import * as vscode from 'vscode';
import type { Registry } from '../elicitation/registry.ts';
import type { TraceLog } from '../trace/log.ts';
import type { Asking } from './asking.ts';
import { exportTest } from './cases/exportTest.ts';
import { ForcedAnswers } from './forced/forcedAnswers.ts';
import type { JsonDocuments } from './jsonDocuments.ts';
import type { DebuggingCommand } from './loadDebugging.ts';
import type { RunCall } from './rehearsal.ts';
import { compareRuns } from './replay/compareRuns.ts';
import { replayCall } from './replay/replayCall.ts';
import { checkSchema } from './schemas/checkSchema.ts';
import { SchemaDiagnostics } from './schemas/diagnostics.ts';
import { previewForm } from './schemas/previewForm.ts';
import type { Servers } from './servers.ts';
import { Trials } from './trials/trials.ts';

/** What the tools of a server's author are made from. */
export interface DebuggingContext {
	readonly extension: vscode.ExtensionContext;
	readonly registry: Registry;
	readonly trace: TraceLog;
	readonly servers: Servers;
	readonly documents: JsonDocuments;
	readonly run: RunCall;
	readonly preview: Asking['preview'];
}

/** Runs a command; `target` is what a menu, a program or another surface says that it is about. */
export type RunCommand = (target: unknown) => Promise<unknown>;

/** Everything that authors of servers try them out with: a bundle of its own, loaded on demand. */
export class Debugging implements vscode.Disposable {
	readonly commands: Readonly<Record<DebuggingCommand, RunCommand>>;
	readonly schemas = new SchemaDiagnostics();
	readonly #disposable: vscode.Disposable;

	constructor(context: DebuggingContext) {
		const forced = new ForcedAnswers(context.registry);
		const trials = new Trials(context);
		this.commands = {
			replayCall: (target) => replayCall(context, target),
			compareRuns: (target) => compareRuns(context, target),
			forceAnswer: (target) => forced.force(target),
			exportTest: (target) => exportTest(context, target),
			runActionMatrix: (target) => trials.runActionMatrix(target),
			runBoundaryValues: (target) => trials.runBoundaryValues(target),
			testProtocol: (target) => trials.testProtocol(target),
			checkSchema: (target) => checkSchema(context, this.schemas, target),
			previewForm: (target) => previewForm(context, target),
		};
		this.#disposable = vscode.Disposable.from(forced, this.schemas);
	}

	dispose(): void {
		this.#disposable.dispose();
	}
}

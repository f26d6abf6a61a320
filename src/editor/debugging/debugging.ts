import * as vscode from 'vscode';
import type { DebuggingCommand } from '../common/contributions.ts';
import type { DebuggingContext } from './debuggingContext.ts';
import { Development } from './development/development.ts';
import { exportTest } from './exportedTests/exportTest.ts';
import { ForcedAnswers } from './forced/forcedAnswers.ts';
import { compareRuns } from './replay/compareRuns.ts';
import { replayCall } from './replay/replayCall.ts';
import { checkSchema, checkSchemaAs } from './schemas/checkSchema.ts';
import { SchemaDiagnostics } from './schemas/diagnostics.ts';
import { previewForm, previewFormAs } from './schemas/previewForm.ts';
import { Trials } from './trials/trials.ts';

/** Runs a command. `target` is the argument from a menu, a program or another view. */
export type RunCommand = (target: unknown) => Promise<unknown>;

/** Everything for server authors. A separate bundle, loaded on demand. */
export class Debugging implements vscode.Disposable {
	readonly commands: Readonly<Record<DebuggingCommand, RunCommand>>;
	readonly schemas: SchemaDiagnostics;
	readonly #disposable: vscode.Disposable;

	constructor(context: DebuggingContext) {
		this.schemas = new SchemaDiagnostics(context.registry.validator);
		const forced = new ForcedAnswers(context.registry);
		const trials = new Trials(context);
		const development = new Development(context);
		this.commands = {
			replayCall: (target) => replayCall(context, target),
			compareRuns: (target) => compareRuns(context, target),
			forceAnswer: (target) => forced.force(target),
			exportTest: (target) => exportTest(context, target),
			runActionMatrix: (target) => trials.runActionMatrix(target),
			runBoundaryValues: (target) => trials.runBoundaryValues(target),
			runPatience: (target) => trials.runPatience(target),
			runDeterminism: (target) => trials.runDeterminism(target),
			runAs: (target) => trials.runAs(target),
			testProtocol: (target) => trials.testProtocol(target),
			checkSchema: (target) => checkSchema(context, this.schemas, target),
			debugServer: (target) => development.debugServer(target),
			previewForm: (target) => previewForm(context, target),
			checkSchemaAs: (target) => checkSchemaAs(context, this.schemas, target),
			previewFormAs: (target) => previewFormAs(context, target),
		};
		this.#disposable = vscode.Disposable.from(forced, development, this.schemas);
	}

	dispose(): void {
		this.#disposable.dispose();
	}
}

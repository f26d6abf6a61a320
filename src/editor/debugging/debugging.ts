import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { DebuggingContext } from './debuggingContext.ts';
import { Development } from './development/development.ts';
import { exportTest } from './exportedTests/exportTest.ts';
import { forceResponse } from './forceResponse.ts';
import { compareRuns } from './replay/compareRuns.ts';
import { replayCall } from './replay/replayCall.ts';
import { checkSchema } from './schemas/checkSchema.ts';
import { SchemaDiagnostics } from './schemas/diagnostics.ts';
import { previewForm } from './schemas/previewForm.ts';
import { Trials } from './trials/trials.ts';

/** Everything for server authors. A separate bundle, loaded on demand. */
export class Debugging implements vscode.Disposable {
	readonly schemas: SchemaDiagnostics;
	readonly trials: Trials;
	readonly development: Development;
	readonly #disposable: vscode.Disposable;

	constructor(private readonly context: DebuggingContext) {
		this.schemas = new SchemaDiagnostics(context.registry.validator);
		this.trials = new Trials(context);
		this.development = new Development(context);
		this.#disposable = vscode.Disposable.from(this.development, this.schemas);
	}

	replay(call: Call): Promise<unknown> {
		return replayCall(this.context, call);
	}

	compareRuns(call: Call, argument: unknown): Promise<void> {
		return compareRuns(this.context, call, argument);
	}

	exportTest(call: Call): Promise<void> {
		return exportTest(this.context, call);
	}

	forceResponse(elicitation: Elicitation): Promise<void> {
		return forceResponse(this.context, elicitation);
	}

	checkSchema(argument: unknown): Promise<unknown> {
		return checkSchema(this.context, this.schemas, argument);
	}

	previewForm(argument: unknown): Promise<unknown> {
		return previewForm(this.context, argument);
	}

	dispose(): void {
		this.#disposable.dispose();
	}
}

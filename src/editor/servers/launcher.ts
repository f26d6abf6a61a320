import * as vscode from 'vscode';
import type { ServerDefinition } from '../../config/definition.ts';
import type { Input } from '../../config/inputs.ts';
import { effectiveDefinition, type InputValue, launchOf, snapshot } from '../../config/launch.ts';
import type { DefinitionProblem } from '../../config/problem.ts';
import type { Receiver } from '../../config/receiver.ts';
import { shorten } from '../../elicitation/display.ts';
import { secretsAmong } from '../../elicitation/secretNames.ts';
import type { Secrets } from '../../privacy/secrets.ts';
import { problemText } from '../common/descriptions.ts';
import { localize } from '../common/localize.ts';
import type { ConfiguredServer } from '../common/serverEntry.ts';
import { sourceText } from './configSource.ts';
import { receiverFor } from './identity.ts';
import type { InputValues } from './inputValues.ts';
import { ServerError, StartRefused } from './serverError.ts';
import type { StartConsent } from './startConsent.ts';
import { inputsBefore, planStart, started } from './startPlan.ts';
import { variablesOf } from './variables.ts';

/** Max length shown of what went wrong in a command (characters). */
const MAX_WORDS = 500;

/** Prepares the start of a server: variables, the user's consent, and inputs. */
export class Launcher {
	#asking: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly consent: StartConsent,
		private readonly inputs: InputValues,
		private readonly secrets: Secrets,
	) {}

	/**
	 * The definition to start; undefined if the user did not consent. Rejects with an error that can be shown to the
	 * user.
	 */
	async prepare(server: ConfiguredServer): Promise<ServerDefinition | undefined> {
		const { source, definition, problems } = server;
		if (!definition) {
			throw unusableError(server, problems);
		}
		const variables = snapshot(variablesOf(source));
		const effective = effectiveDefinition(definition, variables);
		if (effective.problems.length > 0) {
			throw unusableError(server, effective.problems);
		}
		const values = new Map<string, InputValue>();
		const unresolved = receiverFor(source, definition, values, variables);
		for (const input of inputsBefore(server, definition)) {
			values.set(input.id, await this.#value(server, input, unresolved));
		}
		const receiver = receiverFor(source, definition, values, variables);
		const plan = planStart(server, definition, variables, values);
		if (!(await this.consent.obtain(server, plan, (ask) => this.#inTurn(ask)))) {
			return undefined;
		}
		for (const input of server.inputs.filter(({ id }) => !values.has(id))) {
			values.set(input.id, await this.#value(server, input, receiver));
		}
		const launch = launchOf(definition, variables, values);
		if (launch.problems.length > 0) {
			throw unusableError(server, launch.problems);
		}
		this.secrets.add(launch.secrets);
		// `envFile` is where secrets are usually stored.
		this.secrets.add(secretsAmong(plan.start.program?.envFile?.variables ?? {}));
		return started(plan, launch.definition);
	}

	/** Reveals the consent panel of a server, if it waits for one. */
	revealConsent(server: string): void {
		this.consent.reveal(server);
	}

	async #value({ name, source }: ConfiguredServer, input: Input, receiver: Receiver): Promise<InputValue> {
		if (input.command) {
			// It may ask something, too.
			return this.#inTurn(() => returnedBy(name, input));
		}
		const kept = () => this.inputs.get(source, input, receiver);
		const value =
			(await kept()) ??
			// Another server may have asked for the same input in the meantime.
			(await this.#inTurn(async () => (await kept()) ?? this.inputs.ask(name, source, input, receiver)));
		if (!value) {
			throw new StartRefused(
				name,
				localize('It was not started because nothing was entered for "{0}".', input.id),
				localize('Start it again to be asked again.'),
			);
		}
		return value;
	}

	/** Shows one prompt at a time. */
	#inTurn<T>(ask: () => Promise<T>): Promise<T> {
		const answer = this.#asking.then(ask);
		this.#asking = answer.catch(() => {});
		return answer;
	}
}

/** What a command of the editor returns for an input. The user has consented to it, or has written it. */
async function returnedBy(server: string, { id, command }: Input): Promise<InputValue> {
	const fix = localize('Correct the input, or start the server again.');
	let value: unknown;
	try {
		value = await vscode.commands.executeCommand(
			command?.id ?? '',
			...(command?.args === undefined ? [] : [command.args]),
		);
	} catch (error) {
		const words = shorten(error instanceof Error ? error.message : String(error), MAX_WORDS);
		throw new ServerError(
			server,
			localize('The editor could not run "{0}" for its input "{1}": {2}', command?.id ?? '', id, words),
			fix,
			[],
		);
	}
	if (typeof value !== 'string') {
		throw new ServerError(
			server,
			localize('The command "{0}" of the editor returned no text for its input "{1}".', command?.id ?? '', id),
			fix,
			[],
		);
	}
	return { value, secret: true };
}

function unusableError({ name, source }: ConfiguredServer, problems: readonly DefinitionProblem[]): ServerError {
	const problem = problems.find(({ severity }) => severity === 'error') ?? problems[0];
	return new ServerError(
		name,
		problem ? problemText(problem) : '',
		localize('Correct its definition in {0}.', sourceText(source)),
		problem?.path ?? [],
	);
}

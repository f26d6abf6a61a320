import { inSeconds } from '../elicitation/clock.ts';
import { type JsonObject, mapScalars } from '../elicitation/json.ts';
import { english, render } from '../elicitation/sentence.ts';
import { Secrets } from '../privacy/secrets.ts';
import { actionMatrix } from '../trials/actionMatrix.ts';
import { type Observation, observe, outcomeSentence, SERVER_TIMEOUT, type TrialRun } from '../trials/observe.ts';
import { callFrom, callUsage, type NamedCall } from './callArguments.ts';
import type { Command, Context, Ending, Values } from './command.ts';
import { CannotRun, messageOf, safeText } from './errors.ts';
import { type Client, cancelUnattended } from './host.ts';
import { interruptible } from './interruption.ts';
import type { Output } from './output.ts';
import { startText } from './servers.ts';

export const command: Command = {
	usage: 'matrix SERVER TOOL [ARGS]',
	help: [
		'Calls a tool five times: its requests are accepted, declined, cancelled, answered with an error, and left without',
		`a response for up to ${SERVER_TIMEOUT / 1000} s. Prints what the server did. Each call has all its side effects; no URL is opened.`,
		'Fails if the call whose requests are accepted does not succeed.',
		'',
		...callUsage,
		'  --json    print the results as one JSON document',
	].join('\n'),
	options: { json: { type: 'boolean' } },
	run: runMatrix,
};

/** One row of the matrix. Without secrets. */
interface Row {
	readonly trial: string;
	readonly outcome: Observation['outcome'];
	readonly outcomeText: string;
	/** Beginning of the server's response, or why there is none. */
	readonly message: string;
	readonly requests: number;
	/** Server time (s). */
	readonly serverTime?: number;
	readonly notes: readonly string[];
}

async function runMatrix(positionals: readonly string[], values: Values, context: Context): Promise<Ending> {
	const call = await callFrom('matrix', positionals, context);
	const { server, tool } = call;
	const { output, host } = context;
	const json = values['json'] === true;
	const secrets = new Secrets();
	secrets.add(server.secrets);
	output.progress(`starting ${safeText(startText(server.definition), secrets)}`);
	return interruptible(output, async ({ signal }) => {
		const rows: Row[] = [];
		const add = (row: Row) => {
			const shown = mapScalars(row as unknown as JsonObject, (item) =>
				typeof item === 'string' ? safeText(item, secrets) : item,
			) as unknown as Row;
			rows.push(shown);
			if (!json) {
				output.print(textOf(shown));
			}
		};
		const tell = (text: string) => output.tell(safeText(text, secrets));
		const act = async (client: Client) => {
			// Those of the calls have their responses.
			client.registry.onDidAsk((elicitation) => cancelUnattended(elicitation, tell));
			await client.start();
			await tryOut(client, call, output, signal, add);
		};
		await host.connected(server, 'auto', act, signal);
		const ending = signal.aborted ? 'interrupted' : rows[0]?.outcome === 'result' ? 'passed' : 'failed';
		if (signal.aborted) {
			tell(messageOf(signal.reason));
		}
		if (json) {
			output.json({ verdict: ending, server: server.definition.name, tool, rows });
		}
		return ending;
	});
}

/** @param add called with each row as soon as it is known */
async function tryOut(
	{ registry, connection }: Client,
	{ tool, args }: NamedCall,
	output: Output,
	signal: AbortSignal,
	add: (row: Row) => void,
): Promise<void> {
	const trials = actionMatrix(registry.validator, []);
	for (const [index, trial] of trials.entries()) {
		output.progress(`${index + 1} of ${trials.length}: ${render(trial.name, english)}`);
		const seen = await observe(
			{ registry, begin: (spec, options) => connection.begin(spec, options) },
			{ server: connection.name, kind: 'tool', name: tool, args },
			trial,
			signal,
		);
		if (signal.aborted) {
			return;
		}
		if (index === 0 && seen?.elicitations.length === 0) {
			const { outcomeText, message } = rowOf(trial, seen);
			const how = seen.outcome === 'result' || message === '' ? outcomeText : `${outcomeText}: ${message}`;
			throw new CannotRun(
				`The call of "${tool}" requested nothing (${how}), so there is nothing to try.`,
				'Give arguments with which the tool requests input.',
			);
		}
		if (seen) {
			add(rowOf(trial, seen));
		}
	}
}

function rowOf(trial: TrialRun, { outcome, message, elicitations, call, notes }: Observation): Row {
	return {
		trial: render(trial.name, english),
		outcome,
		outcomeText: render(outcomeSentence(outcome), english),
		message: typeof message === 'string' ? message : render(message, english),
		requests: elicitations.length,
		...(call && { serverTime: inSeconds(call.clock.serverTime) }),
		notes: notes.map((note) => render(note, english)),
	};
}

function textOf({ trial, outcomeText, message, requests, serverTime = 0, notes }: Row): string {
	const head = `${trial.padEnd(15)} ${outcomeText} (requests: ${requests}, server time: ${serverTime.toFixed(1)} s)`;
	return [
		head,
		...(message === '' ? [] : [`    ${message.replace(/\s+/g, ' ')}`]),
		...notes.map((note) => `    ${note}`),
	].join('\n');
}

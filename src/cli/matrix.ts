import { inSeconds } from '../elicitation/clock.ts';
import type { JsonObject } from '../elicitation/json.ts';
import { english, render } from '../elicitation/sentence.ts';
import { Secrets } from '../trace/secrets.ts';
import { actionMatrix, SERVER_TIMEOUT } from '../trials/actionMatrix.ts';
import { type Observation, observe, outcomeSentence, type Trial } from '../trials/observe.ts';
import { callFrom, callUsage } from './callArguments.ts';
import type { Command, Context, Values, Verdict } from './command.ts';
import { CannotRun } from './errors.ts';
import type { Client } from './host.ts';
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

async function runMatrix(positionals: readonly string[], values: Values, context: Context): Promise<Verdict> {
	const { server, tool, args } = await callFrom('matrix', positionals, context);
	const { output, host } = context;
	const secrets = new Secrets();
	secrets.add(server.secrets);
	const { definition } = server;
	output.progress(`starting ${secrets.hide(startText(definition))}`);
	const rows = await host.connected(server, 'auto', (client) => rowsOf(client, tool, args, context));
	const shown = secrets.hideIn(rows as unknown as JsonObject[]) as unknown as Row[];
	const verdict = rows[0]?.outcome === 'result' ? 'passed' : 'failed';
	if (values['json'] === true) {
		output.json({ verdict, server: definition.name, tool, rows: shown });
	} else {
		for (const row of shown) {
			output.print(textOf(row));
		}
	}
	return verdict;
}

async function rowsOf(client: Client, tool: string, args: JsonObject, { output }: Context): Promise<Row[]> {
	const { registry, connection } = client;
	const trials = actionMatrix(registry.validator, []);
	const rows: Row[] = [];
	for (const [index, trial] of trials.entries()) {
		output.progress(`${index + 1} of ${trials.length}: ${render(trial.name, english)}`);
		const seen = await observe(
			{ registry, run: (spec, options) => connection.callTool(spec.name, spec.args, options) },
			{ server: connection.name, kind: 'tool', name: tool, args },
			trial,
			new AbortController().signal,
		);
		if (index === 0 && seen?.elicitations.length === 0) {
			throw new CannotRun(
				`The call of "${tool}" requested nothing (${render(outcomeSentence(seen.outcome), english)}), so there is nothing to try.`,
				'Give arguments with which the tool requests input.',
			);
		}
		if (seen) {
			rows.push(rowOf(trial, seen));
		}
	}
	return rows;
}

function rowOf(trial: Trial, { outcome, message, elicitations, call, notes }: Observation): Row {
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

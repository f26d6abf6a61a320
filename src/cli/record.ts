import { dirname, relative, resolve } from 'node:path';
import { readAnswers } from '../config/answers.ts';
import { capabilitiesForCall } from '../config/capabilities.ts';
import { problemSentence } from '../config/problem.ts';
import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { JsonObject } from '../elicitation/json.ts';
import { ScriptAutoResponder, type ScriptedAnswer } from '../elicitation/script.ts';
import { english, render } from '../elicitation/sentence.ts';
import { Redactor } from '../privacy/redactor.ts';
import { recordCase } from '../trace/case/record.ts';
import { scenarioFile } from '../trace/case/scenario.ts';
import { jsonLines } from '../trace/export.ts';
import { type CallRun, endOf } from '../trials/callRun.ts';
import { caseServer } from '../trials/caseServer.ts';
import { URL_TIMEOUT } from '../trials/observe.ts';
import { callFrom, callUsage, type NamedCall } from './callArguments.ts';
import { type Command, type Context, type Ending, textOf, type Values } from './command.ts';
import { CannotRun, messageOf, safeText } from './errors.ts';
import { checkWritable, jsonIn, readText, type Target, writeText } from './files.ts';
import { type Client, cancelUnattended, undelivered } from './host.ts';
import { type Interruption, interruptible } from './interruption.ts';
import { Prompts } from './prompts.ts';
import { type Startable, startText } from './servers.ts';

export const command: Command = {
	usage: 'record SERVER TOOL [ARGS]',
	help: [
		'Calls a tool, and writes what happened. On a terminal, you respond to the requests of the server, and consent to',
		'each URL, which you open yourself. Otherwise, and before you are asked, scripted answers respond; what remains is',
		'cancelled. Fails if the call fails; it is written nevertheless. Could not run if a file cannot be written.',
		'',
		...callUsage,
		'  --timeline FILE    write all messages as JSON Lines, as "Export Timeline…" does, without secrets',
		'  --scenario FILE    write a scenario for "run", without secrets',
		'  --answers FILE     respond with these scripted answers, a list as in the setting "mcpElicitation.answers"',
	].join('\n'),
	options: { timeline: { type: 'string' }, scenario: { type: 'string' }, answers: { type: 'string' } },
	run: recordCall,
};

async function recordCall(positionals: readonly string[], values: Values, context: Context): Promise<Ending> {
	const { folder, output, host } = context;
	const [timeline, scenario] = ['timeline', 'scenario'].map((name) => targetAt(folder, textOf(values, name)));
	if (!timeline && !scenario) {
		throw new CannotRun('Nothing would be recorded.', 'Name a file with --timeline, with --scenario, or both.');
	}
	if (timeline?.path === scenario?.path) {
		throw new CannotRun('--timeline and --scenario name the same file.', 'Name one for each.');
	}
	const named = await callFrom('record', positionals, context);
	const answers = await answersFrom(textOf(values, 'answers'), context);
	await Promise.all([timeline, scenario].map((target) => target && checkWritable(target)));
	const { server } = named;
	const record = async (client: Client, interruption: Interruption): Promise<Ending> => {
		const { trace } = client;
		trace.privacy.configured.add(server.secrets);
		output.tell(safeText(`Server: ${startText(server.definition)}`, trace.privacy.configured));
		const run = await perform(client, named, answers, context, interruption);
		printOutcome(run, new Redactor(trace), output);
		const problems = await problemsOf([
			async () => timeline && writeText(timeline, [...jsonLines(trace.entries, new Redactor(trace))].join('')),
			async () => scenario && writeText(scenario, scenarioOf(run.call, client, server, scenario.path, folder)),
		]);
		for (const problem of problems) {
			output.tell(trace.privacy.hideIn(problem));
		}
		return problems.length > 0 ? 'couldNotRun' : run.result === undefined || run.call.failed ? 'failed' : 'passed';
	};
	return interruptible(output, (interruption) =>
		host.connected(server, 'auto', (client) => record(client, interruption), interruption.signal),
	);
}

function targetAt(folder: string, file: string | undefined): Target | undefined {
	return file === undefined ? undefined : { path: resolve(folder, file), what: `"${file}"`, fix: 'Check its path.' };
}

function printOutcome({ call, error }: CallRun, redactor: Redactor, output: Context['output']): void {
	if (error === undefined) {
		output.json(redactor.value(call.outcome as JsonObject), 0);
	} else {
		output.print(redactor.text(messageOf(error)));
	}
}

/** Takes all steps, whichever fail. Resolves to why. */
async function problemsOf(steps: readonly (() => Promise<void>)[]): Promise<string[]> {
	const settled = await Promise.allSettled(steps.map((step) => step()));
	return settled.flatMap((each) => (each.status === 'rejected' ? [messageOf(each.reason)] : []));
}

/** Starts the server, and makes the call. Rejects if it could not be made. */
async function perform(
	{ connection, registry, trace, start }: Client,
	{ tool, args }: NamedCall,
	answers: readonly ScriptedAnswer[],
	{ output, person }: Context,
	{ signal, interrupt }: Interruption,
): Promise<CallRun> {
	const prompts = person && new Prompts(person, registry, (text) => output.tell(text), interrupt);
	const tell = (text: string) => output.tell(safeText(text, trace.privacy.configured));
	for (const [index, answer] of answers.entries()) {
		const name = `answer ${index + 1}`;
		registry.autoResponders.add(new ScriptAutoResponder({ kind: 'script', name }, answer, async () => true));
	}
	registry.autoResponders.onDidReject(({ responder, reason }) => tell(`${responder.name}: ${render(reason, english)}`));
	registry.onDidAdd((elicitation) => elicitation.outcome.then(() => leaveUnopened(elicitation)));
	registry.onDidRefuse(({ reason }) => tell(`A request was refused. ${render(reason, english)}`));
	registry.onDidReachRoundLimit((limit) => {
		tell(render(limit.reason, english));
		limit.decide(false);
	});
	registry.onDidAsk((elicitation) => (prompts ? prompts.ask(elicitation) : cancelUnattended(elicitation, tell)));
	const options = { signal: AbortSignal.any([signal, undelivered(registry)]) };
	return start()
		.then(() => connection.begin({ kind: 'tool', name: tool, args }, options))
		.then(({ call, send }) => endOf(call, send(options)))
		.finally(() => prompts?.dispose());
}

/** Nobody opens a URL that a script has accepted, so a call that needs it to be completed is not held up for long. */
function leaveUnopened(elicitation: Elicitation): void {
	if (elicitation.responder && elicitation.state === 'opened' && elicitation.origin.intake !== 'request') {
		const timer = setTimeout(() => elicitation.giveUp(), URL_TIMEOUT);
		void elicitation.ended.then(() => clearTimeout(timer));
	}
}

function scenarioOf(
	call: Call,
	{ connection, registry, trace }: Client,
	{ definition, written: server }: Startable,
	file: string,
	folder: string,
): string {
	const result = recordCase({
		call,
		elicitations: registry.elicitations,
		trace,
		revision: connection.revision,
		capabilities: capabilitiesForCall(definition, call.task !== undefined),
		server: (secrets) => caseServer(server, secrets),
	});
	if ('refusal' in result) {
		throw new CannotRun(`The call cannot become a scenario. ${render(result.refusal, english)}`);
	}
	const path = relative(dirname(file), folder).replaceAll('\\', '/');
	return scenarioFile(result.recorded, path === '' ? '.' : path);
}

async function answersFrom(file: string | undefined, { folder, output }: Context): Promise<readonly ScriptedAnswer[]> {
	if (file === undefined) {
		return [];
	}
	const { answers, problems } = readAnswers(jsonIn(await readText(resolve(folder, file)), `"${file}"`));
	for (const problem of problems) {
		const what = `In "${file}", ${render(problemSentence(problem), english)}`;
		if (problem.severity === 'error') {
			throw new CannotRun(what, 'Correct the file.');
		}
		output.tell(what);
	}
	return answers;
}

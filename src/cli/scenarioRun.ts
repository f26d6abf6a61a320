import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { TaskMode } from '../config/capabilities.ts';
import type { ServerDefinition } from '../config/definition.ts';
import type { AutoResponder } from '../elicitation/autoResponders.ts';
import { type Call, type CallKind, type CallRequest, callKindOf } from '../elicitation/call.ts';
import type { Elicitation, ElicitationResponse } from '../elicitation/elicitation.ts';
import { FORCED_RESPONDER } from '../elicitation/forced.ts';
import { type Json, type JsonObject, own } from '../elicitation/json.ts';
import { writeJson } from '../elicitation/jsonText.ts';
import { modesOf } from '../elicitation/request.ts';
import { ELICITATION_REVISIONS, STATELESS } from '../elicitation/revisions.ts';
import { secretsAmong } from '../elicitation/secretNames.ts';
import { english, render } from '../elicitation/sentence.ts';
import { Redactor } from '../privacy/redactor.ts';
import { Secrets } from '../privacy/secrets.ts';
import { type Difference, differencesOf } from '../trace/case/differences.ts';
import { outcomeOf, requestOf, responseOf } from '../trace/case/outcome.ts';
import { readScenario } from '../trace/case/readScenario.ts';
import { type CaseElicitation, PLACES } from '../trace/case/recordedCase.ts';
import { filledIn, markersIn, type Scenario } from '../trace/case/scenario.ts';
import { type CallRun, endOf } from '../trials/callRun.ts';
import type { Context, Verdict } from './command.ts';
import { CannotRun, messageOf, safeText } from './errors.ts';
import { readText } from './files.ts';
import { CALL_TIMEOUT, type Client, undelivered } from './host.ts';
import { definitionFrom, type Startable, startable, startText } from './servers.ts';

/** More differences of one scenario are not explained. */
const MAX_EXPLAINED = 20;

/** How a scenario ended. Without secrets. */
export interface ScenarioResult {
	readonly file: string;
	/** The tool, prompt or resource; absent if the file could not be read. */
	readonly name?: string;
	/** What was started or connected to. */
	readonly server?: string;
	readonly verdict: Verdict;
	/** Duration (s). */
	readonly seconds: number;
	readonly differences: readonly Difference[];
	/** Why it could not be run, why there was no result to compare, or the error that the server responded with. */
	readonly message?: string;
}

/**
 * Runs one scenario. Never rejects.
 * @param override the server to use in place of that of the scenario
 * @param signal ends the run, which then could not be completed
 * @param starting called with what will be started or connected to
 */
export async function runScenario(
	file: string,
	override: Startable | undefined,
	context: Context,
	signal: AbortSignal,
	starting: (server: string) => void,
): Promise<ScenarioResult> {
	const since = performance.now();
	const secrets = new Secrets();
	const known: { name?: string; server?: string } = {};
	const ended = (verdict: Verdict, differences: readonly Difference[], message?: string): ScenarioResult => ({
		file,
		...known,
		verdict,
		seconds: Math.round(performance.now() - since) / 1000,
		differences,
		...(message !== undefined && { message: safeText(message, secrets) }),
	});
	try {
		const scenario = readScenario(await readText(file));
		const { name } = scenario;
		const filled = filledScenario(scenario, file, override !== undefined, context.env, secrets);
		secrets.add(override?.secrets ?? []);
		known.name = secrets.hide(name);
		const definition = pinned(
			override?.definition ?? startable(definitionFrom({ ...filled.server }), context.folder),
			filled,
		);
		known.server = safeText(startText(definition), secrets);
		starting(known.server);
		const { differences, message } = await context.host.connected(
			{ definition, secrets: override?.secrets ?? [] },
			taskModeOf(filled),
			async (client) => withoutSecretsOf(client, await compareRun(filled, client, secrets, signal), secrets),
			signal,
		);
		return ended(differences.length > 0 || message !== undefined ? 'failed' : 'passed', differences, message);
	} catch (error) {
		return ended('couldNotRun', [], messageOf(error));
	}
}

/** The scenario with the values of its variables, which are kept secret. Throws a CannotRun if one is missing. */
function filledScenario(
	scenario: Scenario,
	file: string,
	hasServer: boolean,
	env: Context['env'],
	secrets: Secrets,
): Scenario {
	const { variables, workspaceFolder, server, params, elicitations, expected } = scenario;
	const used = markersIn(
		[hasServer ? null : server, params, elicitations, expected] as Json,
		variables.map(({ name }) => name),
	);
	const missing = used.filter((name) => env[name] === undefined);
	if (missing.length > 0) {
		throw new CannotRun(
			`The environment lacks ${missing.join(', ')}.`,
			'The scenario contains no secrets: set what is missing, then run it again.',
		);
	}
	const places = { workspaceFolder: resolve(dirname(file), workspaceFolder), userHome: homedir() };
	const values = new Map<string, string | number | boolean>(PLACES.map((name) => [name, places[name]]));
	for (const { name, type, role } of variables.filter((variable) => used.includes(variable.name))) {
		const value = env[name] ?? '';
		if (type === 'number' && (value.trim() === '' || !Number.isFinite(Number(value)))) {
			throw new CannotRun(`The environment variable ${name} is not a number.`, 'Set it to the number that is sent.');
		}
		values.set(name, type === 'number' ? Number(value) : type === 'boolean' ? value === 'true' : value);
		// Most variables of a server's environment are no secrets, and short ones would hide half of the output.
		secrets.add(role === 'environment' ? secretsAmong({ [name]: value }) : type === 'boolean' ? [] : [value]);
	}
	return filledIn(scenario, values);
}

/** The definition with the revision and the capabilities of the recording. */
function pinned(definition: ServerDefinition, { revision, capabilities }: Scenario): ServerDefinition {
	const advertise = modesOf(own(capabilities, 'elicitation'));
	// Elicitation cannot be declared in an older revision, only to a server that then chooses one.
	const chosen = advertise !== 'none' && revision < ELICITATION_REVISIONS[0];
	return {
		...definition,
		protocolVersion: chosen ? 'auto' : revision,
		elicitation: { form: 'ask', url: 'ask', advertise },
		roots: 'none',
		sampling: 'none',
	};
}

/** Runs the call as a task if it was one. Otherwise, requests may still come as tasks in revisions with sessions. */
function taskModeOf({ isTask, revision }: Scenario): TaskMode {
	return isTask ? 'auto' : revision < STATELESS ? 'required' : 'never';
}

/** What a run shows that the scenario does not expect. */
type Comparison = Pick<ScenarioResult, 'differences' | 'message'>;

async function compareRun(
	scenario: Scenario,
	client: Client,
	secrets: Secrets,
	signal: AbortSignal,
): Promise<Comparison> {
	// What the server requests outside of the call.
	client.registry.onDidAsk((elicitation) => elicitation.cancel());
	await client.start();
	const { revision = '' } = client.connection;
	if (revision !== scenario.revision) {
		throw new CannotRun(`The server speaks revision ${revision}, not ${scenario.revision}.`, 'Record the call again.');
	}
	const responses = new ScenarioResponses(scenario.elicitations, (text) => secrets.hide(text));
	const { call, error, timedOut } = await makeCall(scenario, client, responses, signal);
	signal.throwIfAborted();
	const { differences } = responses;
	if (timedOut) {
		return { differences, message: `The call did not end within ${CALL_TIMEOUT} s.` };
	}
	if (responses.signal.aborted) {
		return { differences };
	}
	const response = responseOf(client.trace.entries.filter((entry) => entry.call === call));
	if (!response) {
		return { differences, message: messageOf(error) };
	}
	if (response.truncated) {
		return { differences, message: 'The result is too large to be compared.' };
	}
	const expected = scenario.expected as unknown as JsonObject;
	const outcome = outcomeOf(call, response) as unknown as JsonObject;
	const all = [
		...differences,
		...responses.missing,
		...differencesOf(expected, outcome, 'outcome', (text) => secrets.hide(text)),
	];
	// The text of an error is not compared, but says why there is one.
	const said = own(own(response.message, 'error'), 'message');
	return {
		differences: all,
		...(all.length > 0 && typeof said === 'string' && { message: `The server responded with an error: ${said}` }),
	};
}

/** Removes the secrets of a run from what it shows, and what looks like a secret there. */
function withoutSecretsOf({ trace }: Client, { differences, message }: Comparison, secrets: Secrets): Comparison {
	const redactor = new Redactor(trace);
	// The name of a member may be all that tells that its value is a secret.
	const safe = (at: string, value: Json) =>
		Object.values(
			redactor.value(secrets.hideIn({ [at.slice(at.lastIndexOf('.') + 1)]: value })) as JsonObject,
		)[0] as Json;
	return {
		differences: differences.map(({ at, expected, actual }) => ({
			at: secrets.hide(at),
			...(expected !== undefined && { expected: safe(at, expected) }),
			...(actual !== undefined && { actual: safe(at, actual) }),
		})),
		...(message !== undefined && { message: redactor.text(secrets.hide(message)) }),
	};
}

/** Makes the call of a scenario with its responses. Rejects if it could not be made. */
async function makeCall(
	scenario: Scenario,
	{ connection, registry }: Client,
	responses: ScenarioResponses,
	interrupted: AbortSignal,
): Promise<CallRun & { readonly timedOut: boolean }> {
	const timeout = new AbortController();
	// Nobody opens the URLs that the server may wait for, although that is no time of the server.
	const timer = setTimeout(() => timeout.abort(), CALL_TIMEOUT * 1000);
	let call: Call | undefined;
	registry.autoResponders.add({ responder: FORCED_RESPONDER, respond: (each) => responses.respond(each, call) });
	registry.onDidRefuse(({ reason }) => responses.refused(render(reason, english)));
	// Nobody opens a URL: a server that repeats it, once it has the response, gets the response again.
	registry.onDidAdd((elicitation) => elicitation.outcome.then(() => setImmediate(() => elicitation.retried())));
	// The timeout bounds the call.
	registry.onDidReachRoundLimit((limit) => limit.decide(true));
	const options = { signal: AbortSignal.any([timeout.signal, responses.signal, undelivered(registry), interrupted]) };
	const run = await connection
		.begin(callOf(scenario), options)
		.then((begun) => {
			call = begun.call;
			return endOf(call, begun.send(options));
		})
		.finally(() => clearTimeout(timer));
	return { ...run, timedOut: run.result === undefined && timeout.signal.aborted };
}

function callOf({ method, params }: Scenario): CallRequest {
	const kind = callKindOf(method) as CallKind;
	const name = params[kind === 'resource' ? 'uri' : 'name'];
	return { kind, name: String(name ?? ''), args: (params['arguments'] ?? {}) as JsonObject };
}

/** Lines that say what differs. */
export function explanationOf({ differences, message }: Comparison): string[] {
	const lines = differences
		.slice(0, MAX_EXPLAINED)
		.flatMap(({ at, expected, actual }) => [
			at,
			...(expected === undefined ? [] : [`  expected: ${writeJson(expected)}`]),
			`  ${actual === undefined ? 'missing' : `${expected === undefined ? 'unexpected' : 'actual'}: ${writeJson(actual)}`}`,
		]);
	const more = differences.length - MAX_EXPLAINED;
	return [
		...lines,
		...(more > 0 ? [`… and ${more} more differences`] : []),
		...(message === undefined ? [] : message.split('\n')),
	];
}

/** Gives the recorded responses to the requests that the recording has, and stops the call at any other request. */
class ScenarioResponses {
	readonly differences: Difference[] = [];
	readonly #abort = new AbortController();
	readonly #open: { readonly index: number; readonly recorded: CaseElicitation }[];

	/** @param withoutSecrets see `differencesOf` */
	constructor(
		elicitations: readonly CaseElicitation[],
		private readonly withoutSecrets: (text: string) => string,
	) {
		this.#open = elicitations.map((recorded, index) => ({ index, recorded }));
	}

	/** Aborts when the server requests something else. */
	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	/** The recorded requests that have not come. */
	get missing(): readonly Difference[] {
		return this.#open.map(({ index, recorded }) => ({ at: `requests.${index}`, expected: recorded.asked }));
	}

	/** A request that was refused because it violates the protocol. */
	refused(reason: string): void {
		this.#stop([{ at: 'requests', actual: reason }]);
	}

	async respond(elicitation: Elicitation, call: Call | undefined): ReturnType<AutoResponder['respond']> {
		if (call === undefined || elicitation.cause !== call) {
			return { action: 'cancel' };
		}
		if (elicitation.origin.intake === 'urlRequired') {
			// Part of the error, which is the outcome of the call.
			return { action: 'decline' };
		}
		const actual = requestOf(elicitation);
		const [first] = this.#open;
		if (!first) {
			return this.#stop([{ at: 'requests', actual }]);
		}
		// Requests of the same turn may come in any order.
		const turn = this.#open.filter(({ recorded }) => recorded.turn === first.recorded.turn);
		const compared = turn.map((each) => ({
			each,
			differences: differencesOf(each.recorded.asked, actual, `requests.${each.index}`, this.withoutSecrets),
		}));
		const match = compared.find(({ differences }) => differences.length === 0)?.each;
		if (!match) {
			return this.#stop(compared[0]?.differences ?? []);
		}
		this.#open.splice(this.#open.indexOf(match), 1);
		return decisionOf(match.recorded.answer);
	}

	#stop(differences: readonly Difference[]): ElicitationResponse {
		this.differences.push(...differences);
		this.#abort.abort();
		return { action: 'cancel' };
	}
}

function decisionOf(answer: JsonObject): ElicitationResponse {
	const error = own(answer, 'error');
	return error === undefined
		? (answer as unknown as ElicitationResponse)
		: { action: 'error', ...(error as unknown as { code: number; message: string }) };
}

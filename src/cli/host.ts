import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TaskMode } from '../config/capabilities.ts';
import type { Launch } from '../config/launch.ts';
import { raceAbort } from '../elicitation/abort.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { Disposable } from '../elicitation/emitter.ts';
import { own } from '../elicitation/json.ts';
import { textOf } from '../elicitation/jsonText.ts';
import { Registry } from '../elicitation/registry.ts';
import { english, render } from '../elicitation/sentence.ts';
import { Connection, Failure, Reaper, type SignIn } from '../mcp/index.ts';
import { TraceLog } from '../trace/log.ts';
import { ValidatorPool } from '../validation/validatorPool.ts';
import { CannotRun, messageOf, withoutSecrets } from './errors.ts';
import { packaged } from './files.ts';

/** Max number of messages of one connection that are kept. */
const MAX_MESSAGES = 100_000;

/** Max server time of a call (s). The time in which somebody is asked does not count. */
export const CALL_TIMEOUT = 60;

/** The beginning of a long message of a server is left out (lines). */
const MAX_STDERR_LINES = 20;

/** The version of the package. */
export function version(): string {
	return textOf(own(JSON.parse(readFileSync(packaged('package.json'), 'utf8')), 'version'));
}

/** One connection with everything that happens on it. */
export interface Client {
	readonly connection: Connection;
	readonly registry: Registry;
	readonly trace: TraceLog;
	/** Starts the server, which may send requests at once. Rejects with a CannotRun if it cannot be started. */
	start(): Promise<void>;
}

/** Aborts when a response could not be delivered: nobody sends it again here, and the call would wait for it. */
export function undelivered(registry: Registry): AbortSignal {
	const abort = new AbortController();
	registry.onDidChangeDelivery(({ delivery }) => {
		if (delivery?.failed && delivery.problem) {
			abort.abort(new Error(`A response could not be delivered. ${render(delivery.problem, english)}`));
		}
	});
	return abort.signal;
}

/** Cancels a request for want of anybody who could respond. */
export function cancelUnattended(elicitation: Elicitation, tell: (text: string) => void): void {
	tell(`Cancelled, because nobody can respond here: ${elicitation.request.message}`);
	elicitation.cancel();
}

/** What all connections of the program share. */
export class Host implements Disposable {
	readonly validator = new ValidatorPool(packaged('validator.mjs'));
	readonly reaper = new Reaper(packaged('reaper.mjs'));
	/** The program of the thread that records for a tap. */
	readonly recorder = packaged('recorder.mjs');
	readonly #kept = this.reaper.keep();
	readonly #root: { readonly uri: string; readonly name: string };

	/** @param folder the only root that is listed to servers */
	constructor(folder: string) {
		this.#root = { uri: pathToFileURL(folder).href, name: basename(folder) };
	}

	/**
	 * Stops a server when `act`, which starts it, has ended. Rejects with a CannotRun without the secrets of the server if
	 * `act` rejects.
	 * @param signal ends the start
	 */
	async connected<T>(
		{ definition, secrets }: Launch,
		taskMode: TaskMode,
		act: (client: Client) => Promise<T>,
		signal: AbortSignal,
	): Promise<T> {
		const registry = new Registry(this.validator, () => Number.POSITIVE_INFINITY);
		const trace = new TraceLog(() => MAX_MESSAGES);
		/** The last lines that the server wrote, for the message if it cannot be started. */
		const stderr: string[] = [];
		// Nobody writes the responses of a language model here.
		const connection = new Connection(
			{ ...definition, sampling: 'none' },
			{
				registry,
				trace,
				reaper: this.reaper,
				clientVersion: version(),
				signIn: NO_SIGN_IN,
				log: () => ({
					...SILENT,
					stderr: (line) => stderr.splice(0, stderr.push(line) - MAX_STDERR_LINES),
					// Tells of another attempt, with a process of its own.
					info: () => stderr.splice(0),
				}),
				callTimeout: () => CALL_TIMEOUT,
				taskMode: () => taskMode,
				allowInsecureUrls: () => 'loopback',
				workspaceRoots: { list: () => [this.#root], onDidChange: () => ({ dispose() {} }) },
			},
		);
		const start = () =>
			raceAbort(connection.start(), signal).catch((error) => {
				throw notStarted(error, signal.aborted ? [] : stderr);
			});
		try {
			return await act({ connection, registry, trace, start });
		} catch (error) {
			throw withoutSecrets(error, secrets);
		} finally {
			await connection.stop();
		}
	}

	dispose(): void {
		this.validator.dispose();
		this.#kept.dispose();
	}
}

/** Why a server could not be started, with its last lines instead of the few words of them that the error quotes. */
function notStarted(error: unknown, stderr: readonly string[]): CannotRun {
	if (stderr.length === 0) {
		return new CannotRun(messageOf(error));
	}
	const said = `It wrote:\n${stderr.join('\n')}`;
	const quote = ' Its last output: {1}';
	return error instanceof Failure && error.what.text.endsWith(quote)
		? new CannotRun(render({ ...error.what, text: error.what.text.slice(0, -quote.length) }, english), said)
		: new CannotRun(messageOf(error), said);
}

/** What matters is in the messages of failures. */
const SILENT = {
	level: 'info',
	onDidChangeLevel: () => ({ dispose() {} }),
	debug() {},
	info() {},
	warn() {},
	error() {},
} as const;

/** There is no browser: whoever runs the program passes a token in a header. */
const NO_SIGN_IN: SignIn = {
	secret: () => ({ read: async () => undefined, write: async () => {}, remove: async () => {} }),
	consent: async ({ issuer }) => {
		throw new Error(
			`The server requires a sign-in at ${issuer}, which is not possible here; define a header with an access token.`,
		);
	},
	redirect: () => Promise.reject(new Error('There is no browser.')),
	visit: async () => 'unopened',
	clientId: async () => undefined,
	clientSecret: async () => undefined,
};

import type { LoggingLevel } from '@modelcontextprotocol/client';
import { shorten } from '../elicitation/display.ts';
import type { Disposable } from '../elicitation/emitter.ts';
import { own } from '../elicitation/json.ts';
import { writeJson } from '../elicitation/jsonText.ts';
import { truncate } from '../elicitation/truncate.ts';
import type { Privacy } from '../privacy/privacy.ts';
import type { Client } from './client.ts';

/** The log of one server that the user sees. */
export interface ServerLog {
	debug(line: string): void;
	info(line: string): void;
	warn(line: string): void;
	error(line: string): void;
	/** A line of the server's stderr, verbatim. */
	stderr(line: string): void;
	/** Less severe messages aren't shown. */
	readonly level: 'debug' | 'info' | 'warning' | 'error' | 'off';
	onDidChangeLevel(listener: () => void): Disposable;
}

/** The level of the log messages that a request may cause (2026-07-28, logging). */
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** Max length of a logged message (characters). */
const MAX_LENGTH = 10_000;

/** Max length of the name of a logger (characters). */
const MAX_LOGGER = 64;

/** Methods of the log by level of the protocol. Unknown levels are logged as information. */
const METHODS = new Map<unknown, 'debug' | 'warn' | 'error'>([
	['debug', 'debug'],
	['warning', 'warn'],
	['error', 'error'],
	['critical', 'error'],
	['alert', 'error'],
	['emergency', 'error'],
]);

/** The log messages of one session. The server sends those that its log shows. */
export class LogMessages {
	#levelChanges: Disposable | undefined;

	constructor(
		private readonly client: Client,
		private readonly log: () => ServerLog,
		private readonly privacy: Pick<Privacy, 'hideIn'>,
	) {}

	/** Tells the server the level of its log, now and whenever that changes. */
	start(): void {
		if (this.#isOffered && this.client.era !== 'modern') {
			this.#levelChanges = this.log().onDidChangeLevel(() => this.#setLevel());
			this.#setLevel();
		}
	}

	close(): void {
		this.#levelChanges?.dispose();
	}

	/** What the `_meta` of a call says about log messages. Without it, the server sends none. */
	get meta(): { readonly [LOG_LEVEL]?: LoggingLevel } {
		const { level } = this.log();
		return this.#isOffered && this.client.era === 'modern' && level !== 'off' ? { [LOG_LEVEL]: level } : {};
	}

	/** Logs a `notifications/message`. */
	receive(params: unknown): void {
		const [level, logger, data] = [own(params, 'level'), own(params, 'logger'), own(params, 'data')];
		// Hidden first: indented, in JSON, or in brackets, the end of what was cut in a secret is no longer recognized.
		const hide = <T>(value: T) => this.privacy.hideIn(value);
		const text = typeof data === 'string' ? hide(shorten(data, MAX_LENGTH)) : writeJson(hide(truncate(data ?? null)));
		const name = typeof logger === 'string' && logger !== '' ? hide(shorten(logger, MAX_LOGGER)) : 'server';
		// Indented, so that no line of it looks like a message of its own.
		const line = `[${name}] ${shorten(text, MAX_LENGTH)}`.replaceAll('\n', '\n\t');
		this.log()[METHODS.get(level) ?? 'info'](line);
	}

	get #isOffered(): boolean {
		return this.client.capabilities?.logging !== undefined;
	}

	#setLevel(): void {
		const { level, warn } = this.log();
		this.client
			.request('logging/setLevel', { level: level === 'off' ? 'emergency' : level })
			.catch((error) => warn(`The server did not set the level of its log messages: ${error}`));
	}
}

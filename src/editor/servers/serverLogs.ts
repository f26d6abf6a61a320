import * as vscode from 'vscode';
import { visible } from '../../elicitation/display.ts';
import type { ServerLog } from '../../mcp/index.ts';
import { redactText } from '../../privacy/patterns.ts';
import type { Privacy } from '../../privacy/privacy.ts';

/** The level of the protocol for each `vscode.LogLevel`. */
const LEVELS = ['off', 'debug', 'debug', 'info', 'warning', 'error'] as const;

/**
 * One log channel per server, and one for errors of the extension itself, each created on its first message. VS Code
 * writes them to log files, so secrets are redacted first.
 */
export class ServerLogs implements vscode.Disposable {
	readonly #channels = new Map<string, vscode.LogOutputChannel>();
	#extensionChannel: vscode.LogOutputChannel | undefined;

	constructor(private readonly privacy: Privacy) {}

	for(server: string): ServerLog {
		const channel = this.#channel(server);
		const redact = (text: string) => this.#redact(text);
		return {
			get level() {
				return LEVELS[channel.logLevel];
			},
			onDidChangeLevel: (listener) => channel.onDidChangeLogLevel(listener),
			debug: (text) => channel.debug(redact(text)),
			info: (text) => channel.info(redact(text)),
			warn: (text) => channel.warn(redact(text)),
			error: (text) => channel.error(redact(text)),
			stderr: (text) => channel.info(`[stderr] ${redact(text)}`),
		};
	}

	/** Logs a bug of the extension itself, for bug reports. */
	logError(error: unknown): void {
		this.#extensionChannel ??= vscode.window.createOutputChannel('MCP Elicitation', { log: true });
		const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
		this.#extensionChannel.error(this.#redact(text));
	}

	show(server: string): void {
		this.#channel(server).show(true);
	}

	dispose(): void {
		this.#extensionChannel?.dispose();
		for (const channel of this.#channels.values()) {
			channel.dispose();
		}
		this.#channels.clear();
	}

	#redact(text: string): string {
		return visible(redactText(this.privacy.hideIn(text)));
	}

	#channel(server: string): vscode.LogOutputChannel {
		const existing = this.#channels.get(server);
		if (existing) {
			return existing;
		}
		const channel = vscode.window.createOutputChannel(`MCP: ${visible(server)}`, { log: true });
		this.#channels.set(server, channel);
		return channel;
	}
}

import * as vscode from 'vscode';
import { visible } from '../../elicitation/display.ts';
import type { ServerLog } from '../../mcp/index.ts';
import type { TraceLog } from '../../trace/log.ts';
import { redactText } from '../../trace/redactPatterns.ts';

/**
 * One log channel per server, and one for errors of the extension itself, each created on its first message. VS Code
 * writes them to log files, so secrets are redacted first.
 */
export class ServerLogs implements vscode.Disposable {
	readonly #channels = new Map<string, vscode.LogOutputChannel>();
	#fault: vscode.LogOutputChannel | undefined;

	constructor(private readonly trace: TraceLog) {}

	for(server: string): ServerLog {
		const channel = this.#channel(server);
		const discreet = (text: string) => this.#discreet(text);
		return {
			info: (text) => channel.info(discreet(text)),
			warn: (text) => channel.warn(discreet(text)),
			error: (text) => channel.error(discreet(text)),
			stderr: (text) => channel.info(`[stderr] ${discreet(text)}`),
		};
	}

	/** Logs a bug of the extension itself, for bug reports. */
	fault(error: unknown): void {
		this.#fault ??= vscode.window.createOutputChannel('MCP Elicitation', { log: true });
		const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
		this.#fault.error(this.#discreet(text));
	}

	show(server: string): void {
		this.#channel(server).show(true);
	}

	dispose(): void {
		this.#fault?.dispose();
		for (const channel of this.#channels.values()) {
			channel.dispose();
		}
		this.#channels.clear();
	}

	#discreet(text: string): string {
		return visible(redactText(this.trace.hideIn(text)));
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

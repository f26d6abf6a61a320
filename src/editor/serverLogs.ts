import * as vscode from 'vscode';
import { visible } from '../elicitation/display.ts';
import type { ServerLog } from '../mcp/index.ts';
import type { TraceLog } from '../trace/log.ts';
import { scrub } from '../trace/scrub.ts';

/**
 * One log channel per server, made when it has something to say. The editor writes them to files in the folder of its logs: what
 * is secret is taken out first.
 */
export class ServerLogs implements vscode.Disposable {
	readonly #channels = new Map<string, vscode.LogOutputChannel>();

	constructor(private readonly trace: TraceLog) {}

	for(server: string): ServerLog {
		const channel = this.#channel(server);
		const discreet = (text: string) => visible(scrub(this.trace.hideIn(text)));
		return {
			info: (text) => channel.info(discreet(text)),
			warn: (text) => channel.warn(discreet(text)),
			error: (text) => channel.error(discreet(text)),
			stderr: (text) => channel.info(`[stderr] ${discreet(text)}`),
		};
	}

	show(server: string): void {
		this.#channel(server).show(true);
	}

	dispose(): void {
		for (const channel of this.#channels.values()) {
			channel.dispose();
		}
		this.#channels.clear();
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

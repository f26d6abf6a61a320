import * as vscode from 'vscode';
import { visible } from '../elicitation/display.ts';
import type { ServerLog } from '../mcp/index.ts';

/** One log channel per server, made when it has something to say. */
export class ServerLogs implements vscode.Disposable {
	readonly #channels = new Map<string, vscode.LogOutputChannel>();

	for(server: string): ServerLog {
		const channel = this.#channel(server);
		return {
			info: (text) => channel.info(visible(text)),
			warn: (text) => channel.warn(visible(text)),
			error: (text) => channel.error(visible(text)),
			stderr: (text) => channel.info(`[stderr] ${visible(text)}`),
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

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Editor } from './editor.ts';
import { until } from './waiting.ts';

/** What an extension host holds after everything that can be collected was. */
export interface HostVitals {
	readonly pid: number;
	/** Bytes. */
	readonly heap: number;
	/** Bytes. */
	readonly rss: number;
	/** Instances by the name of their class. */
	readonly objects: Readonly<Record<string, number>>;
	/** What keeps the process busy, by its kind. */
	readonly resources: Readonly<Record<string, number>>;
	/** What Node has complained about so far. */
	readonly warnings: readonly string[];
}

/** The extension of test/probe in the extension host of a window, which was opened with it `beside`. */
export class Probe {
	readonly #url: string;

	private constructor(port: string) {
		this.#url = `http://127.0.0.1:${port}/`;
	}

	static async in({ workspace }: Editor): Promise<Probe> {
		const file = join(workspace, '.probe');
		return new Probe(await until('the probe', () => readFile(file, 'utf8').catch(() => undefined)));
	}

	/** Runs a command in the extension host; resolves to what it resolves to. */
	run(command: string, ...args: unknown[]): Promise<unknown> {
		return this.#do({ do: 'run', command, args });
	}

	/** Opens a file in a tab. */
	async open(path: string): Promise<void> {
		await this.#do({ do: 'open', path });
	}

	/** Changes a setting of this machine; undefined takes it back. */
	async configure(setting: string, value: unknown): Promise<void> {
		await this.#do({ do: 'configure', setting, value });
	}

	/** Uses a tool of language models. */
	async useTool(tool: string, input: object): Promise<void> {
		await this.#do({ do: 'useTool', tool, input });
	}

	async vitals(): Promise<HostVitals> {
		return (await this.#do({ do: 'vitals' })) as HostVitals;
	}

	/** Writes a heap snapshot. */
	async snapshot(path: string): Promise<void> {
		await this.#do({ do: 'snapshot', path });
	}

	/** Has a promise of our extension reject with nobody listening. */
	async reject(message: string): Promise<void> {
		await this.#do({ do: 'reject', message });
	}

	async #do(wanted: object): Promise<unknown> {
		const response = await fetch(this.#url, { method: 'POST', body: JSON.stringify(wanted) });
		const { result, error } = (await response.json()) as { result?: unknown; error?: string };
		if (error !== undefined) {
			throw new Error(error);
		}
		return result;
	}
}

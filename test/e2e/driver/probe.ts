import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Editor } from './editor.ts';
import { until } from './waiting.ts';

/** Resource usage of the extension host after garbage collection. */
export interface HostVitals {
	readonly pid: number;
	/** Bytes. */
	readonly heap: number;
	/** Bytes. */
	readonly rss: number;
	/** Number of instances by class name. */
	readonly objects: Readonly<Record<string, number>>;
	/** Number of active resources by type. */
	readonly resources: Readonly<Record<string, number>>;
	/** Node warnings so far. */
	readonly warnings: readonly string[];
}

/** Client of the test/probe extension, in a window that was opened with it in `beside`. */
export class Probe {
	readonly #url: string;

	private constructor(port: string) {
		this.#url = `http://127.0.0.1:${port}/`;
	}

	static async in({ workspace }: Editor): Promise<Probe> {
		const file = join(workspace, '.probe');
		// The file is there before its content is.
		const port = () => readFile(file, 'utf8').catch(() => '');
		return new Probe(await until('the probe', async () => (await port()) || undefined));
	}

	/** Runs a command in the extension host. Resolves to its result. */
	run(command: string, ...args: unknown[]): Promise<unknown> {
		return this.#do({ do: 'run', command, args });
	}

	/** Opens a file in a tab. */
	async open(path: string): Promise<void> {
		await this.#do({ do: 'open', path });
	}

	/** The column of the cursor in the active text editor, as extensions know it. */
	async cursor(): Promise<number | undefined> {
		return (await this.#do({ do: 'cursor' })) as number | undefined;
	}

	/** Changes a machine setting; `undefined` removes it. */
	async configure(setting: string, value: unknown): Promise<void> {
		await this.#do({ do: 'configure', setting, value });
	}

	/** Names of the language model tools. */
	async tools(): Promise<readonly string[]> {
		return (await this.#do({ do: 'tools' })) as string[];
	}

	/** Invokes a language model tool. */
	async useTool(tool: string, input: object): Promise<void> {
		await this.#do({ do: 'useTool', tool, input });
	}

	/** Takes a second. */
	async vitals(): Promise<HostVitals> {
		return (await this.#do({ do: 'vitals' })) as HostVitals;
	}

	/** Writes a heap snapshot. */
	async snapshot(path: string): Promise<void> {
		await this.#do({ do: 'snapshot', path });
	}

	/** Causes an unhandled rejection in our extension. */
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

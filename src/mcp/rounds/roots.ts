import type { ServerDefinition } from '../../config/definition.ts';
import type { Disposable } from '../../elicitation/emitter.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import type { Requester } from '../wire/wire.ts';

/** A folder or file that a server may work in. */
export interface Root {
	readonly uri: string;
	readonly name?: string;
}

/** The folders of the workspace. */
export interface WorkspaceRoots {
	list(): readonly Root[];
	onDidChange(listener: () => void): Disposable;
}

/** The roots of one session: those of the workspace, or those that the definition names. */
export class Roots {
	#changes: Disposable | undefined;

	constructor(
		private readonly client: Requester,
		private readonly roots: ServerDefinition['roots'],
		private readonly workspace: WorkspaceRoots,
		private readonly warn: (line: string) => void,
	) {}

	/** Tells the server whenever the folders of the workspace change, in revisions with sessions. */
	start(): void {
		if (this.roots === 'workspace' && this.client.era !== 'modern') {
			this.#changes = this.workspace.onDidChange(() => {
				this.client
					.notify('notifications/roots/list_changed')
					.catch((error) => this.warn(`The server could not be told that the roots have changed: ${error}`));
			});
		}
	}

	close(): void {
		this.#changes?.dispose();
	}

	/** The result of `roots/list`; undefined for other methods, and if roots were not declared. */
	resultOf(method: string): JsonObject | undefined {
		if (method !== 'roots/list' || this.roots === 'none') {
			return undefined;
		}
		const roots = this.roots === 'workspace' ? this.workspace.list() : this.roots.map((uri) => ({ uri }));
		return { roots: roots.map((root) => ({ ...root })) };
	}
}

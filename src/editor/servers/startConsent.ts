import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { effectiveParts, PARTS, type Part } from '../../config/fingerprint.ts';
import { keyOf } from '../../elicitation/json.ts';
import type { ConfiguredServer } from '../common/serverEntry.ts';
import { kept } from '../common/settings.ts';
import { startModel } from './startModel.ts';
import { StartPanel } from './startPanel.ts';
import type { StartPlan } from './startPlan.ts';

const KEY = 'consents';

/** Hashes of what the user consented to. */
type Consented = Readonly<Partial<Record<Part, string>>>;

/** Runs one prompt at a time; see `Launcher`. */
type InTurn = <T>(ask: () => Promise<T>) => Promise<T>;

/**
 * The user's consent to start servers that a workspace defines or influences. Asked once, and again after a change.
 * Stored per workspace, and not shared with the same workspace on another machine or in another container.
 */
export class StartConsent {
	/** By server name. */
	readonly #panels = new Map<string, StartPanel>();

	constructor(
		private readonly memory: vscode.Memento,
		private readonly extensionUri: vscode.Uri,
	) {}

	/** True if the server may be started. Asks the user if consent is required. */
	async obtain(server: ConfiguredServer, plan: StartPlan, inTurn: InTurn): Promise<boolean> {
		if (!plan.needsConsent || this.#compare(server, plan).given) {
			return true;
		}
		const panel = await inTurn(async () => this.#panelFor(server, plan));
		// A page may stay open for long, so other prompts do not wait for it.
		const consented = panel === undefined || (await this.#choiceIn(panel, server.name));
		if (consented) {
			const { key, now } = this.#compare(server, plan);
			await this.memory.update(KEY, { ...this.#consents, [key]: now });
		}
		return consented;
	}

	/** Reveals the panel in which a server waits for consent, if any. */
	reveal(server: string): void {
		this.#panels.get(server)?.reveal();
	}

	/** True if the user has consented to start this server as it was defined then. */
	isGiven(server: ConfiguredServer): boolean {
		return this.#consents[keyOfServer(server)] !== undefined;
	}

	/**
	 * Revokes the consent to one server, or all consent in this workspace. Running servers continue until they are stopped.
	 */
	async reset(server?: ConfiguredServer): Promise<void> {
		await this.memory.update(KEY, server && { ...this.#consents, [keyOfServer(server)]: undefined });
	}

	/** The page that asks; undefined if the consent was given meanwhile. */
	#panelFor(server: ConfiguredServer, plan: StartPlan): StartPanel | undefined {
		const { given, before, now, changed } = this.#compare(server, plan);
		if (given) {
			return undefined;
		}
		// Parts that do not apply to the new kind of connection need no mention.
		const relevant = changed.includes('type') ? changed.filter((part) => now[part] !== undefined) : changed;
		return new StartPanel(this.extensionUri, startModel(server, plan, before && relevant));
	}

	async #choiceIn(panel: StartPanel, server: string): Promise<boolean> {
		this.#panels.set(server, panel);
		const consented = await panel.choice;
		this.#panels.delete(server);
		return consented;
	}

	#compare(server: ConfiguredServer, { start }: StartPlan) {
		const key = keyOfServer(server);
		const before = this.#consents[key];
		const now = hashes(effectiveParts(start));
		const changed = PARTS.filter((part) => before?.[part] !== now[part]);
		return { key, before, now, changed, given: before !== undefined && changed.length === 0 };
	}

	get #consents(): Readonly<Partial<Record<string, Consented>>> {
		return kept<Readonly<Partial<Record<string, Consented>>>>(this.memory, KEY, {});
	}
}

function keyOfServer({ source, name }: ConfiguredServer): string {
	return keyOf(source.uri, name);
}

/** Only hashes are stored, because variables and headers may contain secrets. */
function hashes(parts: Consented): Consented {
	return Object.fromEntries(
		Object.entries(parts).map(([part, text]) => [part, createHash('sha256').update(text).digest('hex')]),
	);
}

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { type CallKeeper, type Checkpoint, readCheckpoint, type WaitingCall } from '../../elicitation/checkpoint.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { Emitter } from '../../elicitation/emitter.ts';
import { isObject, type Json, type JsonObject, keyOf, own, plainObject } from '../../elicitation/json.ts';
import { parsedJson } from '../../elicitation/jsonText.ts';
import { coalesce } from '../common/scheduling.ts';

/** Memento key of the calls that are kept. */
const KEY = 'waitingCalls';

/** Max number of calls that are kept. The oldest go first. */
const MAX_CALLS = 100;

/** How often drafts are stored while the user enters them (ms). */
const SAVE_INTERVAL = 500;

/** Longer rounds are not kept (characters of JSON): secret storage is not made for them. */
const MAX_LENGTH = 200_000;

/** Neither are longer names and tasks (characters of JSON): the editor reads them whenever the workspace is opened. */
const MAX_LISTED = 20_000;

/** What secret storage has about a call. */
export interface KeptCall {
	readonly args: JsonObject;
	/** The point at which the call waits. */
	readonly from: Checkpoint;
	/** What the user has entered in its forms so far, by form. */
	readonly drafts: JsonObject;
	/** Identifies its round, if it waits in one. */
	readonly round: string;
}

/** What is kept of a form while its call waits. */
export interface KeptDraft {
	readonly content: Json | undefined;
	change(content: JsonObject): void;
	/** The user has responded. */
	forget(): void;
}

/** The drafts of one call. */
interface Drafts {
	readonly id: string;
	readonly byForm: Map<string, Json>;
}

/** Keeps one call. */
interface Keeper extends CallKeeper {
	release(): Promise<WaitingCall | undefined>;
}

/**
 * The calls that outlive their session, per workspace (K16). Arguments, `requestState`, and responses may be secret: they are in
 * secret storage only.
 */
export class WaitingCalls {
	/** All that are stored, by id. */
	readonly #stored: Map<string, WaitingCall>;
	/** Ids of the calls whose session lives. */
	readonly #running = new Set<string>();
	/** Ids of the calls that are about to be resumed. */
	readonly #claimed = new Set<string>();
	#closing = false;
	readonly #drafts = new WeakMap<Call, Drafts>();
	/** The drafts that have changed. */
	readonly #unsaved = new Set<Drafts>();
	readonly #saveDrafts = coalesce(() => void this.#storeDrafts(), SAVE_INTERVAL);
	readonly #changed = new Emitter<void>();
	readonly #sent: SentRounds;
	/** Changes are stored one after another. */
	#storing: Promise<unknown> = Promise.resolve();

	readonly onDidChange = this.#changed.event;

	/**
	 * @param folder for what all windows have to know
	 * @param report is told why something could not be stored
	 */
	constructor(
		private readonly memory: vscode.Memento,
		private readonly secrets: vscode.SecretStorage,
		folder: string,
		private readonly report: (error: unknown) => void,
	) {
		const stored = memory.get<unknown>(KEY, []);
		const calls = Array.isArray(stored) ? stored.flatMap((each) => readWaitingCall(each) ?? []) : [];
		this.#stored = new Map(calls.map((call) => [call.id, call]));
		this.#sent = new SentRounds(folder);
	}

	/** The calls that wait for the user, oldest first. */
	get all(): readonly WaitingCall[] {
		return [...this.#stored.values()].filter(({ id }) => !this.#running.has(id) && !this.#claimed.has(id));
	}

	/** Takes a call out of those that wait, until it is released; undefined if it no longer waits. */
	claim(call: WaitingCall): vscode.Disposable | undefined {
		if (!this.all.includes(call)) {
			return undefined;
		}
		this.#claimed.add(call.id);
		this.#changed.fire();
		return {
			dispose: () => {
				this.#claimed.delete(call.id);
				this.#changed.fire();
			},
		};
	}

	/**
	 * Keeps a call that has begun. `release` resolves to the call if it waits from then on.
	 * @param resumed the call that it resumes
	 */
	keep(call: Call, resumed?: WaitingCall & KeptCall): Keeper {
		const id = resumed?.id ?? randomUUID();
		this.#drafts.set(call, { id, byForm: new Map(Object.entries(resumed?.drafts ?? {})) });
		this.#running.add(id);
		this.#changed.fire();
		let round = resumed?.round ?? randomUUID();
		let isOver = false;
		/** Only the last of several steps that wait for their turn is stored: each takes the editor some 30 ms. */
		let last: object | undefined;
		const inTurn = async (step: object, store: () => Promise<void>) => {
			// The server may acknowledge a response after the end of its task. What ends with the window is left to the next one.
			if (!isOver && !this.#closing) {
				last = step;
				await this.#inTurn(async () => (step === last ? store() : undefined));
			}
		};
		const put = async (at: WaitingCall['at']) => {
			const { server, identity: definition = '', kind, name, startedAt } = call;
			this.#stored.set(id, { id, server, kind, name, startedAt, definition, at });
			await this.#save();
		};
		const isListable = (at: WaitingCall['at']) => JSON.stringify([call.name, at]).length <= MAX_LISTED;
		return {
			from: resumed?.from,
			waits: (at) =>
				inTurn(at, async () => {
					const isTask = at.kind === 'task';
					const listed = isTask ? at : 'round';
					const args = call.args ?? {};
					const text = JSON.stringify(isTask ? { args } : { args, from: at, round });
					const isShort = text.length <= MAX_LENGTH;
					if (!isListable(listed) || !(isShort || isTask)) {
						return this.#remove(id);
					}
					if (isShort && !(isTask && Object.keys(args).length === 0)) {
						await this.secrets.store(secretKey(id), text);
					}
					await put(listed);
				}),
			sends: async () => {
				let isFirst = !this.#closing;
				await inTurn({}, async () => {
					isFirst = await this.#isFirst(id, round);
					if (!isFirst) {
						isOver = true;
						return;
					}
					round = randomUUID();
					if (isListable('sent')) {
						await put('sent');
					}
					await this.#forgetSecrets(id);
				});
				return isFirst;
			},
			ends: () => {
				isOver = true;
				return this.#inTurn(() => this.#remove(id));
			},
			release: async () => {
				isOver = true;
				await this.#storing;
				this.#running.delete(id);
				const left = this.#stored.get(id);
				if (left?.at === 'sent' && !this.#closing) {
					// The error of the call has told it.
					await this.remove(left);
				}
				this.#changed.fire();
				return this.#closing ? undefined : this.#stored.get(id);
			},
		};
	}

	/** True unless another window has sent the responses to a round. From then on, only this one sends them. */
	async #isFirst(id: string, round: string): Promise<boolean> {
		if (this.#stored.get(id)?.at !== 'round') {
			// No other window knows it.
			return true;
		}
		const isFirst = await this.#sent.add(round).catch((error) => {
			this.report(error);
			return true;
		});
		if (!isFirst) {
			// What is stored now is of the other window.
			this.#stored.delete(id);
		}
		return isFirst;
	}

	/** The window closes: from here on, the calls wait for the next one. */
	async close(): Promise<void> {
		this.#closing = true;
		do {
			this.#saveDrafts.dispose();
			await this.#storeDrafts();
			// Pickers that close with the window add what stands in them.
		} while (this.#unsaved.size > 0);
	}

	/** The draft of a form, if its call is kept. */
	draftOf({ request, origin }: Elicitation): KeptDraft | undefined {
		const [call] = origin.calls;
		const drafts = call && this.#drafts.get(call);
		if (!drafts || origin.calls.length > 1) {
			return undefined;
		}
		// A round may have the same form several times.
		const form = createHash('sha256').update(keyOf(request, origin.key)).digest('hex');
		const save = () => {
			this.#unsaved.add(drafts);
			this.#saveDrafts();
		};
		return {
			content: drafts.byForm.get(form),
			change: (content) => {
				drafts.byForm.set(form, content);
				save();
			},
			forget: () => {
				if (drafts.byForm.delete(form)) {
					save();
				}
			},
		};
	}

	/** Stores what the user has entered. It may be secret, so it is in secret storage only. */
	#storeDrafts(): Promise<void> {
		const unsaved = [...this.#unsaved];
		this.#unsaved.clear();
		return this.#inTurn(async () => {
			for (const { id, byForm } of unsaved) {
				const text = JSON.stringify(plainObject(byForm));
				const at = this.#stored.get(id)?.at;
				if (byForm.size === 0) {
					await this.secrets.delete(draftsKey(id));
				} else if (at !== undefined && at !== 'sent' && text.length <= MAX_LENGTH) {
					await this.secrets.store(draftsKey(id), text);
				}
			}
		});
	}

	/** What is needed to resume a call; undefined if that is gone. */
	async read({ id, at }: WaitingCall): Promise<KeptCall | undefined> {
		const secret = parsedJson((await this.secrets.get(secretKey(id))) ?? 'null');
		const args = own(secret, 'args');
		const from = typeof at === 'object' ? at : readCheckpoint(own(secret, 'from'));
		const round = own(secret, 'round');
		const drafts = parsedJson((await this.secrets.get(draftsKey(id))) ?? 'null');
		return from && at !== 'sent'
			? {
					args: isObject(args) ? args : {},
					from,
					drafts: isObject(drafts) ? drafts : {},
					round: typeof round === 'string' ? round : randomUUID(),
				}
			: undefined;
	}

	/** True if the responses to its round have been sent, as the window may not know that closed or another one that is open. */
	isSent({ round }: KeptCall): Promise<boolean> {
		return this.#sent.has(round);
	}

	remove({ id }: WaitingCall): Promise<void> {
		return this.#inTurn(() => this.#remove(id));
	}

	async #remove(id: string): Promise<void> {
		if (this.#stored.delete(id)) {
			await this.#save();
			await this.#forgetSecrets(id);
		}
	}

	async #save(): Promise<void> {
		const calls = [...this.#stored.values()];
		const forgotten = calls.splice(0, calls.length - MAX_CALLS);
		for (const { id } of forgotten) {
			this.#stored.delete(id);
			await this.#forgetSecrets(id);
		}
		await this.memory.update(KEY, calls.length > 0 ? calls : undefined);
		this.#changed.fire();
	}

	async #forgetSecrets(id: string): Promise<void> {
		await this.secrets.delete(secretKey(id));
		await this.secrets.delete(draftsKey(id));
	}

	#inTurn(store: () => Promise<void>): Promise<void> {
		const stored = this.#storing.then(store).catch(this.report);
		this.#storing = stored;
		return stored;
	}
}

const secretKey = (id: string) => `waitingCall:${id}`;
const draftsKey = (id: string) => `waitingDrafts:${id}`;

/** Reads what was stored; undefined if it is malformed. */
function readWaitingCall(stored: unknown): WaitingCall | undefined {
	const text = (key: string) => {
		const value = own(stored, key);
		return typeof value === 'string' ? value : undefined;
	};
	const [id, server, definition, name] = [text('id'), text('server'), text('definition'), text('name')];
	const [kind, startedAt, at] = [own(stored, 'kind'), own(stored, 'startedAt'), own(stored, 'at')];
	const task = readCheckpoint(at);
	const read = at === 'round' || at === 'sent' ? at : task?.kind === 'task' ? task : undefined;
	return id !== undefined &&
		server !== undefined &&
		definition !== undefined &&
		name !== undefined &&
		(kind === 'tool' || kind === 'prompt' || kind === 'resource') &&
		typeof startedAt === 'number' &&
		read !== undefined
		? { id, server, definition, kind, name, startedAt, at: read }
		: undefined;
}

/** How long a round is known (ms): no window shows it for longer. */
const MAX_AGE = 30 * 24 * 60 * 60 * 1000;

/**
 * The rounds whose responses have been sent, by any window: two tabs of a browser may show the same workspace, and each
 * knows its own calls only. Every round is an empty file, because the file system decides which of two processes is first.
 */
export class SentRounds {
	#prepared: Promise<void> | undefined;

	/** @param folder made when it is needed */
	constructor(private readonly folder: string) {}

	/** Adds a round. Resolves to false if it is there already. */
	async add(round: string): Promise<boolean> {
		this.#prepared ??= this.#prepare();
		await this.#prepared;
		return writeFile(join(this.folder, round), '', { flag: 'wx' }).then(
			() => true,
			(error) => {
				if (error.code === 'EEXIST') {
					return false;
				}
				throw error;
			},
		);
	}

	has(round: string): Promise<boolean> {
		return stat(join(this.folder, round)).then(
			() => true,
			() => false,
		);
	}

	/** Makes the folder, and forgets old rounds. */
	async #prepare(): Promise<void> {
		await mkdir(this.folder, { recursive: true });
		for (const round of await readdir(this.folder)) {
			const file = join(this.folder, round);
			// Another window may be forgetting it, too.
			const addedAt = await stat(file).then(
				({ mtimeMs }) => mtimeMs,
				() => Date.now(),
			);
			if (Date.now() - addedAt > MAX_AGE) {
				await rm(file, { force: true });
			}
		}
	}
}

import * as vscode from 'vscode';
import type * as api from '../../api.ts';
import type { Answerer, Decision } from '../../elicitation/answerers.ts';
import { visible } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { isObject, type JsonObject } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { StandIn } from '../../elicitation/standIn.ts';
import { elicitationInfo, frozenCopy } from '../api/snapshots.ts';
import { askModal } from '../common/notices.ts';
import { line, t } from '../common/words.ts';
import type { Actor, Actors } from './actors.ts';

const KEY = 'agreedExtensions';

/** Another extension that answers, with everything that it has registered. */
interface Party {
	readonly id: string;
	/** Its title and its id. */
	readonly name: string;
	readonly registrations: Set<Registration>;
}

/** One answerer of an extension. */
class Registration {
	readonly #waiting = new Set<() => void>();

	/** What the promise brings; undefined once nobody waits for it any more. */
	async orReleased<T>(promise: T | Promise<T>): Promise<T | undefined> {
		let release = () => {};
		const released = new Promise<undefined>((resolve) => {
			release = () => resolve(undefined);
		});
		this.#waiting.add(release);
		return Promise.race([promise, released]).finally(() => this.#waiting.delete(release));
	}

	/** Whatever it was asked goes on without it. */
	release(): void {
		for (const release of this.#waiting) {
			release();
		}
	}
}

/** Other extensions that answer in the person's place, each after the person has agreed to it once. */
export class ExtensionAnswerers implements Actors, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #parties = new Map<string, Party>();
	/** What the person did not want in this window. */
	readonly #refused = new Set<string>();
	readonly #asking = new Map<string, Promise<void>>();

	readonly onDidChange = this.#changed.event;

	/** @param replacesOwn whether a workspace has put the server of this name in the place of one of the user's */
	constructor(
		private readonly registry: Registry,
		private readonly memory: vscode.Memento,
		private readonly replacesOwn: (server: string) => boolean,
	) {}

	get actors(): readonly Actor[] {
		const present = [...this.#parties.values()].filter(({ registrations }) => registrations.size > 0);
		return present.map((party) => this.#actor(party));
	}

	actorOf({ kind, name }: StandIn): Actor | undefined {
		const party = [...this.#parties.values()].find((each) => kind === 'extension' && each.name === name);
		return party && this.#actor(party);
	}

	add(answerer: api.Answerer): vscode.Disposable {
		const party = this.#party(answerer.id);
		const registration = new Registration();
		party.registrations.add(registration);
		this.#changed.fire();
		const added = this.registry.answerers.add(this.#answerer(party, registration, answerer));
		return new vscode.Disposable(() => {
			added.dispose();
			registration.release();
			party.registrations.delete(registration);
			this.#changed.fire();
		});
	}

	dispose(): void {
		this.#changed.dispose();
	}

	#party(id: string): Party {
		const extension = vscode.extensions.getExtension(id);
		const known = this.#parties.get(extension?.id ?? id);
		if (known) {
			return known;
		}
		const title: unknown = extension?.packageJSON?.displayName;
		const name = typeof title === 'string' && title !== '' ? `${title} (${id})` : id;
		const party = { id: extension?.id ?? id, name, registrations: new Set<Registration>() };
		this.#parties.set(party.id, party);
		return party;
	}

	#answerer(party: Party, registration: Registration, answerer: api.Answerer): Answerer {
		const servers = answerer.servers && new Set(answerer.servers);
		const isFor = (server: string) => !servers || (servers.has(server) && !this.replacesOwn(server));
		return {
			standIn: { kind: 'extension', name: party.name },
			answer: async (elicitation, signal) => {
				if (!isFor(elicitation.origin.server) || !(await this.#obtain(party, elicitation))) {
					return undefined;
				}
				const over = signal.aborted || !party.registrations.has(registration);
				const result = over
					? undefined
					: await registration.orReleased(answerer.answer(elicitationInfo(elicitation), signal));
				return result && decisionOf(result);
			},
		};
	}

	#given({ id }: Party): boolean {
		return this.#agreed.includes(id) && !this.#refused.has(id);
	}

	/** Asks the person, unless they have decided; once, however many questions wait for it. */
	async #obtain(party: Party, elicitation: Elicitation): Promise<boolean> {
		const { id } = party;
		if (!this.#agreed.includes(id) && !this.#refused.has(id)) {
			const asking = this.#asking.get(id) ?? this.#ask(party, elicitation).finally(() => this.#asking.delete(id));
			this.#asking.set(id, asking);
			await asking;
		}
		return this.#given(party);
	}

	async #ask({ id, name }: Party, { origin, request }: Elicitation): Promise<void> {
		const agree = t('Let It Answer');
		const choice = await askModal(
			'warning',
			line('Let the extension {0} answer in your place?', name),
			visible(
				[
					t('An extension that says it is {0} asks for this. The editor gives no proof of which extension it is.', id),
					t('It is told what MCP servers ask you, and what it answers is sent without asking you.'),
					t('{0} asks now: {1}', origin.server, request.message.replace(/\s*\n\s*/g, ' ').slice(0, 300)),
				].join('\n'),
			),
			agree,
		);
		if (choice === agree) {
			await this.memory.update(KEY, [...this.#agreed, id]);
		} else {
			this.#refused.add(id);
		}
		this.#changed.fire();
	}

	#actor(party: Party): Actor {
		const { id, name } = party;
		const agreed = this.#agreed.includes(id);
		const takeBack = async () => {
			await this.memory.update(
				KEY,
				this.#agreed.filter((other) => other !== id),
			);
			this.#changed.fire();
		};
		return {
			key: `extension:${id}`,
			kind: 'extension',
			name,
			detail: this.#given(party) ? t('answers with your agreement') : t('needs your agreement'),
			...(agreed && { revoke: takeBack }),
			show: async () => {
				await vscode.commands.executeCommand('extension.open', id);
			},
			stop: async () => {
				this.#refused.add(id);
				for (const registration of party.registrations) {
					registration.release();
				}
				await takeBack();
			},
		};
	}

	get #agreed(): readonly string[] {
		return this.memory.get(KEY, []);
	}
}

/** What an extension has answered, if that is an answer: it may be written in plain JavaScript. */
function decisionOf(result: api.AnswererResult): Decision {
	const { action } = result;
	switch (action) {
		case 'accept': {
			const content: unknown = frozenCopy(JSON.parse(JSON.stringify(result.content ?? {})));
			if (!isObject(content)) {
				throw new TypeError(t('Its content is not an object.'));
			}
			return { action, content: content as JsonObject };
		}
		case 'decline':
		case 'cancel':
			return { action };
		case 'error':
			if (!Number.isSafeInteger(result.code)) {
				throw new TypeError(t('The code of its error is not a whole number.'));
			}
			return { action, code: result.code, message: String(result.message) };
		default:
			throw new TypeError(t('What it returned is not an answer.'));
	}
}

import * as vscode from 'vscode';
import type * as api from '../../api.ts';
import type { AutoResponder } from '../../elicitation/autoResponders.ts';
import { joinLines, visibleOnOneLine } from '../../elicitation/display.ts';
import type { Elicitation, ElicitationResponse } from '../../elicitation/elicitation.ts';
import { isObject, type JsonObject, jsonCopy } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { ResponderInfo } from '../../elicitation/responderInfo.ts';
import { elicitationInfo, frozenCopy } from '../api/snapshots.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { showModal } from '../common/notifications.ts';
import { fromWorkspace } from '../servers/configSource.ts';
import type { ConfiguredServer } from '../servers/configuration.ts';
import type { ActiveResponder, ResponderSource } from './activeResponders.ts';

const KEY = 'agreedExtensions';

/** Stands between an extension and the source of the servers that it may respond to. No id of an extension contains it. */
const FOR = ' for ';

/** Another extension, with all the answerers it has registered. */
interface ExtensionResponder {
	readonly id: string;
	/** Display name and id. */
	readonly name: string;
	readonly registrations: Set<Registration>;
}

/** One answerer of an extension. */
class Registration {
	#released = new AbortController();

	get released(): AbortSignal {
		return this.#released.signal;
	}

	/** The elicitations that wait for the answerer go on without it. */
	release(): void {
		this.#released.abort();
		this.#released = new AbortController();
	}
}

/** Answerers registered by other extensions. Each extension needs the user's consent once. */
export class ExtensionAnswerers implements ResponderSource, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #responders = new Map<string, ExtensionResponder>();
	/** Extensions that the user refused in this window. */
	readonly #refused = new Set<string>();
	readonly #asking = new Map<string, Promise<void>>();

	readonly onDidChange = this.#changed.event;

	/** @param configuredOf what has a name now */
	constructor(
		private readonly registry: Registry,
		private readonly memory: vscode.Memento,
		private readonly configuredOf: (server: string) => ConfiguredServer | undefined,
	) {}

	get responders(): readonly ActiveResponder[] {
		const active = [...this.#responders.values()].filter(({ registrations }) => registrations.size > 0);
		return active.map((responder) => this.#toActive(responder));
	}

	responderOf({ kind, name }: ResponderInfo): ActiveResponder | undefined {
		const responder = [...this.#responders.values()].find((each) => kind === 'extension' && each.name === name);
		return responder && this.#toActive(responder);
	}

	add(answerer: api.Answerer): vscode.Disposable {
		const responder = this.#responder(answerer.id);
		const registration = new Registration();
		const added = this.registry.autoResponders.add(this.#toAutoResponder(responder, registration, answerer));
		responder.registrations.add(registration);
		this.#changed.fire();
		return new vscode.Disposable(() => {
			added.dispose();
			registration.release();
			responder.registrations.delete(registration);
			this.#changed.fire();
		});
	}

	dispose(): void {
		this.#changed.dispose();
	}

	#responder(id: string): ExtensionResponder {
		const extension = vscode.extensions.getExtension(id);
		const known = this.#responders.get(extension?.id ?? id);
		if (known) {
			return known;
		}
		const title: unknown = extension?.packageJSON?.displayName;
		const name = typeof title === 'string' && title !== '' ? `${title} (${id})` : id;
		const responder = { id: extension?.id ?? id, name, registrations: new Set<Registration>() };
		this.#responders.set(responder.id, responder);
		return responder;
	}

	#toAutoResponder(responder: ExtensionResponder, registration: Registration, answerer: api.Answerer): AutoResponder {
		const servers = answerer.servers && new Set(answerer.servers);
		// What takes the place of the user's server is not what the extension means by its name.
		const isFor = (server: string) => !servers || (servers.has(server) && !this.configuredOf(server)?.replacesOwn);
		return {
			responder: { kind: 'extension', name: responder.name },
			get released() {
				return registration.released;
			},
			respond: async (elicitation, signal) => {
				if (!responder.registrations.has(registration) || !isFor(elicitation.origin.server)) {
					return undefined;
				}
				if (!(await this.#obtainConsent(responder, elicitation)) || signal.aborted) {
					return undefined;
				}
				const result = await answerer.answer(elicitationInfo(elicitation), signal);
				return result && this.#hasConsent(this.#grantOf(responder, elicitation)) ? decisionOf(result) : undefined;
			},
		};
	}

	#hasConsent(grant: string): boolean {
		return this.#consented.includes(grant) && !this.#refused.has(grant);
	}

	/** What the user grants: the extension for their own servers, or for those that a workspace defines. */
	#grantOf({ id }: ExtensionResponder, { origin }: Elicitation): string {
		const { source } = this.configuredOf(origin.server) ?? {};
		return source && fromWorkspace(source) ? `${id}${FOR}${source.uri}` : id;
	}

	/** Asks the user, unless already decided. Asks once even if several elicitations wait for the decision. */
	async #obtainConsent(responder: ExtensionResponder, elicitation: Elicitation): Promise<boolean> {
		const grant = this.#grantOf(responder, elicitation);
		if (!this.#consented.includes(grant) && !this.#refused.has(grant)) {
			const asking =
				this.#asking.get(grant) ?? this.#ask(responder, grant, elicitation).finally(() => this.#asking.delete(grant));
			this.#asking.set(grant, asking);
			await asking;
		}
		return this.#hasConsent(grant);
	}

	async #ask({ id, name }: ExtensionResponder, grant: string, { origin, request }: Elicitation): Promise<void> {
		const agree = localize('Allow');
		const choice = await showModal(
			'warning',
			localizeNative('Allow the extension {0} to respond on your behalf?', name),
			[
				localize(
					'An extension that identifies itself as {0} requests this. The editor cannot prove which extension it is.',
					visibleOnOneLine(id),
				),
				localize('It receives the requests of MCP servers, and its responses are sent without asking you.'),
				localize(
					'Current request from {0}: {1}',
					visibleOnOneLine(origin.server),
					joinLines(request.message).slice(0, 300),
				),
			].join('\n'),
			agree,
		);
		if (choice === agree) {
			await this.memory.update(KEY, [...this.#consented, grant]);
		} else {
			this.#refused.add(grant);
		}
		this.#changed.fire();
	}

	#toActive(responder: ExtensionResponder): ActiveResponder {
		const { id, name } = responder;
		const isOfExtension = (grant: string) => grant === id || grant.startsWith(`${id}${FOR}`);
		const consented = this.#consented.some(isOfExtension);
		const revoke = async () => {
			for (const registration of responder.registrations) {
				registration.release();
			}
			await this.memory.update(
				KEY,
				this.#consented.filter((grant) => !isOfExtension(grant)),
			);
			this.#changed.fire();
		};
		return {
			key: `extension:${id}`,
			kind: 'extension',
			name,
			detail:
				consented && !this.#refused.has(id) ? localize('responds with your consent') : localize('needs your consent'),
			...(consented && { revoke }),
			show: async () => {
				await vscode.commands.executeCommand('extension.open', id);
			},
			stop: async () => {
				for (const grant of [id, ...this.#consented.filter(isOfExtension)]) {
					this.#refused.add(grant);
				}
				await revoke();
			},
		};
	}

	get #consented(): readonly string[] {
		return this.memory.get(KEY, []);
	}
}

/** Validates an extension's result, because it may be written in plain JavaScript. */
function decisionOf(result: api.AnswererResult): ElicitationResponse {
	const { action } = result;
	switch (action) {
		case 'accept': {
			const content: unknown = frozenCopy(jsonCopy(result.content ?? {}));
			if (!isObject(content)) {
				throw new TypeError(localize('Its content is not an object.'));
			}
			return { action, content: content as JsonObject };
		}
		case 'decline':
		case 'cancel':
			return { action };
		case 'error':
			if (!Number.isSafeInteger(result.code)) {
				throw new TypeError(localize('The code of its error is not a whole number.'));
			}
			return { action, code: result.code, message: String(result.message) };
		default:
			throw new TypeError(localize('What it returned is not a response.'));
	}
}

import {
	CLIENT_CAPABILITIES_META_KEY,
	CLIENT_INFO_META_KEY,
	type ClientCapabilities,
	type Implementation,
	PROTOCOL_VERSION_META_KEY,
	type ProtocolEra,
	ProtocolError,
	SERVER_INFO_META_KEY,
	type ServerCapabilities,
} from '@modelcontextprotocol/client';
import {
	capabilitiesOf,
	rootsCapabilityOf,
	samplingCapabilityOf,
	type TaskMode,
	taskCapabilitiesOf,
} from '../config/capabilities.ts';
import type { ServerDefinition } from '../config/definition.ts';
import { isCallMethod } from '../elicitation/call.ts';
import { UNSUPPORTED_PROTOCOL_VERSION } from '../elicitation/errorCodes.ts';
import { given, isObject, type Json, type JsonObject, own, without } from '../elicitation/json.ts';
import { REVISIONS, STATELESS } from '../elicitation/revisions.ts';
import { httpErrorIn } from './http/httpError.ts';
import { withoutNullsWithin } from './wire/envelope.ts';
import {
	ConnectionCut,
	ConnectionEnded,
	NoResponse,
	RequestTimedOut,
	UnexpectedResult,
	UnsupportedRevision,
} from './wire/failure.ts';
import type { Peer } from './wire/peer.ts';
import type { Requester, RequestOptions } from './wire/wire.ts';

/**
 * Timeout of the `server/discover` probe (ms). After it, a stdio server is assumed to ignore unknown methods. HTTP has
 * no fallback, and the server may have to wake up first.
 */
const PROBE_TIMEOUT = { stdio: 15_000, http: 60_000, sse: 60_000 };

/** How long a server may take to respond to `initialize`, and to the probe once it is known to be no older one (ms). */
const TIMEOUT = 60_000;

/** The revisions with sessions. The first one was only a draft. */
const WITH_SESSIONS: readonly string[] = ['2024-10-07', ...REVISIONS.filter((revision) => revision < STATELESS)];

/** What a server says of itself. */
interface ServerFacts {
	readonly revision: string;
	readonly capabilities: ServerCapabilities;
	readonly serverInfo: Implementation | undefined;
	readonly instructions: string | undefined;
}

/** This client towards one server: finds the revision that both speak, and sends requests as that revision has them. */
export class Client implements Requester {
	readonly #capabilities: ClientCapabilities;
	readonly #info: Implementation;
	#facts: ServerFacts | undefined;
	/** Whether the server has responded to the probe, and what came too late. */
	#isProbed = false;
	#late: JsonObject | undefined;
	#isInitializing = false;

	constructor(
		private readonly definition: ServerDefinition,
		private readonly peer: Peer,
		version: string,
		private readonly tasks: TaskMode,
	) {
		this.#info = { name: 'mcp-elicitation', title: 'MCP Elicitation', version };
		this.#capabilities = {
			...capabilitiesOf(definition),
			...rootsCapabilityOf(definition),
			...samplingCapabilityOf(definition),
			...taskCapabilitiesOf(definition, tasks),
		} as ClientCapabilities;
	}

	/** The negotiated protocol revision. */
	get revision(): string | undefined {
		return this.#facts?.revision;
	}

	get era(): ProtocolEra | undefined {
		const { revision } = this;
		return revision === undefined ? undefined : revision >= STATELESS ? 'modern' : 'legacy';
	}

	/** What the server can do; undefined before it says so. */
	get capabilities(): ServerCapabilities | undefined {
		return this.#facts?.capabilities;
	}

	get serverInfo(): Implementation | undefined {
		return this.#facts?.serverInfo;
	}

	get instructions(): string | undefined {
		return this.#facts?.instructions;
	}

	/**
	 * Sends a request. Resolves to the result, of which only that of a call may require input, or tell of a task. See
	 * `Peer.request`.
	 */
	async request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject> {
		const result = await this.peer.request(method, params, options);
		if (this.era !== 'modern') {
			return without(result, ['resultType']);
		}
		const resultType = given(result, 'resultType') ?? 'complete';
		if (resultType === 'complete') {
			return without(result, ['resultType']);
		}
		const isInput = resultType === 'input_required';
		if (!isCallMethod(method) || !(isInput || (resultType === 'task' && this.tasks !== 'never'))) {
			throw new UnexpectedResult(method, resultType);
		}
		const requests = own(result, 'inputRequests');
		const isEmpty = !isObject(requests) || Object.keys(requests).length === 0;
		if (isInput && isEmpty && typeof own(result, 'requestState') !== 'string') {
			throw new UnexpectedResult(method, resultType, `The input_required result for ${method} requires nothing`);
		}
		return result;
	}

	notify(method: string, params?: JsonObject): Promise<void> {
		return this.peer.notify(method, params);
	}

	/** Asks a server of 2026-07-28 what it can do now. */
	async discover(): Promise<ServerCapabilities> {
		return capabilitiesIn(await this.request('server/discover', {}, { timeout: TIMEOUT }), 'modern');
	}

	/**
	 * Starts the connection and agrees on a revision. Resolves to the era to begin the next one with (E05).
	 * @param known the era that the server belonged to before. An older server is not probed; a newer one gets more time to
	 * respond to the probe
	 * @param discovery its response to an earlier probe
	 */
	async connect(known: ProtocolEra | undefined, discovery?: JsonObject): Promise<ProtocolEra> {
		const { protocolVersion, type } = this.definition;
		const isPinned = protocolVersion !== 'auto';
		try {
			await this.peer.start();
			const isOld = isPinned ? protocolVersion < STATELESS : known === 'legacy';
			const timeout = known === 'modern' && !isPinned ? TIMEOUT : PROBE_TIMEOUT[type];
			const found = isOld ? undefined : (!isPinned && discovery) || (await this.#discover(timeout));
			if (found) {
				const info = own(own(found, '_meta'), SERVER_INFO_META_KEY);
				this.#agree(STATELESS, found, info);
			} else {
				await this.#initialize();
			}
		} catch (error) {
			void this.peer.close().catch(() => {});
			throw error;
		}
		return this.era === 'modern' || this.#late ? 'modern' : 'legacy';
	}

	/**
	 * How to reconnect after initialization failed with that error: with the late response to the probe, or with a new
	 * probe if the first one got no response or was skipped. Undefined if a retry wouldn't help.
	 */
	retryWith(error: unknown): { readonly discovery: JsonObject | undefined } | undefined {
		const isOpen =
			this.#isInitializing && (this.#late !== undefined || (!this.#isProbed && rpcErrorIn(error) !== undefined));
		return this.definition.protocolVersion === 'auto' && isOpen ? { discovery: this.#late } : undefined;
	}

	/**
	 * Probes for 2026-07-28. Resolves to what the server says of itself; to undefined if it is an older one. Rejects if it
	 * may be either.
	 */
	async #discover(timeout: number): Promise<JsonObject | undefined> {
		for (let attempt = 1; ; attempt++) {
			try {
				const result = await this.#probe(timeout);
				const versions = own(result, 'supportedVersions');
				return isModern(result) ? result : this.#isOlder(Array.isArray(versions) ? versions.map(String) : []);
			} catch (error) {
				const { code, data } = rpcErrorIn(error) ?? {};
				const listed = code === UNSUPPORTED_PROTOCOL_VERSION ? own(data, 'supported') : undefined;
				const supported = Array.isArray(listed) ? listed.map(String) : [];
				const isMutual = supported.includes(STATELESS);
				if (isMutual && attempt === 1) {
					continue;
				}
				if (isMutual || supported.some((revision) => revision > STATELESS)) {
					throw new UnsupportedRevision(supported);
				}
				if (this.#rulesOut(error)) {
					return this.#isOlder(supported);
				}
				throw error;
			}
		}
	}

	/** @param supported the revisions that the server has, as far as known */
	#isOlder(supported: readonly string[]): undefined {
		if (this.definition.protocolVersion !== 'auto') {
			throw new UnsupportedRevision(supported);
		}
	}

	/** Sends the probe. A response that comes too late may still tell something. */
	#probe(timeout: number): Promise<JsonObject> {
		const probing = this.peer.request('server/discover', { _meta: this.#envelopeOf(STATELESS) });
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new RequestTimedOut(timeout)), timeout);
			probing
				.then(
					(result) => {
						this.#isProbed = true;
						this.#late = this.#isInitializing && isModern(result) ? result : undefined;
						resolve(result);
					},
					(error) => {
						this.#isProbed ||= error instanceof ProtocolError;
						reject(error);
					},
				)
				.finally(() => clearTimeout(timer));
		});
	}

	/** Whether an error of the probe means an older server. Silence and a crash do only where no network is between. */
	#rulesOut(error: unknown): boolean {
		const { status = 0 } = httpErrorIn(error) ?? {};
		if (error instanceof RequestTimedOut || error instanceof ConnectionEnded) {
			return this.definition.type === 'stdio';
		}
		return (
			error instanceof ProtocolError ||
			(error instanceof NoResponse && !(error instanceof ConnectionCut && error.cause)) ||
			(status >= 400 && status < 500 && ![401, 403, 429].includes(status))
		);
	}

	async #initialize(): Promise<void> {
		const { protocolVersion } = this.definition;
		const offered = protocolVersion === 'auto' ? (WITH_SESSIONS.at(-1) ?? '') : protocolVersion;
		const accepted = protocolVersion === 'auto' ? WITH_SESSIONS : [protocolVersion];
		const { extensions: _, ...capabilities } = this.#capabilities;
		this.#isInitializing = true;
		const params = { protocolVersion: offered, capabilities, clientInfo: this.#info } as unknown as JsonObject;
		const result = await this.peer.request('initialize', params, { timeout: TIMEOUT });
		const chosen = own(result, 'protocolVersion');
		if (typeof chosen !== 'string' || !accepted.includes(chosen)) {
			throw new UnsupportedRevision(typeof chosen === 'string' ? [chosen] : []);
		}
		this.#agree(chosen, result, own(result, 'serverInfo'));
		await this.peer.notify('notifications/initialized');
	}

	#agree(revision: string, said: JsonObject, info: Json | undefined): void {
		const [name, title, version] = ['name', 'title', 'version'].map((member) => own(info, member));
		const text = (value: Json | undefined) => (typeof value === 'string' ? value : '');
		const instructions = own(said, 'instructions');
		this.peer.agree(revision, revision >= STATELESS ? this.#envelopeOf(revision) : undefined);
		this.#facts = {
			revision,
			capabilities: capabilitiesIn(said, revision >= STATELESS ? 'modern' : 'legacy'),
			serverInfo: isObject(info)
				? {
						...(withoutNullsWithin(info) as object),
						name: text(name),
						version: text(version),
						...(typeof title === 'string' && { title }),
					}
				: undefined,
			instructions: typeof instructions === 'string' ? instructions : undefined,
		};
	}

	/** Since 2026-07-28, tasks are an extension, and nobody is told that roots change. */
	#envelopeOf(revision: string): JsonObject {
		const { tasks: _, roots, ...capabilities } = this.#capabilities;
		return {
			[PROTOCOL_VERSION_META_KEY]: revision,
			[CLIENT_INFO_META_KEY]: this.#info as unknown as JsonObject,
			[CLIENT_CAPABILITIES_META_KEY]: { ...capabilities, ...(roots && { roots: {} }) } as JsonObject,
		};
	}
}

/** Many languages serialize an absent value as null. Tasks as a capability belong to older revisions. */
function capabilitiesIn(said: JsonObject, era: ProtocolEra): ServerCapabilities {
	const declared = withoutNullsWithin(own(said, 'capabilities') ?? null);
	return (isObject(declared) ? without(declared, era === 'modern' ? ['tasks'] : []) : {}) as ServerCapabilities;
}

/** True if a server that says this of itself speaks 2026-07-28. */
function isModern(said: JsonObject): boolean {
	const versions = own(said, 'supportedVersions');
	return Array.isArray(versions) && versions.includes(STATELESS) && isObject(own(said, 'capabilities'));
}

/** A JSON-RPC error. Over HTTP, it may come with a status of its own. */
function rpcErrorIn(error: unknown): { readonly code?: unknown; readonly data?: unknown } | undefined {
	const inBody = own(httpErrorIn(error)?.refusal.body, 'error');
	return error instanceof ProtocolError
		? error
		: typeof own(inBody, 'code') === 'number'
			? (inBody as JsonObject)
			: undefined;
}

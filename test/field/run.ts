import { expect } from 'vitest';
import type { CallKind } from '../../src/elicitation/call.ts';
import type { JsonObject } from '../../src/elicitation/json.ts';
import { RawHttpServer } from '../rawServer/http.ts';
import type { RawServer, Wire } from '../rawServer/rawServer.ts';
import { RawStdioServer } from '../rawServer/stdio.ts';
import { type AuthorizationServer, authorizationServer } from '../servers/authorization.mjs';
import {
	type Authorization,
	type Definitions,
	type Entries,
	type FieldCase,
	isLike,
	type Reply,
	type Step,
} from './case.ts';

/** What a person does to a form: fills in its fields, or edits its JSON. */
export interface Filling {
	readonly button: 'Accept' | 'Decline' | 'Cancel';
	readonly entries?: Entries;
	readonly json?: JsonObject;
	/** The schema that the server has sent. */
	readonly schema: JsonObject;
}

/** Where a case runs: what a person can do there, and what can be seen. */
export interface Hands {
	/** Max wait for anything (ms). */
	readonly patience: number;
	start(): Promise<void>;
	/** Begins a call. */
	call(kind: CallKind, name: string): Promise<void>;
	/** Fills in the form that is open and presses a button. Gives the problems that are then told, as `key: sentence`. */
	answer(filling: Filling): Promise<readonly string[]>;
	/** Agrees to open the URL that contains this. */
	open(url: string): Promise<void>;
	retry(): Promise<void>;
	/** Agrees to sign in, and does so. */
	signIn(): Promise<void>;
	/** Pastes a text into *Add Server*. Gives what is said of it. */
	paste(text: string): Promise<string>;
	/** Adds what was pasted to `.vscode/mcp.json`. Gives what stands there then. */
	add(): Promise<unknown>;
	/** Writes a file of definitions. Gives what is said of it, what is listed, and what a quick fix makes of it, once it is as expected. */
	define(
		file: string,
		text: string,
		expected: Definitions,
	): Promise<{ problems: string[]; lists: string[]; fixed?: unknown }>;
	/** Everything that the screen says. */
	said(): Promise<string>;
}

/** Methods that clients may send at any time. */
const BESIDE =
	/^(?:response|ping|server\/discover|logging\/setLevel|(?:tools|prompts|resources|resources\/templates)\/list)$/;

/** A server of a case, and what it has been told to do. */
export class Stage {
	/** The request that the server has taken last. */
	#taken: Wire;
	/** The schema that it has sent last. */
	schema: JsonObject = {};
	readonly #refusals: { reply: Reply; fits: (message: Wire, session: string) => boolean; once: boolean }[] = [];

	private constructor(
		readonly rawServer: RawServer | undefined,
		readonly authorization: AuthorizationServer | undefined,
		private readonly more: JsonObject = {},
	) {
		if (rawServer instanceof RawHttpServer) {
			rawServer.refusePosts = (message, headers) => this.#refusal(message, String(headers['mcp-session-id']));
		}
	}

	static async open({ server, authorization }: FieldCase): Promise<Stage> {
		const signIn = authorization && (await openAuthorization(authorization));
		if (!server) {
			return new Stage(undefined, signIn);
		}
		const { wire, sessions, definition, ...options } = server;
		const rawServer = await (wire === 'http' ? RawHttpServer.open(options) : RawStdioServer.open(options));
		if (rawServer instanceof RawHttpServer) {
			rawServer.session = sessions === false ? '' : rawServer.session;
			protect(rawServer, signIn, authorization?.resource ?? {});
		}
		return new Stage(rawServer, signIn, definition);
	}

	/** The definition of the server, for the settings. */
	get definition(): Readonly<Record<string, unknown>> {
		return { ...this.rawServer?.definition, ...this.#placed(this.more) };
	}

	async close(): Promise<void> {
		await Promise.all([this.rawServer?.close(), this.authorization?.stop()]);
	}

	/** Does a step of the server. False if it is none. */
	async does(step: Step, patient: <T>(what: string, promise: Promise<T>) => Promise<T>): Promise<boolean> {
		const { rawServer, authorization } = this;
		if ('expires' in step && authorization) {
			authorization.expire(...step.expires);
			return true;
		}
		if ('asked' in step && authorization) {
			await expect
				.poll(() => authorization.seen[step.asked], { timeout: 120_000 })
				.toSatisfy((seen: object[]) => seen.some((each) => isLike(each, this.#placed(step.like))));
			return true;
		}
		if (!rawServer) {
			return false;
		}
		if ('takes' in step) {
			const fits = (message: Wire) => message.method === step.takes && isLike(message, step.like ?? {});
			this.#taken = await patient(`the server to take ${step.takes}`, rawServer.expect(fits));
		} else if ('sends' in step) {
			const during = step.alone ? undefined : this.#taken;
			const sent = typeof step.sends === 'string' ? JSON.parse(this.#filled(step.sends)) : step.sends;
			this.schema = sent.params?.requestedSchema ?? this.schema;
			typeof step.sends === 'string'
				? rawServer.line(this.#filled(step.sends), during)
				: rawServer.send(step.sends, during);
		} else if ('writes' in step) {
			rawServer.raw(this.#filled(step.writes), this.#taken);
		} else if ('replies' in step) {
			rawServer.send({ id: this.#taken.id, ...step.replies });
		} else if ('refuses' in step) {
			const fits = ({ method }: Wire) => step.method === undefined || method === step.method;
			this.#refusals.push({ reply: step.refuses, once: step.once === true, fits });
		} else if ('forgetsSessions' in step && rawServer instanceof RawHttpServer) {
			const gone = rawServer.session;
			rawServer.session = `${gone}-next`;
			this.#refusals.push({ reply: step.forgetsSessions, once: false, fits: (_message, session) => session === gone });
		} else if ('cuts' in step && rawServer instanceof RawHttpServer) {
			rawServer.cut(this.#taken, 'end');
		} else if ('resumes' in step && rawServer instanceof RawHttpServer) {
			await patient(
				'the stream to be resumed',
				rawServer.until(() => rawServer.log.some((line) => line.startsWith('GET ') && line.includes('/'))),
			);
			await patient('what was sent again to be read', rawServer.fence(this.#taken));
		} else if ('exits' in step && rawServer instanceof RawStdioServer) {
			await rawServer.die(step.exits);
		} else if ('responses' in step) {
			await patient('the responses', this.#responses(rawServer, step.responses));
		} else if ('posted' in step) {
			expect(methodsOf(rawServer)).toEqual(step.posted);
		} else {
			return false;
		}
		return true;
	}

	async #responses(
		rawServer: RawServer,
		all: Readonly<Record<string, readonly (string | JsonObject)[]>>,
	): Promise<void> {
		for (const [id, expected] of Object.entries(all)) {
			await rawServer.until(() => rawServer.responses(id).length >= expected.length);
		}
		await rawServer.fence(rawServer.responses(this.#taken?.id).length > 0 ? undefined : this.#taken);
		for (const [id, expected] of Object.entries(all)) {
			const found = rawServer.responses(id);
			const exact = rawServer.texts.filter((_text, at) => found.includes(rawServer.received[at]));
			const seen = found.map(({ jsonrpc: _, id: __, ...response }, at) =>
				typeof expected[at] === 'string' ? exact[at] : response,
			);
			expect({ [id]: seen }).toEqual({
				[id]: expected.map((each) => (typeof each === 'string' ? expect.stringContaining(each) : each)),
			});
		}
	}

	#refusal(message: Wire, session: string): Reply | undefined {
		const at = this.#refusals.findIndex(({ fits }) => fits(message, session));
		const found = this.#refusals[at];
		if (found?.once) {
			this.#refusals.splice(at, 1);
		}
		return found && { ...found.reply, body: filled(found.reply.body ?? '', message) };
	}

	#placed(value: JsonObject): JsonObject {
		return placed(value, this.authorization?.issuer ?? '', String(this.rawServer?.definition['url']));
	}

	#filled(text: string): string {
		return filled(text, this.#taken);
	}
}

/** Runs a case. Fails where something does not come as it says. */
export async function runCase(fieldCase: FieldCase, stage: Stage, hands: Hands): Promise<void> {
	const { steps, never = [] } = fieldCase;
	const refuse = async () => {
		const said = await hands.said();
		expect(
			never.filter((text) => said.includes(text)),
			`what must not be said, in: ${said}`,
		).toEqual([]);
		return said;
	};
	const patient = async <T>(what: string, promise: Promise<T>): Promise<T> => {
		const end = Date.now() + hands.patience;
		for (;;) {
			const first = await Promise.race([
				promise.then((value) => ({ value })),
				new Promise<undefined>((resolve) => setTimeout(resolve, 50)),
			]);
			if (first) {
				return first.value;
			}
			const said = await refuse();
			if (Date.now() > end) {
				throw new Error(`Waited in vain for ${what}. The screen says: ${said}`);
			}
		}
	};
	for (const step of steps) {
		if ('sees' in step) {
			await patient(JSON.stringify(step.sees), seen(hands, [step.sees].flat()));
		} else if (!(await stage.does(step, patient))) {
			await patient(JSON.stringify(step), act(step, hands, stage.schema));
		}
	}
	await refuse();
}

async function seen(hands: Hands, texts: readonly string[]): Promise<void> {
	while (
		!texts.every(
			(
				(said) => (text: string) =>
					said.includes(text)
			)(await hands.said()),
		)
	) {
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

/** What a person does to a form in this step, if it is about one. */
function fillingOf(step: Step): Omit<Filling, 'schema'> | undefined {
	if ('accepts' in step) {
		return { button: 'Accept', entries: step.accepts };
	}
	if ('acceptsJson' in step) {
		return { button: 'Accept', json: step.acceptsJson };
	}
	if ('declines' in step) {
		return { button: 'Decline', entries: step.declines };
	}
	return 'cancels' in step ? { button: 'Cancel', entries: step.cancels } : undefined;
}

async function act(step: Step, hands: Hands, schema: JsonObject): Promise<void> {
	const filling = fillingOf(step);
	if (filling) {
		expect(await hands.answer({ ...filling, schema })).toEqual('problems' in step ? step.problems : []);
	} else if ('starts' in step) {
		await hands.start();
	} else if ('calls' in step) {
		await hands.call('tool', step.calls);
	} else if ('reads' in step) {
		await hands.call('resource', step.reads);
	} else if ('gets' in step) {
		await hands.call('prompt', step.gets);
	} else if ('opens' in step) {
		await hands.open(step.opens);
	} else if ('retries' in step) {
		await hands.retry();
	} else if ('signsIn' in step) {
		await hands.signIn();
	} else if ('pastes' in step) {
		expect(await hands.paste(step.pastes)).toContain(step.offered);
		if (step.written) {
			expect(await hands.add()).toEqual(step.written);
		}
	} else if ('file' in step) {
		await define(step.file, step, hands);
	} else {
		throw new Error(`Nobody can do ${JSON.stringify(step)} in this case.`);
	}
}

async function define(file: string, expected: Definitions, hands: Hands): Promise<void> {
	const { holds, problems = [], lists, fixed } = expected;
	const found = await hands.define(file, JSON.stringify(holds, undefined, 2), expected);
	expect(found).toMatchObject({ ...(lists && { lists }), ...(fixed && { fixed }) });
	expect(found.problems.length, found.problems.join('\n')).toBe(problems.length);
	for (const problem of problems) {
		expect(found.problems.join('\n')).toContain(problem);
	}
}

function filled(text: string, message: Wire): string {
	return text.replaceAll('$id', JSON.stringify(message?.id ?? null));
}

/** What was posted, or received, but for what clients may send at any time. */
function methodsOf(rawServer: RawServer): string[] {
	const all =
		rawServer instanceof RawHttpServer
			? rawServer.log.flatMap((line) => /^POST (.*)/.exec(line)?.[1] ?? [])
			: rawServer.received.map(({ method = 'response' }) => method);
	return all.filter((method) => !BESIDE.test(method));
}

async function openAuthorization({ behavior, edits = [] }: Authorization): Promise<AuthorizationServer> {
	const server = await authorizationServer({
		...behavior,
		edit: (to: string, request: object, reply: { status: number; body: object }) => {
			const edit = edits.find((each) => each.to === to && isLike(request, each.where ?? {}));
			return edit
				? { status: edit.status ?? reply.status, body: { ...reply.body, ...placed(edit.body, server.issuer) } }
				: reply;
		},
	});
	return server;
}

const placed = (value: JsonObject, issuer: string, url = ''): JsonObject =>
	JSON.parse(JSON.stringify(value).replaceAll('$issuer', issuer).replaceAll('$url', url));

/** Answers for what is beside the endpoint, and makes the server demand tokens of the authorization server, if there is one. */
function protect(rawServer: RawHttpServer, authorization: AuthorizationServer | undefined, more: JsonObject): void {
	const url = String(rawServer.definition['url']);
	const issuer = authorization?.issuer ?? '';
	const metadata = { resource: url, authorization_servers: [issuer], ...placed(more, issuer, url) };
	rawServer.front = async (request) => {
		if (authorization && request.url?.startsWith('/.well-known/oauth-protected-resource/mcp')) {
			return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(metadata) };
		}
		if (request.url?.startsWith('/.well-known/') || request.url === '/register') {
			return { status: 404 };
		}
		return authorization?.verifier.verifyAccessToken(request.headers.authorization?.split(' ')[1] ?? '').then(
			() => undefined,
			() => ({ status: 401, headers: { 'www-authenticate': 'Bearer' } }),
		);
	};
}

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { textWithAddition } from '../../src/config/addition.ts';
import { commandProblems } from '../../src/config/commandLine.ts';
import type { ServerDefinition } from '../../src/config/definition.ts';
import type { Snippet } from '../../src/config/foreignDocument.ts';
import { SHAPES } from '../../src/config/shape.ts';
import { recognize } from '../../src/config/snippet.ts';
import { diagnosticsOf, parseText, type Replacement, readContentText } from '../../src/config/text.ts';
import type { Call, CallKind } from '../../src/elicitation/call.ts';
import type { Elicitation } from '../../src/elicitation/elicitation.ts';
import { findingsOf } from '../../src/elicitation/findings/findings.ts';
import { Form } from '../../src/elicitation/form/form.ts';
import { initialInputs } from '../../src/elicitation/form/inputs.ts';
import { isObject, type Json } from '../../src/elicitation/json.ts';
import { english, render, type Sentence } from '../../src/elicitation/sentence.ts';
import type { Connection, SignInRequest } from '../../src/mcp/index.ts';
import { Redactor } from '../../src/privacy/redactor.ts';
import { fieldCase } from '../../src/trace/fieldCase.ts';
import { momentOf, timeOf } from '../../src/webview/controls/localTime.ts';
import { Visitor } from '../conformance/visitor.ts';
import { type Entries, type FieldCase, fieldCases } from '../field/case.ts';
import { type Filling, type Hands, runCase, Stage } from '../field/run.ts';
import type { Act } from '../field/schemas/case.ts';
import { entered } from '../field/schemas/person.ts';
import { define, type TestClient, testClients } from './mcp/testClient.ts';
import { Bench } from './validation/validationBench.ts';

/* By day, the cases of the field are tried without an editor: real connections, processes and authorization servers, and the model of the form. */

const bench = new Bench();
const world = testClients();
const words = (sentence: Sentence) => render(sentence, english);

/** A person who is asked to agree to a sign-in, and does so in a step of the case. */
class Asked extends Visitor {
	readonly #asked: ((agrees: boolean) => void)[] = [];

	constructor(private readonly says: (text: string) => void) {
		super();
	}

	override async consent(request: SignInRequest): Promise<boolean> {
		this.says(`"${request.server}" wants you to sign in at ${request.issuer}`);
		return new Promise((resolve) => this.#asked.push(resolve));
	}

	agree(): boolean {
		const next = this.#asked.shift();
		next?.(true);
		return next !== undefined;
	}
}

/** A person without an editor. */
class Headless implements Hands {
	readonly patience = 120_000;
	readonly #told: string[] = [];
	readonly #signIn = new Asked((text) => this.#told.push(text));
	readonly #server: Connection | undefined;
	#pasted: Snippet | undefined;

	constructor(
		private readonly here: TestClient,
		server: ServerDefinition | undefined,
		/** The files of the workspace. */
		private readonly files: Readonly<Record<string, string>>,
	) {
		here.signIn = this.#signIn;
		this.#server = server && here.create(server);
		here.registry.onDidAsk((elicitation) => this.#told.push(elicitation.request.message, ...findingsIn(elicitation)));
		here.registry.onDidRefuse(({ reason }) => this.#told.push(words(reason)));
	}

	get #connection(): Connection {
		if (!this.#server) {
			throw new Error('The case has no server.');
		}
		return this.#server;
	}

	async start(): Promise<void> {
		this.#tell(this.#connection.start());
	}

	async call(kind: CallKind, name: string): Promise<void> {
		const connection = this.#connection;
		const calls = {
			tool: () => connection.callTool(name, {}),
			prompt: () => connection.getPrompt(name, {}),
			resource: () => connection.readResource(name),
		};
		this.#tell(calls[kind]());
	}

	async answer({ button, entries = {}, json }: Filling) {
		const elicitation = await this.#live(({ state, request }) => state === 'asking' && request.mode === 'form');
		if (button !== 'Accept') {
			button === 'Decline' ? elicitation.decline() : elicitation.cancel();
			return [];
		}
		const { request } = elicitation;
		const form = new Form(request.mode === 'form' ? request.requestedSchema : {}, bench);
		const { content, problems, unchecked } = await (json
			? form.reviewJson(JSON.stringify(json))
			: form.review(entered(form.fields, initialInputs(form.fields), typed(entries))));
		if (problems.length === 0 && content) {
			await this.here.registry.accept(elicitation, content);
		}
		this.#told.push(...(unchecked ? [words(unchecked)] : []));
		return problems.map(({ field, message }) => {
			const key = field === undefined ? undefined : form.fields[field]?.key;
			return key === undefined ? words(message) : `${key}: ${words(message)}`;
		});
	}

	async open(url: string): Promise<void> {
		const fits = ({ state, request }: Elicitation) =>
			state === 'asking' && request.mode === 'url' && request.url.includes(url);
		(await this.#live(fits)).opened();
	}

	async retry(): Promise<void> {
		(await this.#live(({ state }) => state === 'opened')).retried();
	}

	async signIn(): Promise<void> {
		while (!this.#signIn.agree()) {
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}

	async paste(text: string): Promise<string> {
		const found = recognize(text);
		const recognized = found && 'snippet' in found ? found : undefined;
		this.#pasted = recognized?.snippet;
		return words(recognized?.text ?? (found as Sentence));
	}

	async add(): Promise<unknown> {
		const { servers = [], inputs = [] } = this.#pasted ?? {};
		const [first, ...others] = servers.map(({ name = '', definition }) => ({ name, definition }));
		const text = first && textWithAddition('', SHAPES.mcpJson, { servers: [first, ...others], inputs });
		return text && JSON.parse(text as string);
	}

	async define(file: string, text: string) {
		const shape = file === '.mcp.json' ? SHAPES.shared : SHAPES.mcpJson;
		const check = (definition: ServerDefinition) =>
			commandProblems(definition, () => definition.type === 'stdio' && Object.hasOwn(this.files, definition.command));
		const context = { shape, outer: [], kept: false, check, note: () => undefined };
		const found = diagnosticsOf(text, context);
		const { servers } = readContentText(text, shape);
		const fix = found.find((each) => each.fix)?.fix?.();
		return {
			problems: found.map(({ message }) => words(message)),
			lists: servers.map(({ name }) => name),
			...(fix && { fixed: parseText(replaced(text, fix.edit)).value }),
		};
	}

	async said(): Promise<string> {
		const { here } = this;
		const states = here.registry.elicitations.flatMap(({ withdrawal }) => (withdrawal ? [words(withdrawal)] : []));
		return [...this.#told, ...states].join('\n');
	}

	#live(fits: (elicitation: Elicitation) => boolean): Promise<Elicitation> {
		return this.here.until(() => this.here.registry.live.find(fits));
	}

	#tell(promise: Promise<unknown>): void {
		promise.then(
			(result) =>
				this.#told.push(
					JSON.stringify(result ?? { state: this.#connection.state, tools: this.#connection.tools.length }),
				),
			(error: Error) => this.#told.push(error.message),
		);
	}
}

/** What a picker of dates or times writes. */
function typed(entries: Entries): Readonly<Record<string, Act>> {
	const text = (act: Entries[string]): Act =>
		!isObject(act as Json)
			? (act as Act)
			: (momentOf((act as { picks: string }).picks)?.texts[0] ??
				timeOf((act as { picks: string }).picks, new Date())?.text ??
				'');
	return Object.fromEntries(Object.entries(entries).map(([key, act]) => [key, text(act)]));
}

function findingsIn({ origin: { params, revision } }: Elicitation): string[] {
	return isObject(params) ? findingsOf(params, revision).map(({ message }) => words(message)) : [];
}

function setZone(zone: string | undefined): void {
	if (zone === undefined) {
		delete process.env['TZ'];
	} else {
		process.env['TZ'] = zone;
	}
}

/** Changes what a quick fix changes. */
function replaced(text: string, { span: { start, end }, text: replacement }: Replacement): string {
	const lines = text.split('\n');
	const at = ({ line, character }: typeof start) =>
		lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character;
	return text.slice(0, at(start)) + replacement + text.slice(at(end));
}

const ajv = new Ajv2020({ allowUnionTypes: true });
const isCase = ajv.compile(JSON.parse(readFileSync('test/field/case.schema.json', 'utf8')));

/** Tries a case with real connections. */
async function tryCase(file: string, fieldCase: FieldCase): Promise<TestClient> {
	const here = world();
	here.timeout = fieldCase.callTimeout ?? 60;
	const stage = await Stage.open(fieldCase);
	onTestFinished(() => stage.close());
	const server = stage.rawServer && define(file, stage.definition);
	await runCase(fieldCase, stage, new Headless(here, server, fieldCase.files ?? {}));
	return here;
}

it('all cases are as their schema says', () => {
	expect(fieldCases.filter(([, each]) => !isCase(each)).map(([file]) => file)).toEqual([]);
});

it.each(['standalone-stream-confirm', 'no-completion-notice', 'url-accept-at-consent', 'decline-without-content'])(
	'the call of %s, exported from the timeline, is a case that passes',
	async (file) => {
		const { trace, registry } = await tryCase(file, new Map(fieldCases).get(file) as FieldCase);
		const text = fieldCase(trace.entries, registry.calls[0] as Call, new Redactor(trace));
		const exported = JSON.parse(text);
		expect(isCase(exported), ajv.errorsText(isCase.errors)).toBe(true);
		await tryCase(file, exported);
	},
);

describe.each(fieldCases)('%s', (file, each) => {
	it(each.name, async () => {
		const zone = process.env['TZ'];
		setZone(each.zone ?? zone);
		onTestFinished(() => setZone(zone));
		await tryCase(file, each);
	});
});

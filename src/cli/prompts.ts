import type { Key } from 'node:readline';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { visible, visibleOnOneLine } from '../elicitation/display.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { findingsOf } from '../elicitation/findings/findings.ts';
import { fieldLabel, fieldSummary } from '../elicitation/form/constraint.ts';
import type { Field } from '../elicitation/form/fields.ts';
import { Form, wholeOf } from '../elicitation/form/form.ts';
import { blank, type Input, initialInputs, isActive } from '../elicitation/form/inputs.ts';
import { readEntries, writeEntries } from '../elicitation/form/literals.ts';
import { isObject, keyOf } from '../elicitation/json.ts';
import { writeJson } from '../elicitation/jsonText.ts';
import type { Registry } from '../elicitation/registry.ts';
import type { FormRequest, UrlRequest } from '../elicitation/request.ts';
import { english, render, type Sentence } from '../elicitation/sentence.ts';
import { inspectUrl } from '../elicitation/url/urlSafety.ts';
import type { Person } from './command.ts';
import { messageOf } from './errors.ts';

/** Has a person at a terminal respond to requests, one after the other. */
export class Prompts {
	readonly #lines: Interface;
	/** True while a secret is entered: nothing is echoed. */
	#muted = false;
	#closed = false;
	#asking = false;
	#turn: Promise<unknown> = Promise.resolve();

	/**
	 * @param tell writes a line
	 * @param interrupt called for Ctrl+C while nothing is asked
	 */
	constructor(
		private readonly person: Person,
		private readonly registry: Registry,
		private readonly tell: (text: string) => void,
		interrupt: () => void,
	) {
		const { input, output } = person;
		const echo = new Writable({
			write: (chunk, _encoding, done) => {
				if (!this.#muted) {
					output.write(chunk);
				}
				done();
			},
		});
		// Whoever is asked again can cancel everything, so nothing is held back.
		registry.onDidAdd((elicitation) => elicitation.release());
		// A history would offer secrets that were entered, at any later question.
		this.#lines = createInterface({ input, output: echo, terminal: true, historySize: 0 });
		// Ctrl+C and Ctrl+D at a question cancel everything that is still requested.
		this.#lines.on('SIGINT', () => (this.#asking ? this.#lines.close() : interrupt()));
		this.#lines.on('close', () => {
			this.#closed = true;
		});
	}

	/** Asks the person, who may be busy with an earlier request. */
	ask(elicitation: Elicitation): void {
		this.#turn = this.#turn.then(() =>
			this.#respond(elicitation).catch((error) => {
				this.tell(messageOf(error));
				elicitation.cancel();
			}),
		);
	}

	dispose(): void {
		this.#lines.close();
	}

	async #respond(elicitation: Elicitation): Promise<void> {
		const over = new AbortController();
		void elicitation.ended.then(() => over.abort());
		const { request, origin } = elicitation;
		if (elicitation.undecided) {
			const whole = request.mode === 'form' ? wholeOf(request.message, request.requestedSchema) : [request.message];
			this.tell(`\n${origin.server} requests input:\n${whole.join('\n')}`);
			await (request.mode === 'url'
				? this.#url(elicitation, request, over.signal)
				: request.mode === 'form'
					? this.#form(elicitation, request, over.signal)
					: undefined);
		}
		// Whatever has no response by now was left by closing the prompt.
		elicitation.cancel();
	}

	async #url(elicitation: Elicitation, { url }: UrlRequest, signal: AbortSignal): Promise<void> {
		const { href, host, alarms, warnings, notes } = inspectUrl(url, { insecure: 'loopback' });
		this.tell(`URL: ${href}\nHost: ${host}`);
		for (const remark of [...alarms, ...warnings, ...notes]) {
			this.tell(`! ${render(remark, english)}`);
		}
		const consent = await this.#line('Do you consent to this URL? It is not opened for you. [y/N] ', signal);
		if (consent === undefined) {
			return;
		}
		if (!/^y(es)?$/i.test(consent.trim())) {
			elicitation.decline();
			return;
		}
		elicitation.opened();
		if ((await this.#line('Open it in a browser, and press Enter when you are done. ', signal)) === undefined) {
			elicitation.giveUp();
		}
		elicitation.retried();
	}

	async #form(elicitation: Elicitation, request: FormRequest, signal: AbortSignal): Promise<void> {
		for (const warning of messageWarnings(elicitation)) {
			this.tell(`! ${render(warning, english)}`);
		}
		const form = new Form(request.requestedSchema, this.registry.validator);
		const initial = initialInputs(form.fields);
		const inputs = [...initial];
		const all = [...form.fields.keys()];
		let wrong: readonly number[] = [];
		for (let asked: readonly number[] = all; ; ) {
			for (const index of asked) {
				const field = form.fields[index] as Field;
				if (!isActive(field, inputs)) {
					continue;
				}
				// What is wrong, even a default, is not worth keeping, and a field that may be left blank can be.
				const other = inputs[index] === initial[index] ? blank(field) : initial[index];
				const before = wrong.includes(index) ? other : inputs[index];
				const input = await this.#field(field, before as Input, signal);
				if (input === undefined) {
					return;
				}
				inputs[index] = input;
			}
			const { content, problems, notes = [], sent = [], unchecked } = await form.review(inputs);
			for (const { field, message } of [...problems, ...notes]) {
				const label = field === undefined ? '' : `${labelOf(form.fields[field] as Field)}: `;
				this.tell(`! ${label}${render(message, english)}`);
			}
			for (const { field, text } of sent) {
				this.tell(`${labelOf(form.fields[field] as Field)}: sent as ${text}`);
			}
			if (unchecked) {
				this.tell(`! ${render(unchecked, english)}`);
			}
			const offer =
				problems.length > 0
					? 'Correct it (Enter), decline, or cancel? [d/c] '
					: 'Accept, edit, decline, or cancel? [a/e/d/c] ';
			const action = (await this.#line(offer, signal))?.trim().toLowerCase();
			if (action === undefined || action === 'c') {
				return;
			}
			if (action === 'd') {
				elicitation.decline();
				return;
			}
			if (action === 'a' && problems.length === 0) {
				elicitation.accept(content);
				return;
			}
			wrong = problems.flatMap(({ field }) => field ?? []);
			asked = problems.length === 0 ? (action === 'e' ? all : []) : wrong.length > 0 ? wrong : all;
		}
	}

	/** What was entered for a field; undefined if the prompt was closed or the request has ended. */
	async #field(field: Field, before: Input, signal: AbortSignal): Promise<Input | undefined> {
		if (field.kind === 'const') {
			this.tell(`${labelOf(field)}: ${writeJson(field.value)}`);
			return before;
		}
		const summary = fieldSummary(field, english);
		if (summary !== '') {
			this.tell(summary);
		}
		for (const [index, { label, description }] of ('options' in field ? field.options : []).entries()) {
			this.tell(visibleOnOneLine(`  ${index + 1}. ${label}${description ? ` — ${description}` : ''}`));
		}
		const secret = field.secret === true || (field.kind === 'text' && field.entry === 'password');
		// A key, because whatever can be typed may be a value.
		let left = false;
		const leave = (_text: unknown, { ctrl, name }: Key) => {
			if (ctrl && name === 'x' && !field.required) {
				left = true;
				this.#lines.write('\n');
			}
		};
		this.person.input.on('keypress', leave);
		try {
			for (;;) {
				const text = await this.#line(`${labelOf(field)} (${hintOf(field, secret, before)}): `, signal, secret);
				if (text === undefined) {
					return undefined;
				}
				const input = left ? blank(field) : text === '' ? before : inputFrom(field, text);
				if (input) {
					return input;
				}
				this.tell('! That is none of the possible values.');
			}
		} finally {
			this.person.input.off('keypress', leave);
		}
	}

	/** Reads a line; undefined if the prompt was closed or the request has ended. */
	async #line(question: string, signal: AbortSignal, secret = false): Promise<string | undefined> {
		if (this.#closed || signal.aborted) {
			return undefined;
		}
		const closed = new AbortController();
		const close = () => closed.abort();
		this.#lines.once('close', close);
		try {
			const line = this.#lines.question(visible(question), { signal: AbortSignal.any([signal, closed.signal]) });
			this.#muted = secret;
			this.#asking = true;
			return await line;
		} catch (error) {
			if (closed.signal.aborted || signal.aborted) {
				return undefined;
			}
			throw error;
		} finally {
			this.#muted = false;
			this.#asking = false;
			this.#lines.off('close', close);
			if (secret) {
				this.tell('');
			}
		}
	}
}

/** That the message asks for a secret (F16). A field that does so has its warning at the field. */
function messageWarnings({ origin: { params, revision } }: Elicitation): Sentence[] {
	const findings = isObject(params) ? findingsOf(params, revision) : [];
	return findings
		.filter(({ rule, pointer }) => rule === 'sensitive' && pointer === '/message')
		.map(({ message }) => message);
}

function labelOf(field: Field): string {
	return visibleOnOneLine(fieldLabel(field, english));
}

/** What can be entered, whether it has to be, and what is used otherwise. */
function hintOf(field: Field, secret: boolean, before: Input): string {
	const kind = {
		text: field.kind === 'text' ? field.entry : '',
		number: field.kind === 'number' && field.integer ? 'integer' : 'number',
		boolean: 'y or n',
		choice: 'a number of the list',
		choices: 'numbers of the list, separated by commas',
		list: 'values, separated by commas',
		json: 'JSON',
		const: '',
	}[field.kind].replace(/^(line|area)$/, 'text');
	const kept = keptText(field, secret, before);
	return [
		...[kind, field.required ? 'required' : 'optional'],
		...(kept === undefined ? [] : [`Enter for ${kept}`, ...(field.required ? [] : ['Ctrl+X for no value'])]),
	].join(', ');
}

/** What is used if nothing is entered; undefined if the field is left blank then. */
function keptText(field: Field, secret: boolean, before: Input): string | undefined {
	if (keyOf(before) === keyOf(blank(field))) {
		return undefined;
	}
	if (secret) {
		return 'the hidden value';
	}
	switch (before.kind) {
		case 'text':
			return field.kind === 'text' ? JSON.stringify(before.text) : before.text?.replace(/\s+/g, ' ');
		case 'boolean':
			return before.value ? 'y' : 'n';
		case 'choice':
			return String((before.index ?? 0) + 1);
		case 'choices':
			return before.indexes?.map((index) => index + 1).join(', ') || 'none';
		case 'list':
			return writeEntries(before.items ?? []) || 'none';
		default:
			return undefined;
	}
}

/** Undefined if the text is none of the possible values. */
function inputFrom(field: Field, text: string): Input | undefined {
	switch (field.kind) {
		case 'boolean':
			return /^(y(es)?|true|n(o)?|false)$/i.test(text.trim())
				? { kind: 'boolean', value: /^[yt]/i.test(text.trim()) }
				: undefined;
		case 'choice': {
			const index = indexIn(field.options, text.trim());
			return index === undefined ? undefined : { kind: 'choice', index };
		}
		case 'choices': {
			const indexes = readEntries(text).map((item) => indexIn(field.options, item));
			return indexes.includes(undefined) ? undefined : { kind: 'choices', indexes: indexes as number[] };
		}
		case 'list':
			return { kind: 'list', items: readEntries(text) };
		case 'text':
		case 'number':
		case 'json':
		case 'const':
			return { kind: 'text', text };
	}
}

/** The option that a number, or its label, names. */
function indexIn(options: readonly { readonly label: string }[], text: string): number | undefined {
	const listed = /^\d+$/.test(text) ? Number(text) - 1 : -1;
	const index = listed in options ? listed : options.findIndex(({ label }) => label === text);
	return index in options ? index : undefined;
}

import { MASK, type NativeText, native, shorten, visible, withIcon } from '../../../elicitation/display.ts';
import { fieldLabel, fieldSummary } from '../../../elicitation/form/constraint.ts';
import { type Field, isOptional } from '../../../elicitation/form/fields.ts';
import { type Review, wholeOf } from '../../../elicitation/form/form.ts';
import { blank, type Input, isActive, isBlank, type Problem } from '../../../elicitation/form/inputs.ts';
import { Masks } from '../../../elicitation/form/masks.ts';
import { writeJson } from '../../../elicitation/jsonText.ts';
import { localizable, render, type Sentence, type Translate } from '../../../elicitation/sentence.ts';
import type { Draft, FormOutcome } from './draft.ts';
import { entered, inputSummary, isCutOff, joined, markOf, messageRows, onOneLine, onOneTitle } from './pickerText.ts';

/** Texts about the request. All server text. */
export interface PickerTexts {
	readonly server: string;
	/** The calls that may have caused the request. */
	readonly calls: readonly { readonly name: string }[];
	readonly message: string;
	/** Warnings shown in the review step; translated. */
	readonly warnings: readonly string[];
	/** Why the request cannot be accepted. */
	readonly blocked?: string;
}

/**
 * Outcome of a sequence. `form`: the user switches to the panel. `suspended`: another picker replaced this one; the
 * draft knows the step to resume at.
 */
export type PickerOutcome = FormOutcome | { readonly action: 'form' | 'suspended' };

/** A button in the title bar. VS Code has its own for Back. */
export type PickerButton =
	| { readonly kind: 'back' }
	| { readonly kind: 'skip' | 'form' | 'decline' | 'show' | 'hide'; readonly tooltip: NativeText };

/** A row of a list, as VS Code takes it. Choosing one without a choice does nothing. */
export interface PickerItem {
	readonly label: NativeText;
	readonly description?: NativeText;
	readonly detail?: NativeText;
	/** True if typing does not filter it out. */
	readonly alwaysShow?: true;
	/** `QuickPickItemKind.Separator` */
	readonly kind?: -1;
	readonly choice?: Choice;
}

type Choice =
	| { readonly kind: 'input'; readonly input: Input }
	| { readonly kind: 'edit'; readonly step: number }
	| { readonly kind: 'keep' }
	| { readonly kind: 'outcome'; readonly outcome: PickerOutcome };

/** One picker of the sequence, as it is shown. */
export type Picker = {
	readonly title: NativeText;
	readonly placeholder: NativeText;
	/** The prompt of a text, or the placeholder of a list, while an error says what is demanded. */
	readonly besideError?: NativeText;
	readonly buttons: readonly PickerButton[];
} & (
	| { readonly kind: 'text'; readonly prompt: NativeText; readonly value: string; readonly password: boolean }
	/** `active`: the row that Enter chooses. */
	| { readonly kind: 'one'; readonly items: readonly PickerItem[]; readonly active: PickerItem | undefined }
	/** The prompt is a line of its own, because each row has a checkbox. */
	| {
			readonly kind: 'many';
			readonly prompt: NativeText;
			readonly items: readonly PickerItem[];
			readonly selected: readonly PickerItem[];
	  }
);

/** What stands in a picker: the text of its box, or its selected rows. */
export type Entry = string | readonly PickerItem[];

interface Step {
	readonly field: Field;
	/** Index of the field in the form. */
	readonly index: number;
}

const NOTHING = native('');
const BACK: PickerButton = { kind: 'back' };
const SEPARATOR: PickerItem = { label: NOTHING, kind: -1 };

/**
 * A form as a sequence of pickers: one step per field, with Back and Skip, and a last step that reviews the response
 * before it is sent. Knows what is shown and what the user's actions do; showing it is up to `runPickers`.
 */
export class PickerSequence {
	#current: Picker | undefined;
	#outcome: PickerOutcome | undefined;
	/** The user pressed Escape and has to confirm it. */
	#discarding = false;
	/** The user came from the review to change one field, and goes back there. */
	#editing = false;
	/** The review shows secrets. */
	#showsSecrets = false;
	constructor(
		private readonly draft: Draft,
		private readonly texts: PickerTexts,
		private readonly translate: Translate,
	) {}

	/** A step for each field that can be changed. None if the request cannot be accepted; the review shows why. */
	get #steps(): readonly Step[] {
		const { form, inputs } = this.draft;
		const steps = form.fields.map((field, index) => ({ field, index }));
		return this.texts.blocked === undefined
			? steps.filter(({ field }) => field.kind !== 'const' && isActive(field, inputs))
			: [];
	}

	/** The picker that waits for the user. None after an action that ends it. */
	get current(): Picker | undefined {
		return this.#current;
	}

	/** Set once the sequence has ended. */
	get outcome(): PickerOutcome | undefined {
		return this.#outcome;
	}

	/** The next picker to show. */
	async next(): Promise<Picker> {
		const step = this.#step;
		const picker = this.#discarding ? this.#confirmation() : step ? this.#ask(step) : await this.#review();
		this.#current = picker;
		return picker;
	}

	/** Enter, or a click on a row. Resolves to the problem to show, if the entry is invalid. */
	async accept(entry: Entry): Promise<NativeText | undefined> {
		const picker = this.#current;
		const step = this.#step;
		if (this.#discarding || !step) {
			this.#choose(choiceOf(entry));
			return undefined;
		}
		const input = this.#read(entry);
		const problem = input && (await this.#problem(input, step));
		// The picker may have closed meanwhile.
		if (input && problem === undefined && this.#current === picker) {
			this.#choose({ kind: 'input', input });
		}
		return problem;
	}

	/** What is wrong with an entry while the user types. */
	async problem(entry: Entry): Promise<NativeText | undefined> {
		const input = this.#read(entry);
		return input && this.#step && this.#problem(input, this.#step);
	}

	press(button: PickerButton['kind'], entry: Entry): void {
		switch (button) {
			case 'skip':
				this.#choose(this.#step && { kind: 'input', input: blank(this.#step.field) });
				return;
			case 'form':
			case 'decline':
				this.#leave(entry, { action: button });
				return;
			case 'back':
				this.#keep(entry);
				this.#goTo(this.draft.step - 1);
				return;
			default:
				this.#showsSecrets = button === 'show';
				this.#current = undefined;
		}
	}

	/** Cancels, after a confirmation if something was entered (F14). */
	escape(entry: Entry): void {
		this.#keep(entry);
		this.#current = undefined;
		if (this.#discarding) {
			this.#discarding = false;
		} else if (this.draft.touched) {
			this.#discarding = true;
		} else {
			this.#outcome = { action: 'cancel' };
		}
	}

	/** Something other than the user closed the picker. */
	suspend(entry: Entry): void {
		this.#leave(entry, { action: 'suspended' });
	}

	get #step(): Step | undefined {
		return this.#steps[this.draft.step];
	}

	#leave(entry: Entry, outcome: PickerOutcome): void {
		this.#keep(entry);
		this.#current = undefined;
		this.#outcome = outcome;
	}

	/** Keeps what was entered in a picker that is left without Enter. */
	#keep(entry: Entry): void {
		const input = this.#discarding ? undefined : this.#read(entry);
		// Only Enter makes an empty list of a selection that nobody has touched.
		const untouched = input?.kind === 'choices' && input.indexes?.length === 0 && isBlank(this.#input);
		if (input && !untouched) {
			this.#enter(input);
		}
	}

	#enter(input: Input): void {
		if (this.#step) {
			this.draft.enter(this.draft.inputs.with(this.#step.index, input));
		}
	}

	#choose(choice: Choice | undefined): void {
		switch (choice?.kind) {
			case undefined:
				return;
			case 'input':
				this.#enter(choice.input);
				this.#goTo(this.draft.step + 1);
				return;
			case 'edit':
				this.#goTo(choice.step);
				this.#editing = true;
				return;
			case 'keep':
				this.#discarding = false;
				break;
			case 'outcome':
				this.#outcome = choice.outcome;
		}
		this.#current = undefined;
	}

	#goTo(step: number): void {
		this.draft.step = this.#editing ? this.#steps.length : Math.max(0, step);
		this.#editing = false;
		this.#current = undefined;
	}

	/** The input that an entry stands for; the present one if the user has not changed it. */
	#read(entry: Entry): Input | undefined {
		const picker = this.#current;
		const field = this.#step?.field;
		if (typeof entry === 'string') {
			const changed = field && picker?.kind === 'text' && entry !== picker.value;
			return changed ? entered(field, this.#input, entry) : this.#input;
		}
		if (picker?.kind !== 'many') {
			const choice = choiceOf(entry);
			return choice?.kind === 'input' ? choice.input : undefined;
		}
		const present = this.#input;
		const indexes = picker.items.flatMap((item, index) => (entry.includes(item) ? [index] : []));
		const same = indexes.length === picker.selected.length && entry.every((item) => picker.selected.includes(item));
		if (same && present.kind === 'choices' && present.indexes !== null) {
			return present;
		}
		// No selection counts as no input, unless an empty list is the only way to fill in the field.
		const none = indexes.length === 0 && (!field || isOptional(field));
		return { kind: 'choices', indexes: none ? null : indexes };
	}

	get #input(): Input {
		return this.draft.inputs[this.#step?.index ?? -1] ?? { kind: 'const' };
	}

	async #problem(input: Input, { index }: Step): Promise<NativeText | undefined> {
		const { problems } = await this.draft.review(this.draft.inputs.with(index, input));
		const problem = problems.find(({ field }) => field === index);
		return problem && this.#say(problem.message);
	}

	#ask({ field }: Step): Picker {
		const label = this.#nameOf(field);
		const name = native(label, 500);
		const title = native(`${this.#title(label)}${markOf(field)} (${this.draft.step + 1}/${this.#steps.length + 1})`);
		// The title may have had to shorten the name.
		const whole = [...this.#whole(), ...(title.includes(name) ? [] : [name])];
		const hint = native(fieldSummary(field, this.translate), 500);
		const hintBesideError = native(fieldSummary(field, this.translate, []), 500);
		const aboveList = isCutOff(hint) ? [...whole, hint] : whole;
		const base = { title, placeholder: joined([hint]), besideError: joined([hintBesideError]) };
		switch (field.kind) {
			case 'boolean':
			case 'choice':
				return { ...base, buttons: this.#buttons(), ...this.#options(field, aboveList) };
			case 'choices': {
				const items = field.options.map(optionItem);
				const chosen = this.#input.kind === 'choices' ? (this.#input.indexes ?? []) : [];
				const selected = items.filter((_, index) => chosen.includes(index));
				return { ...base, buttons: this.#buttons(), kind: 'many', prompt: joined(aboveList), items, selected };
			}
			default: {
				const commas = field.kind === 'list' ? [this.#say(localizable('Separate the entries with commas.'))] : [];
				const skip = { kind: 'skip', tooltip: this.#skipText(field) } as const;
				const prompt = (said: NativeText) => joined([...whole, said, ...commas]);
				return {
					...base,
					// The prompt says it.
					placeholder: NOTHING,
					buttons: this.#buttons(...(isOptional(field) ? [skip] : [])),
					kind: 'text',
					prompt: prompt(hint),
					besideError: prompt(hintBesideError),
					value: onOneLine(field, this.#input),
					password: field.secret === true,
				};
			}
		}
	}

	#buttons(...more: readonly PickerButton[]): PickerButton[] {
		return [
			...(this.draft.step > 0 || this.#editing ? [BACK] : []),
			...more,
			{ kind: 'form', tooltip: this.#say(localizable('Open as Form')) },
			{ kind: 'decline', tooltip: this.#say(localizable('Decline')) },
		];
	}

	/** The server, the call if it is known, and what follows. */
	#title(...rest: readonly string[]): string {
		const { server, calls } = this.texts;
		return onOneTitle([server, ...(calls.length === 1 ? calls.map(({ name }) => name) : []), ...rest].map(visible));
	}

	#whole(): readonly NativeText[] {
		return wholeOf(this.texts.message, this.draft.form.schema).map((text) => native(text));
	}

	#nameOf(field: Field): string {
		return fieldLabel(field, this.translate) || this.#say(localizable('(no name)'));
	}

	#options(field: Field, whole: readonly NativeText[]) {
		const options: PickerItem[] =
			field.kind === 'choice'
				? field.options.map((option, index) => ({
						...optionItem(option),
						choice: { kind: 'input', input: { kind: 'choice', index } },
					}))
				: [true, false].map((value) => ({
						label: this.#say(value ? localizable('Yes') : localizable('No')),
						choice: { kind: 'input', input: { kind: 'boolean', value } },
					}));
		const none: PickerItem = {
			label: this.#skipText(field),
			choice: {
				kind: 'input',
				input: field.kind === 'choice' ? { kind: 'choice', index: null } : { kind: 'boolean', value: null },
			},
		};
		const current = options[this.#optionIndex()];
		const rows = whole.flatMap(rowsOf);
		return {
			kind: 'one',
			items: [...rows, SEPARATOR, ...options, ...(isOptional(field) ? [SEPARATOR, none] : [])],
			// Without a default, the active item is part of the message, so that Enter does nothing.
			active: current ?? rows.at(-1),
		} as const;
	}

	#optionIndex(): number {
		const input = this.#input;
		return input.kind === 'choice'
			? (input.index ?? -1)
			: input.kind === 'boolean' && input.value !== null
				? Number(!input.value)
				: -1;
	}

	/** Label for leaving a field without input. */
	#skipText(field: Field): NativeText {
		return this.#say(field.required ? localizable('Empty (null)') : localizable('Skip (leave out)'));
	}

	/** The last step: the response field by field, as exact JSON, and the three actions. */
	async #review(): Promise<Picker> {
		const current = await this.draft.review();
		const message = this.#whole().flatMap(rowsOf);
		return {
			kind: 'one',
			title: this.#say(localizable('{0} · Review', this.#title())),
			placeholder: this.#reviewHint(),
			buttons: this.#buttons(...this.#reveal()),
			items: [...message, SEPARATOR, ...this.#reviewItems(current), SEPARATOR, ...this.#endings()],
			// Enter does nothing until the user picks an action.
			active: message.at(-1),
		};
	}

	#reviewHint(): NativeText {
		if (this.texts.blocked !== undefined) {
			return NOTHING;
		}
		return this.#say(
			this.#steps.length > 0
				? localizable('This is what will be sent. Accept it, or choose a line to change it.')
				: localizable('There is nothing to enter. Accept or decline.'),
		);
	}

	/** The button that shows or hides the secrets of the review. */
	#reveal(): PickerButton[] {
		const kind = this.#showsSecrets ? 'hide' : 'show';
		const tooltip = this.#say(this.#showsSecrets ? localizable('Hide Secrets') : localizable('Show Secrets'));
		return this.#steps.some(({ field }) => field.secret) ? [{ kind, tooltip }] : [];
	}

	#reviewItems({ content, problems, notes = [], unchecked }: Review): PickerItem[] {
		const { blocked, warnings } = this.texts;
		const items: PickerItem[] = warnings.map((warning) => ({
			label: withIcon('warning'),
			description: native(warning),
		}));
		if (problems.length === 0 && blocked === undefined) {
			items.push({
				label: withIcon('check', this.#say(localizable('Accept'))),
				description: native(
					writeJson(this.#showsSecrets ? content : new Masks(this.draft.form.schema).without(content, MASK)),
				),
				...(unchecked && { detail: this.#say(unchecked) }),
				choice: { kind: 'outcome', outcome: { action: 'accept', content } },
			});
		} else if (blocked !== undefined) {
			items.push({ label: withIcon('error'), description: native(blocked) });
		}
		items.push(...this.#steps.map((step, at) => this.#fieldItem(step, at, problems, notes)));
		const others = problems.filter(({ field }) => field === undefined);
		items.push(...others.map((problem) => ({ label: withIcon('error'), description: this.#say(problem.message) })));
		return items;
	}

	#fieldItem(
		{ field, index }: Step,
		step: number,
		problems: readonly Problem[],
		notes: readonly Problem[],
	): PickerItem {
		const about = (said: readonly Problem[]) => said.find((candidate) => candidate.field === index);
		const problem = about(problems);
		const detail = problem ?? about(notes);
		return {
			label: withIcon(problem ? 'error' : 'edit', native(`${shorten(this.#nameOf(field), 80)}${markOf(field)}`)),
			description: native(inputSummary(field, this.draft.inputs[index], this.#showsSecrets, this.translate), 200),
			...(detail && { detail: this.#say(detail.message) }),
			choice: { kind: 'edit', step },
		};
	}

	#endings(): PickerItem[] {
		const ending = (
			icon: 'circle-slash' | 'close' | 'window',
			label: Sentence,
			outcome: PickerOutcome,
		): PickerItem => ({
			label: withIcon(icon, this.#say(label)),
			choice: { kind: 'outcome', outcome },
		});
		return [
			ending('circle-slash', localizable('Decline'), { action: 'decline' }),
			ending('close', localizable('Cancel'), { action: 'cancel' }),
			ending('window', localizable('Open as Form'), { action: 'form' }),
		];
	}

	#confirmation(): Picker {
		const keep: PickerItem = {
			label: withIcon('edit', this.#say(localizable('Keep Editing'))),
			choice: { kind: 'keep' },
		};
		const discard: PickerItem = {
			label: withIcon('trash', this.#say(localizable('Discard what you entered and cancel'))),
			choice: { kind: 'outcome', outcome: { action: 'cancel' } },
		};
		return {
			kind: 'one',
			title: native(this.texts.server, 120),
			placeholder: this.#say(localizable('Discard what you entered?')),
			buttons: [],
			items: [keep, discard],
			active: keep,
		};
	}

	#say(sentence: Sentence): NativeText {
		return native(render(sentence, this.translate));
	}
}

/** The message as rows that do nothing, complete and always visible (F04). */
function rowsOf(message: NativeText): PickerItem[] {
	return messageRows(message).map((label) => ({ label, alwaysShow: true }));
}

function choiceOf(entry: Entry): Choice | undefined {
	return typeof entry === 'string' ? undefined : entry[0]?.choice;
}

/** An option as an item of a picker. */
export function optionItem({
	label,
	description,
}: {
	label: string;
	description?: string;
}): Pick<PickerItem, 'label' | 'description'> {
	return { label: native(label, 200), ...(description && { description: native(description, 200) }) };
}

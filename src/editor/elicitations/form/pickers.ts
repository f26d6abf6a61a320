import * as vscode from 'vscode';
import { MASK, type NativeText, native, shorten, together, visible, withIcon } from '../../../elicitation/display.ts';
import { fieldLabel, fieldSummary } from '../../../elicitation/form/constraint.ts';
import {
	type BooleanField,
	type ChoiceField,
	type ChoicesField,
	type Field,
	isOptional,
} from '../../../elicitation/form/fields.ts';
import { type Review, wholeOf } from '../../../elicitation/form/form.ts';
import { blank, emptied, type Input, isActive, isBlank, type Problem } from '../../../elicitation/form/inputs.ts';
import { writeJson } from '../../../elicitation/jsonText.ts';
import { Masks } from '../../../privacy/masks.ts';
import type { FormModel } from '../../../protocol.ts';
import { showUntilAccepted } from '../../common/guardedPicker.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import {
	backButton,
	createInputBox,
	createQuickPick,
	hasPrompt,
	type NativeBox,
	type NativeButton,
	type NativeItem,
	type NativePick,
} from '../../common/surfaces.ts';
import type { Draft, FormOutcome } from './draft.ts';
import { entered, inputSummary, joined, markOf, onOneLine, onOneTitle, setTexts } from './pickerText.ts';

/** What pickers say about a request. All server text. */
export interface PickerTexts {
	readonly server: string;
	/** The calls that may have caused the request. */
	readonly calls: readonly { readonly name: string }[];
	readonly message: string;
	/** Of a preview, nothing is sent. */
	readonly purpose?: FormModel['purpose'];
}

/**
 * Outcome of a sequence. `form`: the user switches to the panel. `suspended`: another picker replaced this one; the
 * draft knows the step to resume at.
 */
export type PickerOutcome = FormOutcome | { readonly action: 'form' | 'suspended' };

/** What follows from what the user has done in a picker; resolves to the outcome if that ends the sequence. */
type Act = () => PickerOutcome | undefined | Promise<PickerOutcome | undefined>;

interface Item extends NativeItem {
	/** What it stands for, as the option of a field. */
	readonly input?: Input;
	readonly act?: Act;
}

/** A way to leave a picker, as a button and as an item. */
interface Way {
	readonly icon: 'window' | 'circle-slash' | 'close';
	readonly text: NativeText;
	readonly act: Act;
}

/** A field in a picker. */
interface Entry {
	readonly picker: NativeBox | NativePick<Item>;
	/** What is entered; undefined if nothing is. */
	read(): Input | undefined;
	/** Whether the user has entered or chosen something else than what was there. */
	isChanged(): boolean;
}

interface Step {
	readonly field: Field;
	/** Index of the field in the form. */
	readonly index: number;
}

const SEPARATOR: Item = { label: native(''), kind: vscode.QuickPickItemKind.Separator };

/**
 * Asks a form in pickers: one for each field, and a last one that shows the response before it is sent. The only field of a form needs no
 * other picker: what the user chooses there is sent. Aborting the signal closes the picker and resolves to suspended.
 */
export function runPickers(draft: Draft, texts: PickerTexts, signal: AbortSignal): Promise<PickerOutcome> {
	return new Pickers(draft, texts, signal).run();
}

/**
 * Lets the user choose among the options of a field, in a picker of the editor.
 * @param input what is chosen so far
 * @param signal closes the picker
 * @returns undefined if the user leaves it as it is
 */
export function chooseOptions(
	title: NativeText,
	field: ChoiceField | ChoicesField,
	input: Input,
	signal: AbortSignal,
): Promise<Input | undefined> {
	const { picker, read } = entryOf(field, input);
	picker.title = title;
	picker.buttons = isOptional(field) ? [blankButton(field)] : [];
	return showUntilAccepted<Input>(picker, { accepted: read, pressed: () => blank(field), signal });
}

class Pickers {
	/** The user came from the review to change one field, and goes back there. */
	#isEdit = false;
	/** The review shows secrets. */
	#showsSecrets = false;
	constructor(
		private readonly draft: Draft,
		private readonly texts: PickerTexts,
		private readonly signal: AbortSignal,
	) {}

	async run(): Promise<PickerOutcome> {
		for (;;) {
			const step = this.#steps[this.draft.step];
			const act = await (step ? this.#ask(step) : this.#review());
			const outcome = act ? await act() : ({ action: 'suspended' } as const);
			if (outcome) {
				return outcome;
			}
		}
	}

	/** A step for each field that can be changed. */
	get #steps(): readonly Step[] {
		const { form, inputs } = this.draft;
		const steps = form.fields.map((field, index) => ({ field, index }));
		return steps.filter(({ field }) => field.kind !== 'const' && isActive(field, inputs));
	}

	/** Whether the field that is asked is the whole response. */
	get #isOnly(): boolean {
		return this.draft.form.fields.length === 1 && Object.keys(this.draft.rest).length === 0;
	}

	get #isPreview(): boolean {
		return this.texts.purpose === 'preview';
	}

	#goTo(step: number): void {
		this.draft.step = this.#isEdit ? this.#steps.length : Math.max(0, step);
		this.#isEdit = false;
	}

	#enter(index: number, input: Input): void {
		this.draft.enter(this.draft.inputs.with(index, input));
	}

	async #ask(step: Step): Promise<Act | undefined> {
		const { field, index } = step;
		const before = this.draft.inputs[index] ?? { kind: 'const' };
		const entry = entryOf(field, before, this.#isOnly ? this.#endings() : []);
		const { picker } = entry;
		const tell = this.#describe(picker, step);
		if (!('items' in picker)) {
			this.#checkWhileTyping(picker, entry, index, tell);
		}
		const buttons = isOptional(field)
			? [[blankButton(field), () => this.#take(step, blank(field), true)] as const]
			: [];
		const act = await this.#show(picker, buttons, async () => {
			const input = entry.read();
			if (!input) {
				return 'items' in picker ? picker.selectedItems[0]?.act : undefined;
			}
			const isChanged = entry.isChanged();
			const problem = await this.#problem(index, input);
			tell(problem);
			return problem === undefined ? () => this.#take(step, input, isChanged) : undefined;
		});
		// What was entered is kept however the picker is left.
		if (entry.isChanged()) {
			this.#enter(index, entry.read() ?? before);
		}
		return act;
	}

	/** Enters an input and goes on, or sends it if it is all of the response and the user has chosen it. */
	async #take({ index }: Step, input: Input, isChosen: boolean): Promise<PickerOutcome | undefined> {
		this.#enter(index, input);
		if (isChosen && this.#isOnly) {
			const { content, problems, unchecked, notes } = await this.draft.review();
			if (problems.length === 0 && !unchecked && !notes) {
				return { action: 'accept', content };
			}
		}
		this.#goTo(this.draft.step + 1);
		return undefined;
	}

	async #problem(index: number, input: Input): Promise<NativeText | undefined> {
		const { problems } = await this.draft.review(this.draft.inputs.with(index, input));
		const problem = problems.find(({ field }) => field === index);
		return problem && nativeText(problem.message);
	}

	/** Validates while the user types. Results for older text are dropped. */
	#checkWhileTyping(box: NativeBox, { read }: Entry, index: number, tell: (problem?: NativeText) => void): void {
		let newest = 0;
		box.onDidChangeValue(async () => {
			const mine = ++newest;
			const input = read();
			// An empty required field is no problem before the user is done.
			const problem = input && box.value !== '' ? await this.#problem(index, input) : undefined;
			if (mine === newest) {
				tell(problem);
			}
		});
	}

	/** Says what is asked, and returns what says what is wrong with the entry. */
	#describe(picker: Entry['picker'], { field, index }: Step): (problem?: NativeText) => void {
		const label = fieldLabel(field, localize) || localize('(no name)');
		const name = native(label, 500);
		const steps = this.#isOnly ? '' : ` (${this.draft.step + 1}/${this.#steps.length + 1})`;
		const title = native(`${this.#title(label)}${markOf(field)}${steps}`);
		// The title may have had to shorten the name.
		const whole = [...this.#whole(), ...(title.includes(name) ? [] : [name])];
		const commas = field.kind === 'list' ? [localize('Separate the entries with commas.')] : [];
		const isSent = this.#isOnly && isBlank(this.draft.inputs[index]);
		const hint = isSent
			? this.#isPreview
				? localize('Enter checks it. Nothing is sent.')
				: localizeNative('Enter sends it to {0}.', this.texts.server)
			: native('');
		const prompt = joined([...whole, native(fieldSummary(field, localize), 500), ...commas]);
		// The problem says what the field demands.
		const besideProblem = joined([...whole, native(fieldSummary(field, localize, []), 500), ...commas]);
		picker.title = title;
		setTexts(picker, prompt, hint);
		return (problem) => {
			if (!('items' in picker)) {
				picker.validationMessage = problem && together([problem, besideProblem], ' — ');
			} else if (problem === undefined) {
				setTexts(picker, prompt, hint);
			} else if (hasPrompt()) {
				setTexts(picker, together([withIcon('error', problem), besideProblem], ' — '), hint);
			} else {
				picker.title = together([title, problem], ' — ');
			}
		};
	}

	/** The server, the call if it is known, and what follows. */
	#title(...rest: readonly string[]): string {
		const { server, calls } = this.texts;
		const whose = this.#isPreview ? localize('Preview of {0}', server) : server;
		return onOneTitle([whose, ...(calls.length === 1 ? calls.map(({ name }) => name) : []), ...rest].map(visible));
	}

	#whole(): readonly NativeText[] {
		return wholeOf(this.texts.message, this.draft.form.schema).map((text) => native(text));
	}

	/** Shows a picker until the user leaves it. Undefined if it closes otherwise. */
	#show(
		picker: Entry['picker'],
		more: readonly (readonly [NativeButton, Act])[],
		accepted: () => Act | undefined | Promise<Act | undefined>,
	): Promise<Act | undefined> {
		const back = [backButton(), () => void this.#goTo(this.draft.step - 1)] as const;
		const buttons = new Map<NativeButton, Act>([
			...(this.draft.step > 0 || this.#isEdit ? [back] : []),
			...more,
			...this.#ways().map(({ icon, text, act }) => [button(icon, text), act] as const),
		]);
		picker.ignoreFocusOut = true;
		picker.buttons = [...buttons.keys()];
		return showUntilAccepted<Act>(picker, {
			accepted,
			pressed: (pressed) => buttons.get(pressed),
			escaped: () => () => this.#cancel(),
			signal: this.signal,
		});
	}

	/** How every picker can be left without going on. */
	#ways(): readonly Way[] {
		return [
			{ icon: 'window', text: localize('Open as Form'), act: () => ({ action: 'form' }) },
			{ icon: 'circle-slash', text: localize('Decline'), act: () => ({ action: 'decline' }) },
			{ icon: 'close', text: localize('Cancel'), act: () => this.#cancel() },
		];
	}

	/** The same as the last entries of a list that sends the response. */
	#endings(): Item[] {
		return [SEPARATOR, ...this.#ways().map(({ icon, text, act }) => ({ label: withIcon(icon, text), act }))];
	}

	/** The last step: the exact response, and its fields. */
	async #review(): Promise<Act | undefined> {
		const { content, problems, notes = [], unchecked } = await this.draft.review();
		const shownContent = this.#showsSecrets ? content : new Masks(this.draft.form.schema).without(content, MASK);
		const accept: Item = {
			label: withIcon('check', this.#isPreview ? localize('Check Response') : localize('Accept')),
			description: native(writeJson(shownContent)),
			...(unchecked && { detail: nativeText(unchecked) }),
			act: () => ({ action: 'accept', content }),
		};
		const picker = createQuickPick<Item>();
		picker.title = localizeNative('{0} · Review', this.#title());
		const others = problems.filter(({ field }) => field === undefined);
		setTexts(
			picker,
			joined([...others.map(({ message }) => withIcon('error', nativeText(message))), ...this.#whole()]),
			this.#isPreview
				? localize('This is what would be sent. Check it, or choose a line to change it.')
				: this.#steps.length > 0
					? localize('This is what will be sent. Accept it, or choose a line to change it.')
					: localize('There is nothing to enter. Accept or decline.'),
		);
		picker.matchOnDescription = true;
		picker.items = [
			...(problems.length === 0 ? [accept] : []),
			...this.#steps.map((step, at) => this.#fieldItem(step, at, problems, notes)),
			...this.#endings(),
		];
		// Enter does nothing until the user picks an action.
		picker.activeItems = [];
		return this.#show(picker, this.#secretsButton(), () => picker.selectedItems[0]?.act);
	}

	/** The button that shows or hides the secrets of the review. */
	#secretsButton(): (readonly [NativeButton, Act])[] {
		const isShown = this.#showsSecrets;
		const shown = isShown ? button('eye-closed', localize('Hide Secrets')) : button('eye', localize('Show Secrets'));
		const act = () => {
			this.#showsSecrets = !isShown;
			return undefined;
		};
		return this.#steps.some(({ field }) => field.secret) ? [[shown, act]] : [];
	}

	#fieldItem(
		{ field, index }: Step,
		step: number,
		problems: readonly Problem[],
		notes: NonNullable<Review['notes']>,
	): Item {
		const about = (said: readonly Problem[]) => said.find((candidate) => candidate.field === index);
		const problem = about(problems);
		const detail = problem ?? about(notes);
		const name = fieldLabel(field, localize) || localize('(no name)');
		return {
			label: withIcon(problem ? 'error' : 'edit', native(`${shorten(name, 80)}${markOf(field)}`)),
			description: native(inputSummary(field, this.draft.inputs[index], this.#showsSecrets, localize), 200),
			...(detail && { detail: nativeText(detail.message) }),
			act: () => {
				this.#goTo(step);
				this.#isEdit = true;
				return undefined;
			},
		};
	}

	/** Cancels, after a confirmation if something was entered (F14). */
	async #cancel(): Promise<PickerOutcome | undefined> {
		if (!this.draft.touched) {
			return { action: 'cancel' };
		}
		const keep: Item = { label: withIcon('edit', localize('Keep Editing')), act: () => undefined };
		const discard: Item = {
			label: withIcon('trash', localize('Discard what you entered and cancel')),
			act: () => ({ action: 'cancel' }),
		};
		const picker = createQuickPick<Item>();
		picker.title = native(this.texts.server, 120);
		picker.placeholder = localize('Discard what you entered?');
		picker.ignoreFocusOut = true;
		picker.items = [keep, discard];
		const act = await showUntilAccepted<Act>(picker, {
			accepted: () => picker.selectedItems[0]?.act,
			escaped: () => () => undefined,
			signal: this.signal,
		});
		return act ? act() : { action: 'suspended' };
	}
}

function button(icon: string, tooltip: NativeText): NativeButton {
	return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

function blankButton(field: Field): NativeButton {
	return button('circle-large-outline', blankText(field));
}

/** What leaving a field blank is called. */
function blankText({ required }: Field): NativeText {
	return required ? localize('Empty (null)') : localize('Leave Blank');
}

/** @param more entries below the options, where there is one to be chosen */
function entryOf(field: Field, before: Input, more: readonly Item[] = []): Entry {
	switch (field.kind) {
		case 'boolean':
		case 'choice':
			return oneOf(field, before, more);
		case 'choices':
			return manyOf(field, before);
		default:
			return textOf(field, before);
	}
}

function textOf(field: Field, before: Input): Entry {
	const picker = createInputBox();
	const value = onOneLine(field, before);
	picker.value = value;
	picker.password = field.secret === true;
	const isChanged = () => picker.value !== value;
	return { picker, isChanged, read: () => (isChanged() ? entered(field, before, picker.value) : before) };
}

/** Nothing is active that the server has not proposed: Enter alone chooses nothing. */
function oneOf(field: BooleanField | ChoiceField, before: Input, more: readonly Item[]): Entry {
	const options: Item[] =
		field.kind === 'choice'
			? field.options.map((option, index) => ({ ...optionItem(option), input: { kind: 'choice', index } }))
			: [true, false].map((value) => ({
					label: value ? localize('Yes') : localize('No'),
					input: { kind: 'boolean', value },
				}));
	const at = before.kind === 'choice' ? before.index : before.kind === 'boolean' ? yesNoIndex(before.value) : null;
	const current = at === null ? undefined : options[at];
	const none = isOptional(field) ? [SEPARATOR, { label: blankText(field), input: blank(field) }] : [];
	const picker = createQuickPick<Item>();
	picker.matchOnDescription = true;
	picker.items = [...options, ...none, ...more];
	picker.activeItems = current ? [current] : [];
	const chosen = () => picker.selectedItems[0];
	return {
		picker,
		read: () => chosen()?.input,
		isChanged: () => chosen()?.input !== undefined && chosen() !== current,
	};
}

/** The index of a Boolean among *Yes* and *No*. */
function yesNoIndex(value: boolean | null): number | null {
	return value === null ? null : Number(!value);
}

/** No selection is what is left when the last is taken away, unless an empty list is what was there. */
function manyOf(field: ChoicesField, before: Input): Entry {
	const items = field.options.map(optionItem);
	const chosen = new Set(before.kind === 'choices' ? before.indexes : []);
	const picker = createQuickPick<Item>();
	picker.canSelectMany = true;
	picker.matchOnDescription = true;
	picker.items = items;
	picker.selectedItems = items.filter((_item, index) => chosen.has(index));
	const selected = () => {
		const isSelected = new Set(picker.selectedItems);
		return items.flatMap((item, index) => (isSelected.has(item) ? [index] : []));
	};
	const isChanged = () => selected().length !== chosen.size || selected().some((index) => !chosen.has(index));
	const read = (): Input => {
		const indexes = selected();
		const now: Input = indexes.length === 0 ? emptied(field) : { kind: 'choices', indexes };
		return !isChanged() && !isBlank(before) ? before : now;
	};
	return { picker, isChanged, read };
}

function optionItem({ label, description }: { label: string; description?: string }): NativeItem {
	return { label: native(label, 200), ...(description && { description: native(description, 200) }) };
}

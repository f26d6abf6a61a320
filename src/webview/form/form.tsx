import { render } from 'preact';
import type { FormModel, FromForm, ToForm } from '../../protocol.ts';
import { whenFocused } from '../common/focus.ts';
import { connect, type Host } from '../common/host.ts';
import { guardKeys, isComposing } from '../common/keys.ts';
import { Store } from '../common/store.ts';
import { drawPage } from '../common/text.tsx';
import { Commits } from '../controls/control.ts';
import { focusField } from './field.tsx';
import { FormPage } from './formPage.tsx';
import { firstState, reduce } from './reducer.ts';
import {
	type FocusTarget,
	type FormAction,
	type FormEffect,
	type FormState,
	isJsonActive,
	type SavedForm,
	savedFormOf,
} from './state.ts';

/** Milliseconds without a key before the host is asked: long enough to skip fast typing, short enough to seem immediate. */
const TYPING_PAUSE = 25;
/** Milliseconds without a key before JSON is said to be wrong. */
const JSON_PAUSE = 1000;

/** Starts the page of a form. */
export function startForm(root: HTMLElement): void {
	let form: Form | undefined;
	const appeared = guardKeys();
	document.addEventListener('keydown', (event) => form?.key(event));
	document.addEventListener('focusin', (event) => form?.focused(event));
	connect<ToForm, FromForm>((shown, host) => {
		const open = ({ model, instead }: Extract<ToForm, { type: 'show' }>) => {
			if (instead) {
				host.save(undefined);
			}
			render(null, root);
			form = new Form(root, model, host);
			appeared();
		};
		open(shown);
		return (message) => {
			if (message.type !== 'show') {
				form?.dispatch(message);
			} else if (message.instead) {
				open(message);
			}
		};
	});
}

/** One form: its store, and what its actions do besides changing the state. */
class Form {
	readonly #store: Store<FormState, FormAction, FormEffect>;
	/** What to call before the inputs are read for good. */
	readonly #commits = new Set<() => void>();
	readonly #timers = new Map<unknown, ReturnType<typeof setTimeout>>();
	#focusBefore: Element | null = null;
	/** The field that had the focus last. */
	#lastField: Element | null = null;

	constructor(
		private readonly root: HTMLElement,
		model: FormModel,
		private readonly host: Host<FromForm>,
	) {
		const dispatch = (action: FormAction) => this.dispatch(action);
		const toPickers = () => this.dispatch({ type: 'toPickers' });
		this.#store = new Store(
			firstState(model, host.saved() as SavedForm | undefined),
			reduce,
			({ state }) =>
				drawPage(
					root,
					host.t,
					<Commits.Provider value={this.#commits}>
						<FormPage state={state} dispatch={dispatch} toPickers={toPickers} />
					</Commits.Provider>,
				),
			(effect, store) => this.#perform(effect, store),
		);
	}

	dispatch(action: FormAction): void {
		if (action.type === 'submit' || action.type === 'toPickers') {
			for (const commit of this.#commits) {
				commit();
			}
		}
		this.#store.dispatch(action);
	}

	#perform(effect: FormEffect, { state, dispatch }: Store<FormState, FormAction, FormEffect>): void {
		switch (effect.type) {
			case 'send':
				this.host.send(effect.message);
				break;
			case 'save':
				this.host.save(savedFormOf(state));
				break;
			case 'awaitPause':
				this.#after(TYPING_PAUSE, 'pause', () => dispatch({ type: 'typingPaused' }));
				break;
			case 'awaitVisited': {
				const { field } = effect;
				this.#after(JSON_PAUSE, field, () =>
					dispatch(field === 'json' ? { type: 'jsonVisited' } : { type: 'visited', field }),
				);
				break;
			}
			case 'focus':
				this.#focus(effect.target, state);
				break;
			case 'refocus':
				whenFocused(() => {
					if (document.activeElement === document.body) {
						this.#focus(effect.field, state);
					}
				});
		}
	}

	#after(milliseconds: number, name: unknown, act: () => void): void {
		clearTimeout(this.#timers.get(name));
		this.#timers.set(name, setTimeout(act, milliseconds));
	}

	#focus(target: FocusTarget, state: FormState): void {
		const find = (selector: string) => this.root.querySelector<HTMLElement>(selector);
		const fields = find('.fields')?.children;
		switch (target) {
			case 'first': {
				const first = state.model.fields.findIndex(({ kind }) => kind !== 'const');
				whenFocused(() => {
					if (isJsonActive(state)) {
						find('#json-answer')?.focus();
					} else if (first >= 0) {
						focusField(fields?.[first]);
					} else {
						find('h1')?.focus();
					}
				});
				break;
			}
			case 'json':
				find('#json-answer')?.focus();
				break;
			case 'problems':
				find('.problems')?.focus();
				break;
			case 'blocked':
				find('#blocked')?.focus();
				break;
			case 'status':
				find('footer .status')?.focus();
				break;
			case 'keepEditing':
				this.#focusBefore = document.activeElement;
				find('#keep-editing')?.focus();
				break;
			case 'before':
				if (this.#focusBefore instanceof HTMLElement) {
					this.#focusBefore.focus();
				}
				break;
			case 'nextProblem': {
				if (isJsonActive(state)) {
					find('#json-answer')?.focus();
					break;
				}
				const at = fields && this.#lastField ? [...fields].indexOf(this.#lastField) : -1;
				const invalid = [...state.errors.keys()].filter((index) => state.errors[index] !== undefined);
				focusField(fields?.[invalid.find((index) => index > at) ?? invalid[0] ?? -1]);
				break;
			}
			default:
				focusField(fields?.[target]);
		}
	}

	focused({ target }: FocusEvent): void {
		this.#lastField = (target as Element).closest('.field') ?? this.#lastField;
	}

	/** Keys of the page as a whole; controls that need a key for themselves stop it before it gets here. */
	key(event: KeyboardEvent): void {
		const target = event.target as HTMLElement;
		const { isEngaged } = this.#store.state;
		if (isComposing(event) || event.defaultPrevented) {
			return;
		}
		if (event.key === 'Escape') {
			event.preventDefault();
			this.dispatch({ type: 'escape' });
		} else if (event.key === 'Enter') {
			// Enter opens the dialog of a control for files.
			const isLine = target instanceof HTMLInputElement && !['radio', 'checkbox', 'file'].includes(target.type);
			const isMeant = event.ctrlKey || event.metaKey;
			if (isMeant || isLine) {
				event.preventDefault();
			}
			if (isMeant || (isLine && isEngaged)) {
				this.dispatch({ type: 'submit' });
			}
		}
	}
}

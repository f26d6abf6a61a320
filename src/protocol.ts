import type { CallKind } from './elicitation/call.ts';
import type { Input } from './elicitation/form/answer.ts';
import type { Field } from './elicitation/form/fields.ts';
import { isObject } from './elicitation/json.ts';
import type { UrlParts } from './elicitation/url/urlParts.ts';

/**
 * What the extension host and a form's webview say to each other. Both directions carry the random id of the panel:
 * a message with another id is dropped. The host believes nothing that comes back; see `isFormMessage`.
 */

/** A call as it is shown: `name` is the name of the tool or the prompt, or the URI of the resource. */
export interface ShownCall {
	readonly kind: CallKind;
	readonly name: string;
	/** Who had it made, where that was somebody else's program; continues the line about it. */
	readonly via?: string;
}

/** Everything that the form shows. Server text is raw here; the webview shows it through `textContent` only. */
export interface FormModel {
	/**
	 * What the answer is for: an elicitation (Accept, Decline, Cancel), the arguments of a call (Call, Cancel), or nothing but to
	 * see what an elicitation looks like.
	 */
	readonly purpose: 'elicitation' | 'arguments' | 'preview';
	/** The server's configured name. */
	readonly server: string;
	/** What the server calls itself, where it differs. */
	readonly serverTitle?: string;
	/** The calls that may have caused the request; several when the protocol does not tell which. */
	readonly calls: readonly ShownCall[];
	/** When the request arrived, in milliseconds since the epoch. */
	readonly receivedAt: number;
	readonly message: string;
	/** Root `title` and `description` of the schema. */
	readonly title?: string;
	readonly description?: string;
	readonly fields: readonly Field[];
	readonly inputs: readonly Input[];
	/** What the user should know before accepting; translated. They stand above the buttons. */
	readonly warnings: readonly string[];
	/** Everything that strays from the specification, folded. */
	readonly findings: readonly ShownFinding[];
	/** Properties of the draft that no field shows. */
	readonly rest: readonly string[];
	/** True where the form can also be answered in pickers. */
	readonly pickers: boolean;
	/** Why the request cannot be accepted at all; Accept is disabled then. */
	readonly blocked?: string;
}

/** One finding about a request: where (a JSON pointer), which rule, what it means and what is done about it; these translated. */
export interface ShownFinding {
	readonly pointer: string;
	readonly rule: string;
	readonly severity: 'info' | 'warning';
	readonly text: string;
	readonly handling?: string;
}

/** One message under a field (`field` is its index) or under the form as a whole. Translated, plain text. */
export interface ShownProblem {
	readonly field?: number;
	readonly text: string;
}

export type ToForm =
	| {
			readonly type: 'show';
			readonly panel: string;
			readonly model: FormModel;
			readonly strings: Readonly<Record<string, string>>;
			/** It takes the place of the form that was shown before. */
			readonly instead?: true;
	  }
	/** The answer to the `change` or `submit` with the same `revision`; older ones are dropped by the webview. */
	| {
			readonly type: 'review';
			readonly panel: string;
			readonly revision: number;
			readonly problems: readonly ShownProblem[];
			/** The exact JSON that Accept would send, pretty-printed. */
			readonly json: string;
			readonly unchecked?: string;
			/** True after a refused submit: show every problem and move the focus to the first. */
			readonly refused: boolean;
	  }
	/** The answer to the `json` or `submitJson` with the same `revision`. */
	| {
			readonly type: 'jsonReview';
			readonly panel: string;
			readonly revision: number;
			readonly problems: readonly ShownProblem[];
			/** The text as a form, where it is a JSON object: what the form shows when the user goes back to it. */
			readonly inputs?: readonly Input[];
			/** Properties that no field of the form can show; they are kept and sent all the same. */
			readonly rest: readonly string[];
			readonly unchecked?: string;
			readonly refused: boolean;
	  }
	/** The form is over: disable everything and say why. `cancelled`: the server was told so; else it was told nothing. */
	| { readonly type: 'withdrawn'; readonly panel: string; readonly reason: string; readonly cancelled?: boolean };

export type FromForm =
	| { readonly type: 'ready'; readonly panel: string }
	| { readonly type: 'change'; readonly panel: string; readonly revision: number; readonly inputs: readonly Input[] }
	| { readonly type: 'submit'; readonly panel: string; readonly revision: number; readonly inputs: readonly Input[] }
	/** The answer as it is being edited as JSON. */
	| { readonly type: 'json'; readonly panel: string; readonly revision: number; readonly text: string }
	| { readonly type: 'submitJson'; readonly panel: string; readonly revision: number; readonly text: string }
	/** Go on in pickers, with what has been entered. */
	| { readonly type: 'pickers'; readonly panel: string; readonly inputs: readonly Input[] }
	| { readonly type: 'decline'; readonly panel: string }
	| { readonly type: 'cancel'; readonly panel: string };

/** True for a well-formed message from the webview of that panel. Every other message is dropped. */
export function isFormMessage(value: unknown, panel: string): value is FromForm {
	if (!isObject(value) || value.panel !== panel) {
		return false;
	}
	switch (value.type) {
		case 'ready':
		case 'decline':
		case 'cancel':
			return true;
		case 'change':
		case 'submit':
			return Number.isSafeInteger(value.revision) && Array.isArray(value.inputs) && value.inputs.every(isInput);
		case 'json':
		case 'submitJson':
			return Number.isSafeInteger(value.revision) && typeof value.text === 'string';
		case 'pickers':
			return Array.isArray(value.inputs) && value.inputs.every(isInput);
		default:
			return false;
	}
}

function isInput(value: unknown): value is Input {
	if (!isObject(value)) {
		return false;
	}
	switch (value.kind) {
		case 'text':
			return typeof value.text === 'string';
		case 'boolean':
			return value.value === null || typeof value.value === 'boolean';
		case 'choice':
			return value.index === null || isIndex(value.index);
		case 'choices':
			return value.indexes === null || (Array.isArray(value.indexes) && value.indexes.every(isIndex));
		case 'list':
			return (
				value.items === null || (Array.isArray(value.items) && value.items.every((item) => typeof item === 'string'))
			);
		case 'const':
			return true;
		default:
			return false;
	}
}

function isIndex(value: unknown): boolean {
	return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** What the panel of one URL shows. Server text is raw here as well. `panel` as above. */
export interface UrlModel {
	/** The server's configured name. */
	readonly server: string;
	/** What the server calls itself, where it differs. */
	readonly serverTitle?: string;
	/** What caused the request, and when it arrived; nobody knows of one that was refused at the door. */
	readonly asked?: Pick<FormModel, 'calls' | 'receivedAt'>;
	readonly message: string;
	readonly parts: UrlParts;
	/** As the server wrote it, where that is not what would be opened. */
	readonly raw?: string;
	/** What is suspicious about it; translated. */
	readonly warnings: readonly string[];
	/** What else is good to know; translated. */
	readonly notes: readonly string[];
	/** Why it was refused; translated. There is nothing to decide then. */
	readonly refused?: string;
	/** It was accepted in the user's place: only whether it is opened is left to decide. */
	readonly accepted?: boolean;
}

export type ToUrl =
	| {
			readonly type: 'show';
			readonly panel: string;
			readonly model: UrlModel;
			readonly strings: Readonly<Record<string, string>>;
	  }
	| { readonly type: 'copied'; readonly panel: string }
	/** The question is over: disable everything and say why, and what was not done. */
	| { readonly type: 'over'; readonly panel: string; readonly reason: string };

const urlMessages = ['ready', 'open', 'copy', 'decline', 'cancel'] as const;

/** Nothing but what the user pressed: the host knows the URL, and never takes one from a page. */
export type FromUrl = { readonly type: (typeof urlMessages)[number]; readonly panel: string };

export function isUrlMessage(value: unknown, panel: string): value is FromUrl {
	return isObject(value) && value.panel === panel && urlMessages.some((type) => type === value.type);
}

/** One thing that consent to a start is given to. Everything is translated, and nothing in `text` is unseen. */
export interface ShownStartRow {
	readonly label?: string;
	readonly text: string;
	readonly notes: readonly string[];
}

export interface ShownStartSection {
	readonly title?: string;
	/** It is a warning. */
	readonly alarm: boolean;
	readonly rows: readonly ShownStartRow[];
}

/** What the page shows that asks for consent to start a server. `panel` as above. */
export interface StartModel {
	/** The server's configured name. */
	readonly server: string;
	/** Why it is asked, and where the server is defined; translated. */
	readonly reason: string;
	readonly place: string;
	readonly sections: readonly ShownStartSection[];
}

export type ToStart = {
	readonly type: 'show';
	readonly panel: string;
	readonly model: StartModel;
	readonly strings: Readonly<Record<string, string>>;
};

const startMessages = ['ready', 'start', 'cancel'] as const;

/** Nothing but what the user pressed: the host knows what it is about. */
export type FromStart = { readonly type: (typeof startMessages)[number]; readonly panel: string };

export function isStartMessage(value: unknown, panel: string): value is FromStart {
	return isObject(value) && value.panel === panel && startMessages.some((type) => type === value.type);
}

/** What the result panel shows. `panel` as above. */
export interface ResultModel {
	readonly server: string;
	readonly call: ShownCall;
	readonly isError: boolean;
	/** Milliseconds of the whole call: with the server, with the user, and with auto-responders. */
	readonly serverTime: number;
	readonly humanTime: number;
	readonly automaticTime: number;
	/** Who last answered a question of it in the user's place, in words. */
	readonly answeredBy?: string;
	/** The raw result of the call, JSON. */
	readonly result: unknown;
}

export type ToResult = {
	readonly type: 'show';
	readonly panel: string;
	readonly model: ResultModel;
	readonly strings: Readonly<Record<string, string>>;
};
export type FromResult =
	| { readonly type: 'ready'; readonly panel: string }
	| { readonly type: 'openJson'; readonly panel: string }
	/** Show the call, with all that was asked in it. */
	| { readonly type: 'timeline'; readonly panel: string }
	/** Save the contents of a resource: the entry of `contents` with that index. */
	| { readonly type: 'save'; readonly panel: string; readonly index: number };

export function isResultMessage(value: unknown, panel: string): value is FromResult {
	if (!isObject(value) || value.panel !== panel) {
		return false;
	}
	return (
		['ready', 'openJson', 'timeline'].includes(String(value.type)) || (value.type === 'save' && isIndex(value.index))
	);
}

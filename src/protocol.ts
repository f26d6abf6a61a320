import type { CallKind } from './elicitation/call.ts';
import type { Shares } from './elicitation/clock.ts';
import type { Field } from './elicitation/form/fields.ts';
import type { Input } from './elicitation/form/inputs.ts';
import { isObject, type JsonObject, own } from './elicitation/json.ts';
import type { Sentence } from './elicitation/sentence.ts';
import type { UrlParts } from './elicitation/url/urlParts.ts';
import type { UrlLevel } from './elicitation/url/urlSafety.ts';

/**
 * Messages between the extension host and its webviews. A webview believes the host; the host believes no webview: what one sends
 * is dropped unless it is as its table of messages says.
 */

/** Says whether a value is as a message needs it. */
type Check<Value = unknown> = (value: unknown) => value is Value;

/** The messages of a webview, by type: how each of their fields is checked. */
export type Messages = Readonly<Record<string, Readonly<Record<string, Check>>>>;

/** The messages that a table describes. */
export type Message<Table extends Messages> = {
	[Type in keyof Table]: { readonly type: Type } & {
		readonly [Field in keyof Table[Type]]: Table[Type][Field] extends Check<infer Value> ? Value : never;
	};
}[keyof Table];

export function isMessage<Table extends Messages>(table: Table, value: unknown): value is Message<Table> {
	const type = own(value, 'type');
	const fields = typeof type === 'string' && Object.hasOwn(table, type) ? table[type] : undefined;
	return fields !== undefined && Object.entries(fields).every(([name, isRight]) => isRight(own(value, name)));
}

export function isString(value: unknown): value is string {
	return typeof value === 'string';
}

export function isBoolean(value: unknown): value is boolean {
	return typeof value === 'boolean';
}

export function isSafeInteger(value: unknown): value is number {
	return Number.isSafeInteger(value);
}

/** An index, or a count. */
export function isCount(value: unknown): value is number {
	return isSafeInteger(value) && value >= 0;
}

/** A call for display. `name` is the name of the tool or prompt, or the URI of the resource. */
export interface ShownCall {
	readonly kind: CallKind;
	readonly name: string;
	/** The program that requested the call, if it was not this extension. Continues the line about the call. */
	readonly via?: string;
}

/** Contents of the form. Server text is raw; the webview displays it through `textContent` only. */
export interface FormModel {
	/**
	 * Purpose of the form: an elicitation (Accept, Decline, Cancel), a sampling request (the same, and a language model
	 * of the editor may draft the response), the arguments of a call (Call, Cancel), or a preview of an elicitation.
	 */
	readonly purpose: 'elicitation' | 'sampling' | 'arguments' | 'preview';
	/** The server's configured name. */
	readonly server: string;
	/** The server's own title, if it differs. */
	readonly serverTitle?: string;
	/** The calls that may have caused the request. Several if the protocol does not tell which. */
	readonly calls: readonly ShownCall[];
	/** When the request arrived (ms since the epoch). */
	readonly receivedAt: number;
	readonly message: string;
	/** The `title` and `description` of the schema's root. */
	readonly title?: string;
	readonly description?: string;
	readonly fields: readonly Field[];
	/** What the schema demands of each field, by index; translated. */
	readonly constraints: readonly (readonly Sentence[])[];
	readonly inputs: readonly Input[];
	/** Translated warnings, displayed above the buttons. */
	readonly warnings: readonly string[];
	/** All of them; collapsed. */
	readonly findings: readonly ShownFinding[];
	/** Properties of the draft that no field represents. */
	readonly rest: readonly string[];
	/** The response as JSON, if the user was editing that, and what the fields made of it. */
	readonly json?: { readonly text: string; readonly original: string };
	/** True if the user has entered something before: in pickers, or before a reload. */
	readonly edited?: boolean;
	/** True if the form can also be completed in quick picks. */
	readonly pickers: boolean;
	/** Why the request cannot be accepted. Disables Accept. */
	readonly blocked?: string;
	/** Whose form this is and what that client does, if it is the preview of another client; translated. */
	readonly notice?: readonly string[];
	/** What that client does to each field, by index; translated. */
	readonly notes?: readonly (readonly string[])[];
	/** False if that client has no Decline. */
	readonly declines?: boolean;
	/**
	 * Set where the whole response is written as JSON and sent whatever it says: the responses to begin with, translated
	 * names and JSON. The first one is shown.
	 */
	readonly templates?: readonly { readonly name: string; readonly text: string }[];
}

/** A finding: JSON pointer, rule, translated message and how this client handles it. */
export interface ShownFinding {
	readonly pointer: string;
	readonly rule: string;
	readonly severity: 'info' | 'warning';
	readonly text: string;
	readonly handling?: string;
}

/** A problem below a field (`field` is its index) or below the form. Translated plain text. */
export interface ShownProblem {
	readonly field?: number;
	readonly text: string;
}

export type ToForm =
	| {
			readonly type: 'show';
			readonly model: FormModel;
			/** Replaces the form that was shown before. */
			readonly instead?: true;
	  }
	/** Responds to the `change` or `submit` with the same `revision`. The webview drops older ones. */
	| {
			readonly type: 'review';
			readonly revision: number;
			readonly problems: readonly ShownProblem[];
			/** The exact JSON that Accept would send, pretty-printed. */
			readonly json: string;
			readonly unchecked?: string;
			/** What cannot be checked here, by field. */
			readonly notes?: readonly ShownProblem[];
			/** The texts of moments that are written otherwise than they were entered. */
			readonly sent?: readonly ShownProblem[];
			/** True after a rejected submit: show every problem and focus the first one. */
			readonly refused: boolean;
	  }
	/** Responds to the `json` or `submitJson` with the same `revision`. */
	| {
			readonly type: 'jsonReview';
			readonly revision: number;
			readonly problems: readonly ShownProblem[];
			/** The inputs that the form shows when the user switches back to it, if the text is a JSON object. */
			readonly inputs?: readonly Input[];
			/** Properties that no field represents. They are kept and sent. */
			readonly rest: readonly string[];
			readonly unchecked?: string;
			readonly refused: boolean;
	  }
	/** What the server suggests for the text field with this index. */
	| { readonly type: 'suggestions'; readonly field: number; readonly values: readonly string[] }
	/** What the user has chosen for the field with this index, which gets the focus back. No input if they leave it as it is. */
	| { readonly type: 'chosen'; readonly field: number; readonly input?: Input }
	/** The inputs with what a language model has drafted. */
	| { readonly type: 'drafted'; readonly inputs: readonly Input[] }
	/**
	 * The form is over: disable everything and show the reason. `cancelled`: the server received a cancel; otherwise it
	 * received nothing.
	 */
	| { readonly type: 'withdrawn'; readonly reason: string; readonly cancelled?: boolean };

/** What the page of a form may send. */
export const fromForm = {
	change: { revision: isSafeInteger, inputs: areInputs },
	submit: { revision: isSafeInteger, inputs: areInputs },
	/** The content while it is edited as JSON. */
	json: { revision: isSafeInteger, text: isString },
	submitJson: { revision: isSafeInteger, text: isString },
	/** Continue in quick picks with the current inputs. */
	pickers: { inputs: areInputs },
	/** Have the user choose among the options of the field with this index. */
	choose: { field: isCount },
	/** Have a language model draft the response. */
	draft: {},
	/** Send the whole response later, as the editor asks when; or none. */
	later: {},
	never: {},
	decline: {},
	cancel: {},
} as const;

export type FromForm = Message<typeof fromForm>;

/** True for the inputs of some form. */
export function areInputs(value: unknown): value is readonly Input[] {
	return Array.isArray(value) && value.every(isInput);
}

/** Whether an object is an input, by the kind that it says to be. */
const INPUTS: { readonly [kind in Input['kind']]: (input: JsonObject) => boolean } = {
	text: ({ text }) => text === null || isString(text),
	boolean: ({ value }) => value === null || isBoolean(value),
	choice: ({ index }) => index === null || isCount(index),
	choices: ({ indexes }) => indexes === null || (Array.isArray(indexes) && indexes.every(isCount)),
	list: ({ items }) => items === null || (Array.isArray(items) && items.every(isString)),
	const: () => true,
};

function isInput(value: unknown): value is Input {
	const kind = own(value, 'kind');
	return (
		isObject(value) && typeof kind === 'string' && Object.hasOwn(INPUTS, kind) && INPUTS[kind as Input['kind']](value)
	);
}

/** Contents of the URL panel. Server text is raw. */
export interface UrlModel {
	/** The server's configured name. */
	readonly server: string;
	/** The server's own title, if it differs. */
	readonly serverTitle?: string;
	/** What caused the request and when it arrived. Absent for a request that was refused on arrival. */
	readonly asked?: Pick<FormModel, 'calls' | 'receivedAt'>;
	readonly message: string;
	readonly parts: UrlParts;
	/** The URL as the server wrote it, if it differs from the one that would be opened. */
	readonly raw?: string;
	/** What deceives; translated. */
	readonly alarms: readonly string[];
	/** What is unusual; translated. */
	readonly warnings: readonly string[];
	/** Translated notes. */
	readonly notes: readonly string[];
	/** Why the URL was refused; translated. There is no decision to make then. */
	readonly refused?: string;
	/** An auto-responder accepted it. The user only decides whether to open it. */
	readonly accepted?: boolean;
}

export type ToUrl =
	| { readonly type: 'show'; readonly model: UrlModel }
	| { readonly type: 'copied' }
	/** The request is over: disable everything and show the reason. */
	| { readonly type: 'over'; readonly reason: string };

/** The button that the user pressed. Carries no URL: the host never takes one from a webview. */
export const fromUrl = { open: {}, copy: {}, decline: {}, cancel: {} } as const;

export type FromUrl = Message<typeof fromUrl>;

/** An item of the consent to start a server. Translated; `text` contains no invisible characters. */
export interface ShownStartRow {
	readonly label?: string;
	readonly text: string;
	readonly notes: readonly string[];
}

export interface ShownStartSection {
	readonly title?: string;
	/** How much attention it needs. */
	readonly level?: UrlLevel;
	readonly rows: readonly ShownStartRow[];
}

/** Contents of the consent to start a server. */
export interface StartModel {
	/** The server's configured name. */
	readonly server: string;
	/** Why the user is asked, and where the server is defined; translated. */
	readonly reason: string;
	readonly place: string;
	readonly sections: readonly ShownStartSection[];
}

export type ToStart = { readonly type: 'show'; readonly model: StartModel };

/** The button that the user pressed. */
export const fromStart = { start: {}, cancel: {} } as const;

export type FromStart = Message<typeof fromStart>;

/** Contents of the result panel. */
export interface ResultModel {
	readonly server: string;
	readonly call: ShownCall;
	/** The tool's result says that it failed. */
	readonly isError: boolean;
	/** The call has arguments that can be edited. */
	readonly takesArguments: boolean;
	/** What it was called with, without masked input; absent if that is nothing. */
	readonly args?: unknown;
	/** When it began (ms since the epoch). */
	readonly at: number;
	/** Why requests of the server during the call were refused; translated, but it may quote the server. */
	readonly refusals: readonly string[];
	/** Why there is no result. */
	readonly failure?: ShownFailure;
	readonly times: Shares;
	/** The last auto-responder that responded during the call; translated. */
	readonly answeredBy?: string;
	/** The raw result of the call; undefined if it failed. */
	readonly result?: unknown;
}

/** Why a call failed; translated, but it may quote the server. */
export interface ShownFailure {
	readonly what: string;
	/** What to do about it. */
	readonly fix: string;
	/** The next call leads to a sign-in. */
	readonly signIn: boolean;
	/** Whether the server has to be started again. */
	readonly restart: boolean;
}

export type ToResult = { readonly type: 'show'; readonly model: ResultModel };

/** What the page of a result may send. */
export const fromResult = {
	openJson: {},
	timeline: {},
	callAgain: {},
	editArguments: {},
	log: {},
	restart: {},
	/** Save the contents of a resource. `index` refers to `contents`. */
	save: { index: isCount },
} as const;

export type FromResult = Message<typeof fromResult>;

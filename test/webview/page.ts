import { onTestFinished, vi } from 'vitest';
import type { Field } from '../../src/elicitation/form/fields.ts';
import type { Input } from '../../src/elicitation/form/inputs.ts';
import type {
	FormModel,
	FromForm,
	FromResult,
	FromStart,
	FromUrl,
	ResultModel,
	ShownProblem,
	StartModel,
	ToForm,
	UrlModel,
} from '../../src/protocol.ts';
import type { FromTimeline } from '../../src/timelineProtocol.ts';
import type { FromTrials, TrialsModel } from '../../src/trialsProtocol.ts';
import { modelOf, urlModelOf } from './models.ts';

export { modelOf };

interface Ready {
	readonly type: 'ready';
}

/** A webview page with its script running, and the editor's side of it under the test's control. */
export interface Page<From> {
	readonly root: HTMLElement;
	/** Everything that was sent to the host, oldest first: first that it is `ready`. */
	readonly sent: (From | Ready)[];
	/** What `setState` holds. */
	state(): unknown;
	/** Delivers a message as the host would. */
	receive(message: object): void;
}

/** What the script of a page listens to: pages come and go, but there is one document for all tests. */
type Listening = Parameters<EventTarget['addEventListener']>;
const listening: [EventTarget, ...Listening][] = [];
const targets = [window, document].map(
	(target: EventTarget) => [target, target.addEventListener.bind(target)] as const,
);

function forgetPage(): void {
	for (const [target, type, listener, options] of listening.splice(0)) {
		target.removeEventListener(type, listener, options);
	}
}

/** Notes what is listened to until another page is opened, or the test ends. */
function noteListeners(): void {
	forgetPage();
	onTestFinished(forgetPage);
	for (const [target, add] of targets) {
		vi.spyOn(target, 'addEventListener').mockImplementation((...args: Listening) => {
			listening.push([target, ...args]);
			add(...args);
		});
	}
}

/** The pages that are in the script `records.ts`. The others are in `requests.ts`. */
const RECORDS: readonly string[] = ['result', 'timeline', 'trials'];

const starts = {
	form: async () => (await import('../../src/webview/form/form.tsx')).startForm,
	result: async () => (await import('../../src/webview/result/result.tsx')).startResult,
	start: async () => (await import('../../src/webview/start/start.tsx')).startStart,
	timeline: async () => (await import('../../src/webview/timeline/timeline.tsx')).startTimeline,
	trials: async () => (await import('../../src/webview/trials/trials.tsx')).startTrials,
	url: async () => (await import('../../src/webview/url/url.tsx')).startUrl,
};

/** What starts a page, from its script. That is loaded once for all tests, which takes longer than most of them do. */
async function scriptOf(name: keyof typeof starts): Promise<(root: HTMLElement) => void> {
	// Without a root, a script that is loaded starts no page.
	document.body.replaceChildren();
	await (RECORDS.includes(name) ? import('../../src/webview/records.ts') : import('../../src/webview/requests.ts'));
	return starts[name]();
}

async function open<From>(
	name: keyof typeof starts,
	state?: unknown,
	texts: Readonly<Record<string, string>> = {},
): Promise<Page<From>> {
	const sent: (From | Ready)[] = [];
	let kept = state;
	document.documentElement.lang = 'en';
	const start = await scriptOf(name);
	noteListeners();
	vi.stubGlobal('acquireVsCodeApi', () => ({
		postMessage: (message: From) => sent.push(structuredClone(message)),
		getState: () => kept,
		setState: (next: unknown) => {
			kept = structuredClone(next);
		},
	}));
	vi.spyOn(document, 'hasFocus').mockReturnValue(true);
	const root = document.createElement('main');
	root.id = 'app';
	root.dataset.page = name;
	document.title = 'MCP Elicitation';
	document.body.className = '';
	const brought = textsElement(texts);
	document.body.replaceChildren(root, brought);
	start(root);
	brought.remove();
	return {
		root,
		sent,
		state: () => kept,
		receive: (message) => {
			window.dispatchEvent(new MessageEvent('message', { data: structuredClone(message) }));
		},
	};
}

/** What a document brings along for its page to say. */
function textsElement(texts: Readonly<Record<string, string>>): HTMLElement {
	const element = document.createElement('script');
	Object.assign(element, { id: 'texts', type: 'application/json', textContent: JSON.stringify(texts) });
	return element;
}

/** Starts the form's script; nothing is shown yet. */
export function startForm(state?: unknown, texts?: Readonly<Record<string, string>>): Promise<Page<FromForm>> {
	return open<FromForm>('form', state, texts);
}

/** Starts the form's script and shows a model. */
export async function openForm(model: Partial<FormModel> = {}, texts: Record<string, string> = {}): Promise<FormPage> {
	const page = await startForm(undefined, texts);
	const shown = modelOf(model);
	page.receive({ type: 'show', model: shown });
	return formPage(page, shown.inputs);
}

/** Shows one field alone. */
export function openField(field: Field, input: Input): Promise<FormPage> {
	return openForm({ fields: [field], inputs: [input] });
}

export async function openResult(result: unknown, model: Partial<ResultModel> = {}): Promise<Page<FromResult>> {
	const page = await open<FromResult>('result');
	page.receive({ type: 'show', model: resultModelOf(result, model) });
	return page;
}

export function resultModelOf(result: unknown, model: Partial<ResultModel> = {}): ResultModel {
	return {
		server: 'demo',
		call: { kind: 'tool', name: 'deploy' },
		isError: false,
		takesArguments: true,
		at: new Date().setHours(12, 30, 5, 0),
		refusals: [],
		times: { server: 3210, person: 41_000, automatic: 0 },
		result,
		...model,
	};
}

/** Starts the script of a URL's panel and shows a model. */
export async function openUrl(model: Partial<UrlModel> = {}): Promise<Page<FromUrl>> {
	const page = await open<FromUrl>('url');
	page.receive({ type: 'show', model: urlModelOf(model) });
	return page;
}

/** Starts the script of the page that asks for consent to a start, and shows a model. */
export async function openStart(model: StartModel): Promise<Page<FromStart>> {
	const page = await open<FromStart>('start');
	page.receive({ type: 'show', model });
	return page;
}

/** Starts the script of the timeline; nothing is shown yet. */
export function startTimeline(state?: unknown): Promise<Page<FromTimeline>> {
	vi.stubGlobal(
		'ResizeObserver',
		class {
			observe(): void {}
		},
	);
	vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }));
	return open<FromTimeline>('timeline', state);
}

/** Starts the script of the table of trials and shows a model. */
export async function openTrials(model: TrialsModel): Promise<Page<FromTrials>> {
	const page = await open<FromTrials>('trials');
	page.receive({ type: 'show', model });
	return page;
}

export interface FormPage extends Page<FromForm> {
	/** The inputs that the host has: the newest that were sent, or those that it has shown. */
	inputs(): readonly Input[];
	revision(): number;
	/** Answers the newest change or submit. */
	review(problems: readonly ShownProblem[], refused?: boolean, json?: string): void;
	/** The newest text that was sent as the answer. */
	json(): string;
	/** Answers the newest text; with inputs when it is an object. */
	reviewJson(review: Partial<JsonReview>): void;
}

type JsonReview = Extract<ToForm, { type: 'jsonReview' }>;

/** @param shown the inputs that the form begins with */
export function formPage(page: Page<FromForm>, shown: readonly Input[] = []): FormPage {
	// What is shown is reviewed unasked.
	const revision = () => page.sent.findLast((each) => 'revision' in each)?.revision ?? 0;
	return {
		...page,
		inputs: () => page.sent.findLast((each) => each.type === 'change' || each.type === 'submit')?.inputs ?? shown,
		revision,
		review: (problems, refused = false, json = '{}') =>
			page.receive({ type: 'review', revision: revision(), problems, json, refused }),
		json: () => page.sent.findLast((each) => each.type === 'json' || each.type === 'submitJson')?.text ?? '',
		reviewJson: (review) =>
			page.receive({
				...{ type: 'jsonReview', revision: revision(), problems: [], rest: [], refused: false },
				...review,
			}),
	};
}

/** The element whose accessible name is this, found the way a user would: by role and name. */
export function byName<E extends HTMLElement>(selector: string, name: string): E {
	const found = [...document.querySelectorAll<E>(selector)].filter((element) => nameOf(element) === name);
	if (found.length !== 1 || found[0] === undefined) {
		throw new Error(`${found.length} elements "${selector}" are named "${name}".`);
	}
	return found[0];
}

function nameOf(element: HTMLElement): string {
	const own = element.getAttribute('aria-label');
	if (own !== null) {
		return own;
	}
	const source =
		element instanceof HTMLFieldSetElement
			? element.querySelector('legend')
			: ((element as HTMLInputElement).labels?.[0] ?? element);
	const copy = source?.cloneNode(true) as Element | undefined;
	for (const hidden of copy?.querySelectorAll('[aria-hidden=true]') ?? []) {
		hidden.remove();
	}
	return copy?.textContent?.trim() ?? '';
}

export const button = (name: string) => byName<HTMLButtonElement>('button', name);

/** Types a text over what is there, as one input event. */
export function type(control: HTMLInputElement | HTMLTextAreaElement, text: string): void {
	control.focus();
	control.value = text;
	control.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** So long a user looks at what appears before they press a key (milliseconds). */
const LOOK = 1_000;

/**
 * Presses a key where the focus is; true when somebody took it.
 * @param after milliseconds from now
 */
export function press(key: string, modifiers: KeyboardEventInit = {}, after = LOOK): boolean {
	const target = document.activeElement ?? document.body;
	const timeStamp = performance.now() + after;
	const event = (type: string) =>
		Object.defineProperty(
			new KeyboardEvent(type, { key, bubbles: true, cancelable: true, ...modifiers }),
			'timeStamp',
			{ value: timeStamp },
		);
	const taken = !target.dispatchEvent(event('keydown'));
	target.dispatchEvent(event('keyup'));
	return taken;
}

/** What is wrong, wherever it is said. */
export function alerts(): string[] {
	return [...document.querySelectorAll('[role=alert], .field > .problem')].map((alert) => alert.textContent ?? '');
}

/** Lets the pause after typing pass. */
export function pause(): void {
	vi.advanceTimersByTime(150);
}

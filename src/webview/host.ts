import { isObject } from '../elicitation/json.ts';
import type { FromForm, FromResult, FromStart, FromUrl, ToForm, ToResult, ToStart, ToUrl } from '../protocol.ts';
import type { FromTimeline, ToTimeline } from '../timelineProtocol.ts';
import type { FromTrials, ToTrials } from '../trialsProtocol.ts';

interface VsCodeApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

type WithoutPanel<M> = M extends { panel: string } ? Omit<M, 'panel'> : never;

/** The other side of the protocol, for one panel. */
export interface Host<From> {
	send(message: WithoutPanel<From>): void;
	/** Survives a hidden webview; in the editor's memory only. */
	save(state: unknown): void;
	saved(): unknown;
}

/** Says `ready` and hands over every well-formed message for this panel. */
export function connect<
	To extends ToForm | ToResult | ToStart | ToTimeline | ToTrials | ToUrl,
	From extends FromForm | FromResult | FromStart | FromTimeline | FromTrials | FromUrl,
>(
	root: HTMLElement,
	isMessage: (value: unknown) => value is To,
	onMessage: (message: To, host: Host<From>) => void,
): void {
	const api = acquireVsCodeApi();
	const panel = root.dataset.panel ?? '';
	const host: Host<From> = {
		send: (message) => api.postMessage({ ...message, panel }),
		save: (state) => api.setState({ panel, state }),
		saved: () => {
			const kept = api.getState();
			return isObject(kept) && kept.panel === panel ? kept.state : undefined;
		},
	};
	window.addEventListener('message', (event: MessageEvent<unknown>) => {
		const message = event.data;
		if (isObject(message) && message.panel === panel && isMessage(message)) {
			onMessage(message, host);
		}
	});
	api.postMessage({ type: 'ready', panel });
}

export function isToForm(value: unknown): value is ToForm {
	if (!isObject(value)) {
		return false;
	}
	switch (value.type) {
		case 'show':
			return isObject(value.strings) && isFormModel(value.model);
		case 'review':
			return typeof value.json === 'string' && isReview(value);
		case 'jsonReview':
			return isReview(value) && isTexts(value.rest) && (value.inputs === undefined || Array.isArray(value.inputs));
		case 'withdrawn':
			return (
				typeof value.reason === 'string' && (value.cancelled === undefined || typeof value.cancelled === 'boolean')
			);
		default:
			return false;
	}
}

function isReview(value: Readonly<Record<string, unknown>>): boolean {
	return (
		typeof value.revision === 'number' &&
		typeof value.refused === 'boolean' &&
		(value.unchecked === undefined || typeof value.unchecked === 'string') &&
		Array.isArray(value.problems) &&
		value.problems.every((problem) => isObject(problem) && typeof problem.text === 'string')
	);
}

function isTexts(value: unknown): boolean {
	return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isFormModel(value: unknown): boolean {
	return (
		isObject(value) &&
		['elicitation', 'arguments', 'preview'].some((purpose) => purpose === value.purpose) &&
		typeof value.server === 'string' &&
		typeof value.message === 'string' &&
		typeof value.receivedAt === 'number' &&
		typeof value.pickers === 'boolean' &&
		isTexts(value.rest) &&
		Array.isArray(value.calls) &&
		value.calls.every(isShownCall) &&
		[value.fields, value.inputs, value.warnings, value.findings].every(Array.isArray)
	);
}

export function isToUrl(value: unknown): value is ToUrl {
	if (!isObject(value)) {
		return false;
	}
	switch (value.type) {
		case 'show':
			return isObject(value.strings) && isUrlModel(value.model);
		case 'copied':
			return true;
		case 'over':
			return typeof value.reason === 'string';
		default:
			return false;
	}
}

function isUrlModel(value: unknown): boolean {
	return (
		isObject(value) &&
		typeof value.server === 'string' &&
		typeof value.message === 'string' &&
		(value.raw === undefined || typeof value.raw === 'string') &&
		(value.refused === undefined || typeof value.refused === 'string') &&
		(value.accepted === undefined || typeof value.accepted === 'boolean') &&
		isTexts(value.warnings) &&
		isTexts(value.notes) &&
		isUrlParts(value.parts)
	);
}

const texts = ['href', 'scheme', 'userInfo', 'host', 'unicodeHost', 'domain', 'port', 'path', 'fragment'] as const;

function isUrlParts(value: unknown): boolean {
	return (
		isObject(value) &&
		texts.every((name) => typeof value[name] === 'string') &&
		Array.isArray(value.parameters) &&
		value.parameters.every((each) => isObject(each) && isTexts([each.name, each.value, each.written ?? '']))
	);
}

export function isToResult(value: unknown): value is ToResult {
	return (
		isObject(value) &&
		value.type === 'show' &&
		isObject(value.strings) &&
		isObject(value.model) &&
		typeof value.model.server === 'string' &&
		isShownCall(value.model.call)
	);
}

export function isToStart(value: unknown): value is ToStart {
	return (
		isObject(value) &&
		value.type === 'show' &&
		isObject(value.strings) &&
		isObject(value.model) &&
		isTexts([value.model.server, value.model.reason, value.model.place]) &&
		Array.isArray(value.model.sections) &&
		value.model.sections.every((section) => isObject(section) && Array.isArray(section.rows))
	);
}

export function isToTrials(value: unknown): value is ToTrials {
	if (!isObject(value)) {
		return false;
	}
	switch (value.type) {
		case 'show':
			return (
				(value.strings === undefined || isObject(value.strings)) &&
				isObject(value.model) &&
				Array.isArray(value.model.rows) &&
				isShownCall(value.model.call)
			);
		case 'said':
			return typeof value.text === 'string';
		default:
			return false;
	}
}

function isShownCall(value: unknown): boolean {
	return (
		isObject(value) &&
		typeof value.name === 'string' &&
		(value.kind === 'tool' || value.kind === 'prompt' || value.kind === 'resource')
	);
}

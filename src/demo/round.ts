import {
	type CallToolResult,
	type ClientCapabilities,
	type InputRequest,
	type InputRequiredResult,
	inputRequired,
	inputResponse,
} from '@modelcontextprotocol/server';
import { NamedPages, type Page, type Pages } from './pages.ts';
import { failure, type Response } from './results.ts';

/** What one round of a call hands to the next as `requestState`. */
export interface RoundState {
	readonly tool: string;
	/** What the client has responded so far, by the key of the request. */
	readonly responses: Readonly<Record<string, unknown>>;
	/** The ids of the pages that the call opened, by name. */
	readonly pages: Readonly<Record<string, string>>;
}

/** What only sessions of 2025-11-25 and older have. */
export interface Session {
	/** What the client declared when the session began. */
	readonly elicitation: ClientCapabilities['elicitation'];
	/** Pages that outlive the call that opened them. */
	readonly pages: NamedPages;
}

interface RoundOptions {
	readonly state: RoundState;
	readonly responses: Readonly<Record<string, unknown>>;
	/** Aborts when the client cancels the call or is gone. */
	readonly signal: AbortSignal;
	readonly pages: Pages;
	/** How long an opened page may take before the client is asked again (ms). */
	readonly pageTimeout: number;
	readonly session: Session | undefined;
	readonly mint: (state: RoundState) => Promise<string>;
}

/** What a tool returns: its result, or the requests that have to be responded to first. */
export type RoundResult = CallToolResult | InputRequiredResult;

/** One run of a tool within a call: it runs anew with each set of responses, so it may only depend on those. */
export class Round {
	readonly session: Session | undefined;
	/** The pages of this call: the same ones in every round. */
	readonly pages: NamedPages;
	readonly #options: RoundOptions;
	readonly #responses: RoundState['responses'];

	constructor(
		readonly args: Readonly<Record<string, unknown>>,
		options: RoundOptions,
	) {
		this.session = options.session;
		this.#options = options;
		this.#responses = { ...options.state.responses, ...options.responses };
		this.pages = new NamedPages(options.pages, options.state.pages);
	}

	/** The client's response to the request of that key, unchecked; undefined while there is none. */
	response(key: string): Response | undefined {
		const response = inputResponse(this.#responses, key);
		if (response.kind !== 'elicit') return undefined;
		const { action, content } = response;
		return { action, ...(content !== undefined && { content }) };
	}

	/** The response to a visit to a page; undefined while there is none, or the accepted page still waits for its button. */
	async responseToVisit(key: string, page: Page): Promise<Response | undefined> {
		const response = this.response(key);
		if (response?.action !== 'accept') return response;
		await page.finished(this.#options.pageTimeout, this.#options.signal);
		return page.state === 'waiting' ? undefined : response;
	}

	/** A request to visit a page, for the first time or once more. */
	visit(key: string, page: Page, message: string): InputRequest {
		const text = this.response(key) === undefined ? message : `The page is still waiting for its button. ${message}`;
		const request = { message: text, url: page.url };
		if (this.session === undefined) return inputRequired.elicitUrl(request);
		// Written out, because the completion notification names the request by this id; the SDK would make up another.
		return { method: 'elicitation/create', params: { mode: 'url', elicitationId: page.id, ...request } };
	}

	/** Ends the round with the requests that are still without a response: the tool runs again once they have one. */
	async ask(requests: Readonly<Record<string, InputRequest | undefined>>): Promise<RoundResult> {
		const inputRequests = Object.fromEntries(
			Object.entries(requests).flatMap(([key, request]) => (request === undefined ? [] : [[key, request]])),
		);
		const mode = this.session && undeclaredMode(Object.values(inputRequests), this.session.elicitation);
		if (mode !== undefined) {
			// The SDK would refuse, too, but does not tell the mode.
			const reason = `This client did not declare that it supports requests in ${mode} mode.`;
			return failure(`The request could not be sent: ${reason}`);
		}
		const requestState = await this.#mintState();
		return inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) });
	}

	/** Undefined where there is nothing to remember, as in the first round of a form. */
	async #mintState(): Promise<string | undefined> {
		const [responses, pages] = [this.#responses, this.pages.ids];
		if (Object.keys(responses).length === 0 && Object.keys(pages).length === 0) return undefined;
		return this.#options.mint({ ...this.#options.state, responses, pages });
	}
}

/** The mode of the first request that the client did not declare. A bare `{}` is how 2025-06-18 declares form mode. */
function undeclaredMode(requests: readonly InputRequest[], elicitation: Session['elicitation']): string | undefined {
	const declared = { url: elicitation?.url, form: elicitation?.url === undefined ? elicitation : elicitation.form };
	const modes = requests.map(({ params }) => (params !== undefined && 'url' in params ? 'url' : 'form'));
	return modes.find((mode) => declared[mode] === undefined);
}

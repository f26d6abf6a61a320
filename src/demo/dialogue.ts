import type { Page } from './pages.ts';

/** What a tool returns. */
export interface Result {
	readonly content: readonly { readonly type: 'text'; readonly text: string }[];
	readonly structuredContent?: Readonly<Record<string, unknown>>;
	readonly isError?: true;
}

export interface FormQuestion {
	readonly message: string;
	readonly requestedSchema: Readonly<Record<string, unknown>>;
}

/** Sends the person to a page of the demo; accepted only once that page is finished or gone. */
export interface PageQuestion {
	readonly message: string;
	readonly page: Page;
}

export type Question = FormQuestion | PageQuestion;
export type Questions = Readonly<Record<string, Question>>;

/** What the client answered, exactly as it came: the demo shows it and checks nothing. */
export interface Answer {
	readonly action: string;
	readonly content?: unknown;
}

export type Answers = Readonly<Record<string, Answer>>;

/**
 * A tool that asks: it yields named questions, is resumed with their answers and returns the result. One text serves
 * both eras. In 2025-11-25 it runs once, its questions pushed to the client. In 2026-07-28 it starts anew in every
 * round with the answers so far, so it may only depend on those answers and on its `Visit`.
 */
export type Dialogue = AsyncGenerator<Questions, Result, Answers>;

/** What a dialogue knows about the call that it serves. */
export interface Visit {
	readonly arguments: Readonly<Record<string, unknown>>;
	/** The page of that name: opened when first asked for, the same one in every later round. */
	page(name: string, title: string): Promise<Page>;
	/** Present where the protocol knows -32042: pages that outlive the call, to be finished before the next one. */
	readonly lasting?: LastingPages;
}

/** Pages that belong to the connection and not to one call. */
export interface LastingPages {
	page(name: string, title: string): Promise<Page>;
	release(): void;
}

/** Asks one question from within a dialogue. */
export async function* ask(name: string, question: Question): AsyncGenerator<Questions, Answer, Answers> {
	const answers = yield { [name]: question };
	return answers[name] as Answer;
}

/**
 * Whether a client can be asked in a mode.
 * @param elicitation what it has said of it among its capabilities; a bare `{}` is how revision 2025-06-18 says form mode
 */
export function canServe(elicitation: unknown, mode: 'form' | 'url'): boolean {
	if (typeof elicitation !== 'object' || elicitation === null) return false;
	return mode === 'url' ? 'url' in elicitation : 'form' in elicitation || !('url' in elicitation);
}

/** What a client is asked with, in both eras. */
export function paramsOf(question: Question) {
	return 'page' in question
		? { mode: 'url' as const, message: question.message, url: question.page.url }
		: { mode: 'form' as const, message: question.message, requestedSchema: question.requestedSchema };
}

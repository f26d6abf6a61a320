import { type CallToolResult, UrlElicitationRequiredError } from '@modelcontextprotocol/server';
import type { Page } from './pages.ts';
import { failure, resultOf, resultOfAll } from './results.ts';
import type { Round, RoundResult, Session } from './round.ts';

/** Sends the user to one page within the call. */
export async function signIn(round: Round): Promise<RoundResult> {
	const page = await round.pages.open('sign-in', 'Sign in to the demo');
	const response = await round.responseToVisit('sign-in', page);
	if (response === undefined) {
		const message = 'Open this page of the demo server and press its button.';
		return round.ask({ 'sign-in': round.visit('sign-in', page, message) });
	}
	if (response.action === 'accept' && page.state !== 'finished') return neverFinished();
	return resultOf(response, 'You opened the page and pressed its button.');
}

/** Works only once two pages are finished: fails with -32042 where the protocol has it, otherwise asks for both. */
export async function needsSignIn(round: Round): Promise<RoundResult> {
	if (round.session?.elicitation?.url !== undefined) return refuseUntilFinished(round.session);
	const calendar = await round.pages.open('calendar', 'Connect your calendar');
	const mail = await round.pages.open('mail', 'Connect your mail');
	const [toCalendar, toMail] = await Promise.all([
		round.responseToVisit('calendar', calendar),
		round.responseToVisit('mail', mail),
	]);
	if (toCalendar === undefined || toMail === undefined) {
		return round.ask({
			calendar: toCalendar ? undefined : round.visit('calendar', calendar, connect(calendar)),
			mail: toMail ? undefined : round.visit('mail', mail, connect(mail)),
		});
	}
	const responses = { calendar: toCalendar, mail: toMail };
	if (toCalendar.action !== 'accept' || toMail.action !== 'accept') {
		return resultOfAll(responses, 'Not connected: both pages are needed.');
	}
	if (calendar.state !== 'finished' || mail.state !== 'finished') return neverFinished();
	return resultOfAll(responses, 'Both accounts are connected, so the call went through.');
}

async function refuseUntilFinished({ pages }: Session): Promise<CallToolResult> {
	const both = [await pages.open('calendar', 'Connect your calendar'), await pages.open('mail', 'Connect your mail')];
	const unfinished = both.filter(({ state }) => state !== 'finished');
	if (unfinished.length === 0) {
		// The next call starts over, so that it can be tried twice.
		pages.closeAll();
		return { content: [{ type: 'text', text: 'Both accounts are connected, so the call went through this time.' }] };
	}
	throw new UrlElicitationRequiredError(
		unfinished.map((page) => ({ mode: 'url', elicitationId: page.id, url: page.url, message: connect(page) })),
		'This tool needs two accounts first.',
	);
}

function connect(page: Page): string {
	return `${page.title} by opening this page of the demo server and pressing its button.`;
}

function neverFinished(): CallToolResult {
	return failure('The page was opened, but its button was never pressed, so the demo server has closed it.');
}

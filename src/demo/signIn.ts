import { ask, type Dialogue, type LastingPages, type Visit } from './dialogue.ts';
import type { Page } from './pages.ts';
import { ErrorCode, RpcError } from './rpc.ts';
import { allAccepted, failure, resultOf, resultOfAll } from './words.ts';

/** Sends the person to one page within the call. */
export async function* signIn(visit: Visit): Dialogue {
	const page = await visit.page('sign-in', 'Sign in to the demo');
	const message = 'Open this page of the demo server and press its button.';
	const answer = yield* ask('sign-in', { message, page });
	if (answer.action === 'accept' && page.state !== 'finished') return neverFinished();
	return resultOf(answer, 'You opened the page and pressed its button.');
}

/** Refuses to work until two pages were finished: by -32042 where the protocol has it, else by asking for both. */
export async function* needsSignIn(visit: Visit): Dialogue {
	if (visit.lasting !== undefined) {
		await refuseUntilFinished(visit.lasting);
		return { content: [{ type: 'text', text: 'Both accounts are connected, so the call went through this time.' }] };
	}
	const calendar = await visit.page('calendar', 'Connect your calendar');
	const mail = await visit.page('mail', 'Connect your mail');
	const answers = yield {
		calendar: { message: connect(calendar), page: calendar },
		mail: { message: connect(mail), page: mail },
	};
	if (!allAccepted(answers)) return resultOfAll(answers, 'Not connected: both pages are needed.');
	if (calendar.state !== 'finished' || mail.state !== 'finished') return neverFinished();
	return resultOfAll(answers, 'Both accounts are connected, so the call went through.');
}

async function refuseUntilFinished(lasting: LastingPages): Promise<void> {
	const pages = [
		await lasting.page('calendar', 'Connect your calendar'),
		await lasting.page('mail', 'Connect your mail'),
	];
	const open = pages.filter((page) => page.state !== 'finished');
	if (open.length === 0) {
		// The next call starts from the beginning, so that the tour can be taken twice.
		lasting.release();
		return;
	}
	throw new RpcError(ErrorCode.urlElicitationRequired, 'This tool needs two accounts first.', {
		elicitations: open.map((page) => ({ mode: 'url', elicitationId: page.id, url: page.url, message: connect(page) })),
	});
}

function connect(page: Page): string {
	return `${page.title} by opening this page of the demo server and pressing its button.`;
}

function neverFinished() {
	return failure('The page was opened, but its button was never pressed, so the demo server has closed it.');
}

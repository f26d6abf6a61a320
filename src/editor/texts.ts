import type { DefinitionProblem } from '../config/definition.ts';
import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { render } from '../elicitation/sentence.ts';
import type { ServerState } from '../mcp/index.ts';
import { t } from './words.ts';

/** How long ago something was, in words. */
export function age(since: number): string {
	const seconds = Math.max(0, Math.round((Date.now() - since) / 1000));
	return seconds < 60
		? t('{0} s', seconds)
		: seconds < 3600
			? t('{0} min', Math.floor(seconds / 60))
			: t('{0} h', Math.floor(seconds / 3600));
}

/** Which call caused it; where the protocol does not tell, the candidates. Server text. */
export function causeOf({ origin }: Elicitation): string {
	const names = origin.calls.map(({ name }) => name);
	return names.length === 0
		? t('asked by the server itself')
		: names.length === 1
			? t('asked by tool {0}', names[0] ?? '')
			: t('asked by one of {0}', names.join(', '));
}

export function stateOf(elicitation: Elicitation): string {
	switch (elicitation.state) {
		case 'asking':
			return elicitation.request.mode === 'url' ? t('waits for your consent') : t('waits for your answer');
		case 'opened':
			return t('page opened, waiting for completion');
		case 'accepted':
			return t('accepted');
		case 'declined':
			return t('declined');
		case 'cancelled':
			return t('cancelled');
		case 'completed':
			return t('completed');
		case 'retried':
			return t('retried');
		case 'givenUp':
			return t('given up');
		case 'withdrawn':
			return t('withdrawn');
	}
}

/** True where a retry by hand makes sense: the call waits for a page that the server does not report on, or not yet. */
export function canRetry({ state, origin }: Elicitation): boolean {
	return state === 'opened' && origin.intake !== 'request';
}

/** Server time and human time apart (A04). */
export function duration({ clock }: Call): string {
	const seconds = (ms: number) => (ms < 10_000 ? (ms / 1000).toFixed(1) : String(Math.round(ms / 1000)));
	const server = t('server {0} s', seconds(clock.serverTime));
	return clock.humanTime > 0 ? `${server} · ${t('you {0} s', seconds(clock.humanTime))}` : server;
}

export function stateText(state: ServerState): string {
	switch (state) {
		case 'running':
			return t('running');
		case 'starting':
			return t('starting…');
		case 'failed':
			return t('failed');
		default:
			return t('stopped');
	}
}

/** What is wrong with a definition, as a sentence with its subject. */
export function problemText({ path, message }: DefinitionProblem): string {
	return t('{0} {1}', path === '' ? t('The definition') : `"${path}"`, render(message, t));
}

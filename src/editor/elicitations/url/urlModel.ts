import { shorten } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Finding } from '../../../elicitation/findings/finding.ts';
import type { Refusal } from '../../../elicitation/registry.ts';
import type { UrlRequest } from '../../../elicitation/request.ts';
import { render } from '../../../elicitation/sentence.ts';
import type { UrlParts } from '../../../elicitation/url/urlParts.ts';
import type { UrlReport } from '../../../elicitation/url/urlSafety.ts';
import type { UrlModel } from '../../../protocol.ts';
import { causesOf, responderText } from '../../common/descriptions.ts';
import { localize } from '../../common/localize.ts';

/**
 * Max length shown of a refused URL, which has no limit (characters). Same as the max length of a URL that can be
 * opened.
 */
const MAX_URL_LENGTH = 8_192;

/** The requesting server, as shown in the panel. */
export interface Requester {
	readonly server: string;
	readonly serverTitle?: string;
}

/**
 * Model of the panel that asks for consent to a URL.
 * @param position position in its group, if it is not alone
 */
export function consentModel(
	requester: Requester,
	request: UrlRequest,
	elicitation: Elicitation,
	report: UrlReport,
	position: string | undefined,
	findings: readonly Finding[],
): UrlModel {
	const { receivedAt, responder, cause, undecided } = elicitation;
	return {
		...requester,
		asked: { calls: causesOf(elicitation), receivedAt },
		message: request.message,
		parts: report,
		...(report.differs && { raw: request.url }),
		...(!undecided && { accepted: true }),
		alarms: report.alarms.map((alarm) => render(alarm, localize)),
		warnings: report.warnings.map((warning) => render(warning, localize)),
		notes: [
			...(responder
				? [localize('It was accepted on your behalf ({0}); nothing was opened.', responderText(responder, cause))]
				: []),
			...report.notes.map((note) => render(note, localize)),
			...(position === undefined ? [] : [localize('One of several requests: {0}.', position)]),
			...findings.map(({ message }) => render(message, localize)),
		],
	};
}

/** Model of the panel that shows a refused URL. */
export function refusalModel(
	requester: Requester,
	request: UrlRequest,
	{ reason }: Refusal,
	report: UrlReport,
): UrlModel {
	return {
		...requester,
		message: request.message,
		parts: bounded(report),
		...(report.differs && { raw: shorten(request.url, MAX_URL_LENGTH) }),
		alarms: [],
		warnings: [],
		notes: [],
		refused: render(reason, localize),
	};
}

function bounded(parts: UrlParts): UrlParts {
	const cut = (text: string) => shorten(text, MAX_URL_LENGTH);
	let left = MAX_URL_LENGTH;
	return {
		...parts,
		href: cut(parts.href),
		userInfo: cut(parts.userInfo),
		host: cut(parts.host),
		unicodeHost: cut(parts.unicodeHost),
		domain: cut(parts.domain),
		path: cut(parts.path),
		parameters: parts.parameters.filter(({ name, value, written = '' }) => {
			left -= name.length + value.length + written.length + 1;
			return left > 0;
		}),
		fragment: cut(parts.fragment),
	};
}

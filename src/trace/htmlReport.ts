import type { Call } from '../elicitation/call.ts';
import { visible } from '../elicitation/display.ts';
import { durationText } from '../elicitation/duration.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { findingsOf } from '../elicitation/findings/findings.ts';
import { isObject, type Json } from '../elicitation/json.ts';
import { writeJson } from '../elicitation/jsonText.ts';
import { localizable, render, type Sentence, type Translate } from '../elicitation/sentence.ts';
import type { Redactor } from '../privacy/redactor.ts';
import { describeMessage, MODES, REPEATED } from './describe.ts';
import { hasError } from './filter.ts';
import { REPORT_STYLE } from './htmlReportStyle.ts';
import { isRepeated, type TraceEntry } from './log.ts';
import type { Row } from './outline.ts';
import type { TimelineGroup } from './timeline.ts';

/** Localized texts shared with other surfaces. */
export interface ReportTexts {
	readonly t: Translate;
	/** The time of a call, by share. */
	duration(call: Call): string;
	callState(call: Call): string;
	state(elicitation: Elicitation): string;
	steps(elicitation: Elicitation): readonly { readonly text: string; readonly at: number }[];
}

export interface ReportOptions {
	readonly words: ReportTexts;
	/** A language tag. */
	readonly language: string;
	/** For the Content Security Policy: random letters and digits. */
	readonly nonce: string;
	readonly redactor: Redactor;
	/** Number of messages in the report. */
	readonly messages: number;
}

/**
 * Renders the timeline as a self-contained HTML page without scripts or network requests. All server text is escaped.
 * @param rows all rows, expanded
 */
export function* htmlReport(rows: Iterable<Row>, options: ReportOptions): Generator<string> {
	const report = new Report(options);
	yield report.head();
	let inGroup = false;
	let inList = false;
	for (const { line } of rows) {
		const isItem = line.kind === 'elicitation' || line.kind === 'message';
		if (inList && !isItem) {
			yield '</ol>\n';
		} else if (!inList && isItem) {
			yield '<ol>\n';
		}
		inList = isItem;
		switch (line.kind) {
			case 'group':
				yield `${inGroup ? '</section>\n' : ''}${report.group(line.group)}`;
				inGroup = true;
				break;
			case 'series':
			case 'polls':
				// What is in it says it all.
				break;
			case 'round':
				yield `<h3>${report.sentence(localizable('Round {0}', line.round.number))}</h3>\n`;
				break;
			case 'elicitation':
				yield report.elicitation(line.elicitation);
				break;
			case 'message':
				yield report.message(line.entry);
		}
	}
	yield `${inList ? '</ol>\n' : ''}${inGroup ? '</section>\n' : ''}</main>\n</body>\n</html>\n`;
}

class Report {
	readonly #time: Intl.DateTimeFormat;

	constructor(private readonly options: ReportOptions) {
		this.#time = new Intl.DateTimeFormat(options.language, {
			year: 'numeric',
			month: '2-digit',
			day: '2-digit',
			hour: '2-digit',
			minute: '2-digit',
			second: '2-digit',
			fractionalSecondDigits: 3,
			hourCycle: 'h23',
		});
	}

	head(): string {
		const { nonce, language, messages, redactor } = this.options;
		const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
		const title = this.sentence(localizable('MCP timeline'));
		const secrets =
			redactor.removes === 'all'
				? `<p class="muted">${this.sentence(localizable('Secrets are left out.'))}</p>`
				: `<p class="warning">${this.sentence(localizable('This report contains secrets as they were sent.'))}</p>`;
		return `<!DOCTYPE html>
<html lang="${html(language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style nonce="${nonce}">${REPORT_STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p class="muted">${this.sentence(messages === 1 ? localizable('1 message') : localizable('{0} messages', messages))} · ${this.#at(Date.now())}</p>
${secrets}
<main>
`;
	}

	group({ call, server }: TimelineGroup): string {
		if (!call) {
			const title = this.sentence(localizable('Outside of calls'));
			return `<section>\n<h2>${title} <small class="server">${bdi(server)}</small></h2>\n`;
		}
		const { words, redactor } = this.options;
		const args = redactor.args(call);
		const facts = [
			html(words.callState(call)),
			...(call.trial ? [this.sentence(call.trial)] : []),
			...(call.via ? [this.sentence(call.via)] : []),
			this.#at(call.startedAt),
			html(words.duration(call)),
		];
		return `<section class="${call.failed ? 'failed' : call.state}">
<h2>${bdi(this.#text(call.name))} <small class="server">${bdi(call.server)}</small></h2>
<p class="muted">${facts.join(' · ')}</p>
${this.#json(localizable('Arguments'), args)}`;
	}

	elicitation(elicitation: Elicitation): string {
		const { request, origin, response, schemaViolation, delivery } = elicitation;
		const { redactor, words } = this.options;
		const findings =
			request.mode !== 'sampling' && isObject(origin.params) ? findingsOf(origin.params, origin.revision) : [];
		const steps = words.steps(elicitation).map(({ text, at }) => `${html(text)} ${this.#at(at)}`);
		const warnings = [schemaViolation, delivery?.problem]
			.map((warning) => (warning ? `<p class="warning">${this.sentence(warning)}</p>\n` : ''))
			.join('');
		return `<li><div class="elicitation">
<p><strong>${this.sentence(MODES[request.mode])}</strong> · ${html(words.state(elicitation))}</p>
<blockquote>${bdi(this.#text(request.message))}</blockquote>
<p class="muted">${steps.join(' → ')}</p>
${warnings}${findings.length > 0 ? `<ul>${findings.map(({ message }) => `<li>${this.sentence(message)}</li>`).join('')}</ul>\n` : ''}${this.#json(localizable('Request'), redactor.value(origin.params))}${
	response ? this.#json(localizable('Response'), redactor.response(elicitation)) : ''
}</div></li>\n`;
	}

	message(entry: TraceEntry): string {
		const { redactor } = this.options;
		const { latency, method, response } = entry.exchange ?? {};
		const sent = entry.direction === 'sent';
		const direction = this.sentence(sent ? localizable('sent to the server') : localizable('received from the server'));
		const facts = [
			...(isRepeated(entry) ? [this.sentence(REPEATED)] : []),
			...(response === entry ? [bdi(method ?? '')] : []),
			...(response === entry && latency !== undefined ? [html(durationText(latency, this.options.words.t))] : []),
			this.#at(entry.at),
		];
		return `<li><details><summary><span class="direction" aria-hidden="true">${sent ? '→' : '←'}</span><span class="spoken">${direction} </span><span${
			hasError(entry) ? ' class="error"' : ''
		}>${bdi(this.#text(describeMessage(entry.message)))}</span> <span class="muted">${facts.join(' · ')}</span></summary>${pre(redactor.message(entry))}</details></li>\n`;
	}

	/** Renders a sentence as HTML. Server text in it is escaped and redacted. */
	sentence(sentence: Sentence): string {
		return html(this.#text(render(sentence, this.options.words.t)));
	}

	#text(text: string): string {
		return this.options.redactor.text(text);
	}

	#json(title: Sentence, value: Json): string {
		return `<details><summary>${this.sentence(title)}</summary>${pre(value)}</details>\n`;
	}

	#at(milliseconds: number): string {
		const date = new Date(milliseconds);
		return `<time datetime="${date.toISOString()}">${html(this.#time.format(date))}</time>`;
	}
}

function pre(value: Json): string {
	return `<pre><bdo dir="ltr">${html(writeJson(value ?? null, 2))}</bdo></pre>`;
}

function bdi(text: string): string {
	return `<bdi>${html(text)}</bdi>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Escapes a text for HTML elements and quoted attributes. Makes hidden characters visible. */
function html(text: string): string {
	return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

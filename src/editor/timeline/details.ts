import { check } from '../../elicitation/check/check.ts';
import { shorten } from '../../elicitation/display.ts';
import type { Elicitation, Intake } from '../../elicitation/elicitation.ts';
import { findingsAmong } from '../../elicitation/findings/findings.ts';
import { handlingOf } from '../../elicitation/findings/handling.ts';
import { constraintOf } from '../../elicitation/form/constraint.ts';
import type { Field } from '../../elicitation/form/fields.ts';
import { fieldsOf } from '../../elicitation/form/readFields.ts';
import { isObject, type Json } from '../../elicitation/json.ts';
import { withEmbedded, writeJson } from '../../elicitation/jsonText.ts';
import { ELICITATION_REVISIONS } from '../../elicitation/revisions.ts';
import { render } from '../../elicitation/sentence.ts';
import { type Privacy, sentResponse } from '../../privacy/privacy.ts';
import type { ShownFinding } from '../../protocol.ts';
import type {
	CallDetail,
	CopyPart,
	ElicitationDetail,
	MessageDetail,
	ShownDetail,
	ShownJson,
	ShownLink,
} from '../../timelineProtocol.ts';
import { describeMessage } from '../../trace/describe.ts';
import { hasError } from '../../trace/filter.ts';
import { type Line, lineKey } from '../../trace/line.ts';
import type { TraceEntry } from '../../trace/log.ts';
import { resultOf } from '../../trace/result.ts';
import type { Timeline, TimelineGroup } from '../../trace/timeline.ts';
import type { Commands } from '../common/commands.ts';
import { callStateText, shownCall, stateOf, stepsOf, trialOf } from '../common/descriptions.ts';
import { localize, localizeSentence } from '../common/localize.ts';
import { isUserError } from '../common/notifications.ts';
import { actionsFor } from './actions.ts';

/** Max length of JSON shown beside the list (characters). The rest is one click away. */
const MAX_JSON = 100_000;
/** Max number of form fields shown. */
const MAX_FIELDS = 100;
const MAX_OPTIONS = 30;
const MAX_LINKS = 200;
const MAX_NOTES = 100;

/** The clocks of a running call are shown in seconds (ms). */
const SECOND = 1_000;

type Own<Detail extends ShownDetail> = Omit<Detail, 'kind' | 'key' | 'version' | 'server' | 'actions'>;

/** Computes the details of lines. */
export class Details {
	constructor(
		private readonly timeline: Timeline,
		private readonly commands: Commands,
	) {}

	of(line: Line): ShownDetail {
		const { group } = line;
		const base = {
			key: lineKey(line),
			version: this.versionOf(line),
			server: group.server,
			actions: actionsFor(this.commands, this.timeline, line),
		};
		switch (line.kind) {
			case 'series':
				return {
					...base,
					server: line.series.server,
					kind: 'series',
					heading: render(line.series.heading, localize),
					name: line.series.name,
					calls: line.groups.toReversed().slice(0, MAX_LINKS).map(linkToCall),
				};
			case 'group':
				return group.call
					? { ...base, kind: 'call', ...this.#call(group, group.call) }
					: {
							...base,
							kind: 'outside',
							messages: group.entries.length,
							elicitations: this.#links(group, group.elicitations),
						};
			case 'round': {
				const { number, entries, elicitations } = line.round;
				const [first] = entries;
				return {
					...base,
					kind: 'round',
					number,
					call: { key: group.key, text: group.call?.name ?? '' },
					...(first && { at: first.at }),
					messages: entries.length,
					elicitations: this.#links(group, elicitations),
				};
			}
			case 'elicitation':
				return { ...base, kind: 'elicitation', ...this.#elicitation(line.elicitation) };
			case 'polls':
				// The newest one says how far the task is.
				return { ...base, kind: 'message', ...this.#message(line.entries.at(-1) as TraceEntry) };
			case 'message':
				return { ...base, kind: 'message', ...this.#message(line.entry) };
		}
	}

	/** Everything that the details of a line depend on, as text. */
	versionOf(line: Line): string {
		switch (line.kind) {
			case 'series':
				return line.groups.map(({ call }) => call?.state).join();
			case 'message': {
				const { request, response } = line.entry.exchange ?? {};
				return `${request?.seq} ${response?.seq}`;
			}
			default: {
				const { call, version } = line.group;
				return call?.state === 'running' ? `${version} ${Math.floor(Date.now() / SECOND)}` : `${version}`;
			}
		}
	}

	/** A part of a line as JSON; undefined if the line has no such part. */
	part(line: Line, part: Exclude<CopyPart, 'all'>): unknown {
		const { call } = line.group;
		switch (part) {
			case 'arguments':
				return line.kind === 'group' ? call?.args : undefined;
			case 'result':
				return line.kind === 'group' ? resultOf(line.group) : undefined;
			case 'request':
				return line.kind === 'elicitation' ? line.elicitation.origin.params : undefined;
			case 'answer':
				return line.kind === 'elicitation' && line.elicitation.response ? sentResponse(line.elicitation) : undefined;
		}
	}

	#call(group: TimelineGroup, call: NonNullable<TimelineGroup['call']>): Own<CallDetail> {
		const result = resultOf(group);
		const { outcome } = call;
		return {
			call: shownCall(call),
			state: call.failed ? 'failed' : call.state,
			stateText: callStateText(call),
			at: call.startedAt,
			times: call.clock.shares,
			rounds: call.rounds,
			elicitations: this.#links(group, group.elicitations),
			refusals: call.refusals.map((reason) => this.#hide(render(reason, localize))),
			args: this.#json(call.args, call.args && this.#privacy.args(call)),
			...(result !== undefined && { result: this.#json(result, result, withEmbedded) }),
			...(call.trial && { trial: render(call.trial, localize) }),
			...(call.state === 'failed' && { failure: this.#hide(errorText(outcome)) }),
			...(call.state === 'unfinished' && { note: localize('It was exported during the call, or with a filter.') }),
		};
	}

	#elicitation(elicitation: Elicitation): Own<ElicitationDetail> {
		const { request, origin, response, delivery, withdrawal, schemaViolation } = elicitation;
		const reason = delivery?.problem ?? withdrawal ?? schemaViolation;
		const fields = request.mode === 'form' ? fieldsOf(request.requestedSchema) : [];
		const shown = this.#privacy.configured.hideIn(fields.slice(0, MAX_FIELDS).map(withFewOptions));
		return {
			mode: request.mode,
			message: this.#hide(request.message),
			stateText: stateOf(elicitation),
			...(reason && { reason: this.#hide(render(reason, localize)) }),
			intake: intakeText(origin.intake),
			revision: origin.revision,
			calls: origin.calls.map((call) => ({ key: `call:${call.id}`, text: call.name })),
			steps: stepsOf(elicitation),
			...(request.mode === 'url' && { url: this.#hide(request.url) }),
			fields: shown,
			constraints: shown.map((field) => constraintOf(field).map(localizeSentence)),
			moreFields: Math.max(0, fields.length - MAX_FIELDS),
			findings: findingsAmong(elicitation, this.timeline.registry.urlIds).map(({ message, ...finding }) => ({
				...finding,
				text: this.#hide(render(message, localize)),
				handling: render(handlingOf(finding.rule), localize),
			})),
			notes: this.#notes(elicitation),
			...(response && { answer: this.#json(sentResponse(elicitation), this.#privacy.response(elicitation)) }),
			request: this.#json(origin.params),
		};
	}

	#notes({ origin }: Elicitation): ShownFinding[] {
		return (
			check(isObject(origin.params) ? origin.params : {})
				.filter(({ revisions }) => !revisions.some((revision) => revision === origin.revision))
				// Those that hold in every revision are findings, also if the revision is not known.
				.filter(({ revisions }) => revisions.length < ELICITATION_REVISIONS.length)
				.slice(0, MAX_NOTES)
				.map(({ pointer, rule, severity, message, advice }) => ({
					pointer,
					rule,
					severity,
					text: this.#hide(render(message, localize)),
					...(advice && { handling: render(advice, localize) }),
				}))
		);
	}

	#message(entry: TraceEntry): Own<MessageDetail> {
		const exchange = entry.exchange;
		const answers = exchange?.response === entry;
		const counterpart = answers ? exchange?.request : exchange?.response;
		const text = writeJson(entry.message);
		const { call } = entry;
		return {
			direction: entry.direction,
			label: describeMessage(entry.message),
			at: entry.at,
			bytes: new TextEncoder().encode(text).length,
			truncated: entry.truncated,
			error: hasError(entry),
			...(call && { call: { key: `call:${call.id}`, text: call.name } }),
			...(counterpart && {
				counterpart: {
					key: `message:${counterpart.seq}`,
					text: describeMessage(counterpart.message),
					answers,
				},
			}),
			...(exchange?.latency !== undefined && { latency: exchange.latency }),
			json: this.#json(entry.message, entry.masked),
		};
	}

	#links(group: TimelineGroup, elicitations: Iterable<Elicitation>): ShownLink[] {
		return [...elicitations].slice(0, MAX_LINKS).map((elicitation) => ({
			key: lineKey({ kind: 'elicitation', group, elicitation }),
			text: `${shorten(this.#hide(elicitation.request.message), 100)} · ${stateOf(elicitation)}`,
		}));
	}

	/**
	 * @param masked the value without masked input, unless it is the same
	 * @param read what to print of what is left of it without secrets
	 */
	#json(value: unknown, masked = value, read = (hidden: Json) => hidden): ShownJson {
		const shown = printed(read(this.#privacy.configured.hideIn((value ?? null) as Json)));
		const hidden = printed(read(this.#privacy.hideIn((masked ?? null) as Json)));
		return hidden.text === shown.text && hidden.cut === shown.cut ? shown : { ...shown, masked: hidden };
	}

	get #privacy(): Privacy {
		return this.timeline.trace.privacy;
	}

	#hide(text: string): string {
		return this.#privacy.configured.hide(text);
	}
}

function printed(value: Json): ShownJson {
	const text = writeJson(value, 2);
	return { text: text.slice(0, MAX_JSON), cut: Math.max(0, text.length - MAX_JSON) };
}

function linkToCall({ key, call }: TimelineGroup): ShownLink {
	return { key, text: call ? [...trialOf(call), callStateText(call)].join(' · ') : '' };
}

function withFewOptions(field: Field): Field {
	return field.kind === 'choice' || field.kind === 'choices'
		? { ...field, options: field.options.slice(0, MAX_OPTIONS) }
		: field;
}

function intakeText(intake: Intake): string {
	switch (intake) {
		case 'request':
			return localize('A request of the server');
		case 'inputRequired':
			return localize('Input that the call requires (input_required)');
		case 'urlRequired':
			return localize('A URL that the call requires (error -32042)');
	}
}

function errorText(error: unknown): string {
	if (isUserError(error)) {
		return localize('{0} {1}', render(error.what, localize), render(error.fix, localize));
	}
	return error instanceof Error ? error.message : '';
}

import { useLayoutEffect, useRef } from 'preact/hooks';
import { durationText } from '../../elicitation/duration.ts';
import type {
	CallDetail,
	ElicitationDetail,
	FromTimeline,
	MessageDetail,
	OutsideDetail,
	RoundDetail,
	SeriesDetail,
	ShownDetail,
} from '../../timelineProtocol.ts';
import { Findings, Notes, Refusals } from '../common/findings.tsx';
import { memo } from '../common/memo.ts';
import { Moment } from '../common/moment.tsx';
import { RecordIcon } from '../common/recordIcon.tsx';
import { Bdi, fill, joined, useT } from '../common/text.tsx';
import { TimesBar, TimesLegend } from '../common/times.tsx';
import { Block, Head, Json, Link, Links, Send } from './detailParts.tsx';
import { FieldList } from './fields.tsx';
import type { TimelineAction } from './state.ts';

interface DetailsProps {
	readonly detail: ShownDetail | undefined;
	/** Another line has been selected: what is shown is about to change, and can no longer be acted on. */
	readonly isStale: boolean;
	/** See `Searched`. */
	readonly searched: RegExp | undefined;
	readonly dispatch: (action: TimelineAction) => void;
	readonly send: (message: FromTimeline) => void;
}

/** The selected line. */
export const Details = memo(({ detail, isStale, dispatch, send }: DetailsProps) => {
	const t = useT();
	const element = useRef<HTMLElement>(null);
	const key = detail?.key;
	useLayoutEffect(() => {
		(element.current as HTMLElement).scrollTop = 0;
	}, [key]);
	return (
		<section class="details" tabIndex={0} aria-label={t('Details')} inert={isStale} ref={element}>
			<Send.Provider value={send}>
				{detail ? (
					<Line
						key={detail.key}
						detail={detail}
						only={() => dispatch({ type: 'filter', part: { group: detail.key } })}
					/>
				) : (
					<p class="note">{t('Select a line to see all of it.')}</p>
				)}
			</Send.Provider>
		</section>
	);
});

interface DetailProps<Detail> {
	readonly detail: Detail;
}

interface LineProps<Detail = ShownDetail> extends DetailProps<Detail> {
	/** Shows nothing but this call. */
	readonly only: () => void;
}

function Line({ detail, only }: LineProps) {
	switch (detail.kind) {
		case 'series':
			return <Series detail={detail} />;
		case 'call':
			return <Call detail={detail} only={only} />;
		case 'outside':
			return <Outside detail={detail} />;
		case 'round':
			return <Round detail={detail} />;
		case 'elicitation':
			return <Elicitation detail={detail} />;
		case 'message':
			return <Message detail={detail} />;
	}
}

function Call({ detail, only }: LineProps<CallDetail>) {
	const t = useT();
	const {
		call,
		server,
		state,
		stateText,
		trial,
		args,
		result,
		failure,
		note,
		rounds,
		elicitations,
		refusals,
		times,
		at,
	} = detail;
	const facts = [
		stateText,
		<Moment at={at} />,
		...(rounds > 1 ? [t('{0} rounds', rounds)] : []),
		...(call.via === undefined ? [] : [call.via]),
	];
	return (
		<>
			<Head
				detail={detail}
				title={fill(t('{0} on {1}'), <Bdi text={call.name} />, <Bdi text={server} />)}
				more={[{ text: t('Only This Call'), group: '', act: only }]}
			/>
			<p class={`state ${state}`}>
				<RecordIcon name={state} />
				{joined(' · ', facts)}
			</p>
			{trial === undefined ? null : <Bdi in="p" class="note" text={trial} />}
			<div class="bar clocks">
				<TimesBar times={times} />
				<TimesLegend times={times} />
			</div>
			{failure ? <Bdi in="p" class="blocked" text={failure} /> : null}
			{note === undefined ? null : <p class="note">{note}</p>}
			<Refusals reasons={refusals} />
			<Json title={t('Result')} json={result} of={detail} part="result" />
			<Links title={t('Elicitations')} links={elicitations} />
			<Json title={t('Arguments')} json={args} of={detail} part="arguments" />
		</>
	);
}

function Series({ detail }: DetailProps<SeriesDetail>) {
	const t = useT();
	const { heading, name, server, calls } = detail;
	return (
		<>
			<Head detail={detail} title={heading} />
			<p class="state">{fill(t('{0} on {1}'), <Bdi text={name} />, <Bdi text={server} />)}</p>
			<Links title={t('Calls')} links={calls} />
		</>
	);
}

function Outside({ detail }: DetailProps<OutsideDetail>) {
	const t = useT();
	const title = [t('Outside of calls'), ' ', <Bdi in="span" class="note" text={detail.server} />];
	return (
		<>
			<Head detail={detail} title={title} />
			<p class="note">{t('Handshakes, lists, and other messages outside of calls.')}</p>
			<Links title={t('Elicitations')} links={detail.elicitations} />
		</>
	);
}

function Round({ detail }: DetailProps<RoundDetail>) {
	const t = useT();
	const { number, call, at, elicitations } = detail;
	return (
		<>
			<Head detail={detail} title={t('Round {0}', number)} />
			<p class="state">
				<Link to={call} />
				{at === undefined ? null : [' · ', <Moment at={at} />]}
			</p>
			<Links title={t('Elicitations')} links={elicitations} />
		</>
	);
}

function Elicitation({ detail }: DetailProps<ElicitationDetail>) {
	const t = useT();
	const {
		server,
		mode,
		message,
		stateText,
		reason,
		intake,
		revision,
		calls,
		steps,
		url,
		fields,
		constraints,
		moreFields,
	} = detail;
	return (
		<>
			<Head detail={detail} title={<Bdi text={server} />} />
			<Bdi in="blockquote" text={message} />
			<p class="state">
				<RecordIcon name={mode} />
				<Bdi text={stateText} />
				{reason === undefined ? null : [' · ', <Bdi text={reason} />]}
			</p>
			<ol class="texts steps">
				{steps.map(({ text, at }) => (
					<li>
						{text} <Moment at={at} />
					</li>
				))}
			</ol>
			<p class="note">{revision === '' ? intake : `${intake} · ${t('Revision {0}', revision)}`}</p>
			{calls.length > 0 ? (
				<p>
					{joined(
						' · ',
						calls.map((call) => <Link to={call} />),
					)}
				</p>
			) : null}
			{url === undefined ? null : (
				<Block title={t('URL')}>
					<p class="code">
						<bdo dir="ltr">
							<Bdi text={url} />
						</bdo>
					</p>
				</Block>
			)}
			{fields.length > 0 ? (
				<Block title={t('Requested')}>
					<FieldList fields={fields} constraints={constraints} more={moreFields} />
				</Block>
			) : null}
			<Findings findings={detail.findings} open />
			<Notes findings={detail.notes} />
			<Json title={t('Response')} json={detail.answer} of={detail} part="answer" />
			<Json title={t('Request')} json={detail.request} of={detail} part="request" />
		</>
	);
}

function Message({ detail }: DetailProps<MessageDetail>) {
	const t = useT();
	const { direction, label, server, at, bytes, truncated, error, call, counterpart, latency, json } = detail;
	const peer = fill(direction === 'sent' ? t('sent to {0}') : t('received from {0}'), <Bdi text={server} />);
	const facts = [peer, <Moment at={at} />, t('{0} bytes', bytes), ...(call ? [<Link to={call} />] : [])];
	return (
		<>
			<Head
				detail={detail}
				title={[error ? <RecordIcon name="failed" /> : null, <Bdi text={label} />]}
				class={error ? 'error' : ''}
			/>
			<p class="state">
				<RecordIcon name={direction} />
				{joined(' · ', facts)}
			</p>
			{counterpart ? (
				<p>
					{fill(counterpart.answers ? t('Request: {0}') : t('Response: {0}'), <Link to={counterpart} />)}
					{latency === undefined ? '' : ` · ${t('after {0}', durationText(latency, t))}`}
				</p>
			) : null}
			{truncated ? <p class="warning">{t('It was too large to be kept whole: … marks what is left out.')}</p> : null}
			<Json title={t('Message')} json={json} of={detail} part="all" />
		</>
	);
}

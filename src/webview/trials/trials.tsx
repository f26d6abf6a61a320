import { durationText } from '../../elicitation/duration.ts';
import {
	type FromTrials,
	isWarned,
	type Refusal,
	type ShownRun,
	type ToTrials,
	type TrialOutcome,
	type TrialsModel,
} from '../../trialsProtocol.ts';
import { Button } from '../common/button.tsx';
import { connect } from '../common/host.ts';
import { RecordIcon, type RecordIconName } from '../common/recordIcon.tsx';
import { type Next, Store } from '../common/store.ts';
import { Bdi, drawPage, fill, useT } from '../common/text.tsx';

const ICONS = {
	result: 'succeeded',
	isError: 'failed',
	error: 'failed',
	waiting: 'waited',
	failed: 'failed',
	cancelled: 'cancelled',
} as const satisfies Record<TrialOutcome, RecordIconName>;

const REFUSALS = { expected: 'succeeded', neutral: 'cancelled' } as const satisfies Record<Refusal, RecordIconName>;

interface TrialsState {
	readonly model: TrialsModel;
	/** How far the trials are, or what was done last. */
	readonly said: string;
	/** Shows no other rows than those with a warning. */
	readonly onlyWarnings: boolean;
}

type TrialsAction = ToTrials | { readonly type: 'onlyWarnings'; readonly on: boolean };

type TrialsEffect = 'leaveStop';

function reduce(state: TrialsState, message: TrialsAction): Next<TrialsState, TrialsEffect> {
	switch (message.type) {
		case 'onlyWarnings':
			return [{ ...state, onlyWarnings: message.on }];
		case 'show': {
			const next = { ...state, model: message.model, said: message.model.progress };
			return state.model.running && !message.model.running ? [next, 'leaveStop'] : [next];
		}
		case 'said':
			return [{ ...state, said: message.text }];
		default:
			return [state];
	}
}

/** Starts the page of the table of trials. */
export function startTrials(root: HTMLElement): void {
	connect<ToTrials, FromTrials>(({ model }, { t, send }) => {
		const store = new Store<TrialsState, TrialsAction, TrialsEffect>(
			[{ model, said: model.progress, onlyWarnings: false }],
			reduce,
			({ state, dispatch }) => drawPage(root, t, <TrialsPage {...state} dispatch={dispatch} send={send} />),
			() => leaveStop(root),
		);
		return store.dispatch;
	});
}

/** The focus must not be lost with the button. */
function leaveStop(root: HTMLElement): void {
	if (document.activeElement?.id === 'stop') {
		root.querySelector<HTMLElement>('#copy')?.focus();
	}
}

interface PageProps extends TrialsState {
	readonly dispatch: (action: TrialsAction) => void;
	readonly send: (message: FromTrials) => void;
}

/** The table of trials. */
function TrialsPage({ model, said, onlyWarnings, dispatch, send }: PageProps) {
	const t = useT();
	const { heading, about, call, server, revisions, senders, running, rows } = model;
	const columns = [
		t('Trial'),
		...(revisions ? [t('Revision')] : []),
		t('What the server did'),
		...(senders ? [t('Other clients')] : []),
		t('Requests'),
		t('Server time'),
		t('Timeline'),
	];
	return (
		<>
			<header>
				<div class="texts apart">
					<h1>{heading}</h1>
					<p class="note">
						<span>{fill(t('{0} on {1}'), <Bdi text={call.name} />, <Bdi text={server} />)}</span>
					</p>
				</div>
				<p class="about">{about}</p>
				<div class="bar">
					<p class="note" role="status">
						{said}
					</p>
					<WarningsButton model={model} isOn={onlyWarnings} dispatch={dispatch} />
					<Button id="stop" class="secondary" hidden={!running} onClick={() => send({ type: 'stop' })}>
						{t('Cancel')}
					</Button>
					<Button id="copy" class="secondary" onClick={() => send({ type: 'copy' })}>
						{t('Copy as Markdown')}
					</Button>
				</div>
			</header>
			<div class="table" role="region" tabIndex={0} aria-label={heading}>
				{/* The roles are spelled out, because a narrow page shows the table as blocks, which takes them away. */}
				<table role="table" class={senders ? 'wide' : undefined}>
					<thead role="rowgroup">
						<tr role="row">
							{columns.map((text) => (
								<th role="columnheader" scope="col">
									{text}
								</th>
							))}
						</tr>
					</thead>
					<tbody role="rowgroup">
						{rows.map((row, index) =>
							onlyWarnings && !isWarned(row) ? null : (
								<Row
									key={index}
									row={row}
									hasRevision={revisions}
									hasSenders={senders}
									open={() => send({ type: 'open', index })}
								/>
							),
						)}
					</tbody>
				</table>
			</div>
		</>
	);
}

interface WarningsProps extends Pick<PageProps, 'model' | 'dispatch'> {
	readonly isOn: boolean;
}

/** Leaves only the rows with a warning, where these are some of several. */
function WarningsButton({ model: { rows }, isOn, dispatch }: WarningsProps) {
	const t = useT();
	const count = rows.filter(isWarned).length;
	return (count > 0 && count < rows.length) || isOn ? (
		<Button class="secondary" aria-pressed={isOn} onClick={() => dispatch({ type: 'onlyWarnings', on: !isOn })}>
			{t('Only Warnings')}
		</Button>
	) : null;
}

interface RowProps {
	readonly row: ShownRun;
	readonly hasRevision: boolean;
	readonly hasSenders: boolean;
	/** Shows the call of the row in the timeline. */
	readonly open: () => void;
}

function Row({ row, hasRevision, hasSenders, open }: RowProps) {
	const t = useT();
	const { state, name, mark, sent, revision, elicitations, serverTime, called } = row;
	return (
		<tr role="row" class={state}>
			<th role="rowheader" scope="row">
				<span class="texts name">
					<Bdi text={name} />
					{mark === undefined ? null : [' ', <span class="mark">{mark}</span>]}
				</span>
				{sent === undefined ? null : <Bdi text={sent} class="note code sent" />}
			</th>
			{hasRevision ? <NumberCell column={t('Revision')}>{revision}</NumberCell> : null}
			<td role="cell">
				<Outcome {...row} />
			</td>
			{hasSenders ? (
				<td role="cell" class="note" data-column={t('Other clients')}>
					<Senders names={row.senders ?? []} />
				</td>
			) : null}
			<NumberCell column={t('Requests')}>{elicitations}</NumberCell>
			<NumberCell column={t('Server time')}>
				{serverTime === undefined ? undefined : durationText(serverTime, t)}
			</NumberCell>
			<td role="cell">
				{called ? (
					<Button class="link inline" aria-label={t('Show {0} in the timeline', name)} onClick={open}>
						{t('Show')}
					</Button>
				) : null}
			</td>
		</tr>
	);
}

/** Other clients: a name, or a count that opens, so that a table of trials is seen at a glance. */
function Senders({ names }: { readonly names: readonly string[] }) {
	const t = useT();
	const [first] = names;
	if (names.length < 2) {
		return first === undefined ? null : <p>{first}</p>;
	}
	return (
		<details>
			<summary>{t('{0} clients', names.length)}</summary>
			{names.map((name) => (
				<p>{name}</p>
			))}
		</details>
	);
}

interface NumberCellProps {
	/** The heading of the column, which a narrow page shows beside the number. */
	readonly column: string;
	readonly children: string | number | undefined;
}

function NumberCell({ column, children }: NumberCellProps) {
	return (
		<td role="cell" class="number" data-column={column}>
			{children}
		</td>
	);
}

function Outcome(row: ShownRun) {
	const { outcome, refusal, outcomeText, words, notes } = row;
	const icon = isWarned(row) ? 'warned' : refusal ? REFUSALS[refusal] : outcome && ICONS[outcome];
	return (
		<>
			<p class="outcome">
				{icon ? <RecordIcon name={icon} /> : null}
				<span>{outcomeText}</span>
			</p>
			{words ? <Bdi in="p" class="words" text={words} /> : null}
			{notes.map(({ text, warning }) => (
				<p class={warning ? 'warning' : 'note'}>
					<Bdi text={text} />
				</p>
			))}
		</>
	);
}

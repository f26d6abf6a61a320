import { visible } from '../../elicitation/display.ts';
import { localizable, render, type Sentence, type Translate } from '../../elicitation/sentence.ts';
import type { FromTimeline, ShownFilter, ShownRows } from '../../timelineProtocol.ts';
import { Button } from '../common/button.tsx';
import { isComposing } from '../common/keys.ts';
import { memo } from '../common/memo.ts';
import { RecordIcon, type RecordIconName } from '../common/recordIcon.tsx';
import { Bdi, fill, useT } from '../common/text.tsx';
import type { TimelineAction } from './state.ts';

const shows: readonly (readonly [ShownFilter['show'], Sentence])[] = [
	['all', localizable('Everything')],
	['elicitations', localizable('Elicitations')],
	['errors', localizable('Errors')],
	['warnings', localizable('Warnings')],
	['requests', localizable('Requests')],
	['responses', localizable('Responses')],
	['notifications', localizable('Notifications')],
];

const directions: readonly (readonly [ShownFilter['direction'], Sentence])[] = [
	['', localizable('Both directions')],
	['sent', localizable('Sent')],
	['received', localizable('Received')],
];

interface ToolbarProps {
	readonly filter: ShownFilter;
	readonly searched: string;
	readonly rows: ShownRows;
	readonly selected: string | undefined;
	/** What there is to know about a recording; undefined for the timeline of this window. */
	readonly recorded: string | undefined;
	readonly dispatch: (action: TimelineAction) => void;
	readonly send: (message: FromTimeline) => void;
	/** Moves the focus to the list: the user is done with searching. */
	readonly toList: () => void;
}

/** What is looked for, what came of it, and what can be done with all of it. */
export const Toolbar = memo((props: ToolbarProps) => {
	const t = useT();
	const { rows, recorded } = props;
	return (
		<div class="bar toolbar" role="group" aria-label={t('Timeline')}>
			<Search {...props} />
			<p class="note number count" role="status">
				{countText(rows, t)}
			</p>
			<Tools {...props} />
			<Filters {...props} />
			{recorded === undefined ? null : <p class="note recorded">{recorded}</p>}
		</div>
	);
});

function Search({ searched, dispatch, toList }: ToolbarProps) {
	const t = useT();
	const key = (event: KeyboardEvent) => {
		if (isComposing(event)) {
			return;
		}
		if (event.key === 'Enter' || event.key === 'ArrowDown') {
			dispatch({ type: 'filter', part: {} });
			toList();
		} else if (event.key !== 'Escape') {
			return;
		} else if (searched === '') {
			toList();
		} else {
			dispatch({ type: 'filter', part: { text: '' } });
		}
		event.preventDefault();
	};
	return (
		<input
			type="search"
			aria-label={t('Search')}
			placeholder={t('Search')}
			spellcheck={false}
			value={searched}
			onInput={(event) => dispatch({ type: 'search', text: event.currentTarget.value })}
			onKeyDown={key}
		/>
	);
}

function Tools({ rows, selected, recorded, dispatch, send }: ToolbarProps) {
	const t = useT();
	const copy = () => selected !== undefined && send({ type: 'copy', key: selected, part: 'all' });
	return (
		<div class="bar tools">
			<Tool icon="expand" name={t('Expand All')} act={() => dispatch({ type: 'foldAll', open: true })} />
			<Tool icon="collapse" name={t('Collapse All')} act={() => dispatch({ type: 'foldAll', open: false })} />
			<Tool icon="copy" name={t('Copy the Selected Line')} act={copy} disabled={rows.total === 0} />
			<Tool icon="export" name={t('Export…')} act={() => send({ type: 'export' })} />
			{recorded === undefined ? (
				<Tool icon="clear" name={t('Clear Timeline')} act={() => send({ type: 'clear' })} />
			) : null}
		</div>
	);
}

interface ToolProps {
	readonly icon: RecordIconName;
	readonly name: string;
	readonly act: () => void;
	readonly disabled?: boolean;
}

function Tool({ icon, name, act, disabled = false }: ToolProps) {
	return (
		<Button class="tool" aria-label={name} title={name} disabled={disabled} onClick={act}>
			<RecordIcon name={icon} />
		</Button>
	);
}

function Filters({ filter, rows, dispatch }: ToolbarProps) {
	const t = useT();
	const { servers, methods, only } = rows;
	const choose = (name: keyof ShownFilter) => (value: string) =>
		dispatch({ type: 'filter', part: { [name]: value } as Partial<ShownFilter> });
	return (
		<div class="bar filters">
			<Select
				label={t('Show')}
				options={shows.map(([value, text]) => [value, render(text, t)])}
				chosen={filter.show}
				choose={choose('show')}
			/>
			<Select
				label={t('Direction')}
				options={directions.map(([value, text]) => [value, render(text, t)])}
				chosen={filter.direction}
				choose={choose('direction')}
			/>
			<Select
				label={t('Server')}
				options={[['', t('All servers')], ...servers.map((name) => [name, name] as const)]}
				chosen={filter.server}
				choose={choose('server')}
				hidden={servers.length < 2 && filter.server === ''}
			/>
			<Select
				label={t('Method')}
				options={[['', t('All methods')], ...methods.map((name) => [name, name] as const)]}
				chosen={filter.method}
				choose={choose('method')}
			/>
			<Button class="only" hidden={only === undefined} title={t('Show All Calls')} onClick={() => choose('group')('')}>
				<span class="clipped">{fill(t('Only {0}'), <Bdi text={only ?? ''} />)}</span>
				<RecordIcon name="close" />
			</Button>
		</div>
	);
}

interface SelectProps {
	readonly label: string;
	readonly options: readonly (readonly [value: string, text: string])[];
	/** Stays, even where it is no longer offered. */
	readonly chosen: string;
	readonly choose: (value: string) => void;
	readonly hidden?: boolean;
}

function Select({ label, options, chosen, choose, hidden = false }: SelectProps) {
	const all = options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen] as const];
	return (
		<select
			aria-label={label}
			title={label}
			hidden={hidden}
			value={chosen}
			onChange={(event) => choose(event.currentTarget.value)}
		>
			{all.map(([value, text]) => (
				<option value={value}>{visible(text)}</option>
			))}
		</select>
	);
}

function countText({ found, messages, dropped, searching }: ShownRows, t: Translate): string {
	if (!found) {
		const all = messages === 1 ? t('1 message') : t('{0} messages', messages);
		const count = dropped > 0 ? t('{0}; older ones forgotten: {1}', all, dropped) : all;
		return searching ? t('{0}…', count) : count;
	}
	const { elicitations } = found;
	const some =
		messages === 1 ? t('{0} of 1 message', found.messages) : t('{0} of {1} messages', found.messages, messages);
	const asked = elicitations === 1 ? t('1 elicitation') : t('{0} elicitations', elicitations);
	const count = elicitations === 0 ? some : t('{0}, {1}', some, asked);
	return searching ? t('{0}…', count) : count;
}

import { useRef, useState } from 'preact/hooks';
import { Button } from '../common/button.tsx';
import { gap, useT } from '../common/text.tsx';
import { type SingleProps, useCommit } from './control.ts';
import { dateOf, type LocalMoment, localOf, localOffsetOf, localTimeOf, momentOf, timeOf } from './localTime.ts';

type Entry = 'date' | 'date-time' | 'time';

const nativeTypes = { date: 'date', 'date-time': 'datetime-local', time: 'time' } as const;

/** The picker's value for a text; `undefined` when the picker cannot show it. */
function pickerValue(entry: Entry, text: string): string | undefined {
	switch (entry) {
		case 'date':
			return dateOf(text);
		case 'date-time':
			return localOf(text);
		case 'time':
			return localTimeOf(text, new Date());
	}
}

/** The text that is sent for a picker's value, and for a date with a time what is known about it. */
function read(entry: Entry, value: string): { text: string; local?: LocalMoment | undefined } {
	if (entry === 'date' || value === '') {
		return { text: value };
	}
	if (entry === 'time') {
		return { text: timeOf(value, new Date())?.text ?? value };
	}
	const local = momentOf(value);
	return { text: local?.texts[0] ?? value, local };
}

/** Dates and times: the native picker, or, at any time, the text that is sent. */
export function MomentControl({
	entry,
	value: text,
	disabled,
	spelled,
	target,
	change,
}: SingleProps<string> & { entry: Entry }) {
	const t = useT();
	const field = useRef<HTMLInputElement>(null);
	const [isPicker, setPicker] = useState(() => text === '' || pickerValue(entry, text) !== undefined);
	// The value exactly as the picker has it. An equal value that is written otherwise would delete what is half typed.
	const [picked, setPicked] = useState(() => pickerValue(entry, text) ?? '');
	const [local, setLocal] = useState<LocalMoment | undefined>();
	const report = (now: string) =>
		change({ kind: 'text', text: now }, field.current?.validity.badInput ? t('This entry is incomplete.') : undefined);
	const enter = (value: string) => {
		const next = isPicker ? read(entry, value) : { text: value };
		setPicked(value);
		setLocal(next.local);
		report(next.text);
	};
	const toggle = () => {
		setPicked(pickerValue(entry, text) ?? '');
		setLocal(undefined);
		setPicker(!isPicker);
		field.current?.focus();
	};
	useCommit(() => report(text));
	const type = isPicker ? nativeTypes[entry] : 'text';
	const limit = entry === 'date' ? '9999-12-31' : '9999-12-31T23:59:59';
	return (
		<div>
			<div class="bar">
				<input
					{...target}
					ref={field}
					autocomplete="off"
					// The types of inputs know of no input that is one of several kinds.
					type={type as 'text'}
					class={`moment ${isPicker ? entry : 'text'}`}
					step={isPicker && entry !== 'date' ? '1' : undefined}
					max={isPicker && entry !== 'time' ? limit : undefined}
					disabled={disabled}
					value={isPicker ? picked : text}
					onInput={(event) => enter(event.currentTarget.value)}
					onBlur={() => report(text)}
				/>
				<Offset text={isPicker && entry !== 'date' && !local?.oddity ? text : ''} />
				<select
					aria-label={t('Offset from UTC')}
					aria-describedby={`${target.id}-label`}
					hidden={!local?.oddity}
					disabled={disabled}
					onChange={(event) => report(local?.texts[event.currentTarget.selectedIndex] ?? text)}
				>
					{local?.oddity &&
						local.offsets.map((offset, at) => <option selected={local.texts[at] === text}>UTC{offset}</option>)}
				</select>
				<Button
					class="link"
					aria-describedby={`${target.id}-label`}
					disabled={disabled || (!isPicker && text !== '' && pickerValue(entry, text) === undefined)}
					onClick={toggle}
				>
					{t(isPicker ? 'Type as Text' : 'Use Picker')}
				</Button>
			</div>
			<Note oddity={local?.oddity} sent={spelled ?? (isPicker && entry !== 'date' ? text : '')} />
		</div>
	);
}

/** The offset from UTC of what the picker shows for a text: a moment in this zone, a time with its own offset. */
function Offset({ text }: { readonly text: string }) {
	const offset = localOffsetOf(text) ?? /(?:Z|[+-]\d\d:\d\d)$/.exec(text)?.[0];
	return (
		<span class="offset" hidden={offset === undefined}>
			{offset === undefined ? '' : offset === 'Z' ? 'UTC' : `UTC${offset}`}
		</span>
	);
}

/** What is odd about a local time, and what is sent for it. */
function Note({ oddity, sent }: { readonly oddity: LocalMoment['oddity']; readonly sent: string }) {
	const t = useT();
	const warning =
		oddity === 'twice'
			? t('The clock shows this time twice on that day. Check the offset.')
			: oddity === 'never'
				? t('The clock skips this time on that day. Check the offset.')
				: undefined;
	const lines = [warning, sent === '' ? undefined : t('Sent as {0}', sent)].filter((line) => line !== undefined);
	return (
		<p class="note" hidden={lines.length === 0}>
			{lines.join(gap(t))}
		</p>
	);
}

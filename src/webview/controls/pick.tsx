import type { ChoiceField, ChoicesField } from '../../elicitation/form/fields.ts';
import { Button } from '../common/button.tsx';
import { Bdi, joined, useT } from '../common/text.tsx';
import type { SingleProps } from './control.ts';

/** More than this are counted only. */
const MOST_LISTED = 20;

interface PickProps extends SingleProps<readonly number[] | null> {
	readonly field: ChoiceField | ChoicesField;
}

/** One or several among many: says what is chosen. The editor shows the options, which it can search. */
export function PickControl({ field, id, optional, noAnswer, value, disabled, target, choose }: PickProps) {
	const t = useT();
	const labels = (value ?? []).map((index) => <Bdi text={field.options[index]?.label ?? ''} />);
	const isNothing = value === null && (optional || field.kind === 'choices');
	const said = isNothing
		? noAnswer
		: labels.length === 1
			? labels[0]
			: field.kind === 'choice'
				? t('Choose one of the options.')
				: t('{0} selected', labels.length);
	const more = labels.length - MOST_LISTED;
	return (
		<div>
			<Button
				id={target.id}
				class="secondary pick clipped"
				aria-describedby={target['aria-describedby']}
				aria-labelledby={`${id}-label ${id}`}
				aria-haspopup="dialog"
				disabled={disabled}
				onClick={choose}
			>
				{said}
			</Button>
			{labels.length > 1 ? (
				<p class="help">
					{joined(' · ', labels.slice(0, MOST_LISTED))}
					{more > 0 ? ` · ${t('{0} more', more)}` : null}
				</p>
			) : null}
		</div>
	);
}

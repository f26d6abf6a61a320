import { fieldLabel } from '../../elicitation/form/constraint.ts';
import type { Field } from '../../elicitation/form/fields.ts';
import { localizable, render, type Sentence } from '../../elicitation/sentence.ts';
import type { ElicitationDetail } from '../../timelineProtocol.ts';
import { Constraint } from '../common/constraint.tsx';
import { Bdi, joined, useT } from '../common/text.tsx';

const kinds = {
	text: localizable('Text'),
	number: localizable('Number'),
	boolean: localizable('Yes or no'),
	choice: localizable('Single choice'),
	choices: localizable('Multiple choice'),
	list: localizable('List'),
	const: localizable('Fixed value'),
	json: localizable('JSON'),
} satisfies Record<Field['kind'], Sentence>;

interface FieldListProps extends Pick<ElicitationDetail, 'fields' | 'constraints'> {
	readonly more: number;
}

/** What a form asks for, as a list: nothing can be entered here. */
export function FieldList({ fields, constraints, more }: FieldListProps) {
	const t = useT();
	return (
		<ul class="points fields">
			{fields.map((field, at) => (
				<li>
					<FieldItem field={field} constraint={constraints[at] ?? []} />
				</li>
			))}
			{more > 0 ? <li class="note">{t('{0} more', more)}</li> : null}
		</ul>
	);
}

function FieldItem({ field, constraint }: { readonly field: Field; readonly constraint: readonly Sentence[] }) {
	const t = useT();
	const isMasked = field.kind === 'text' && field.secret;
	const kind = isMasked ? t('Text, masked') : render(kinds[field.kind], t);
	const options = field.kind === 'choice' || field.kind === 'choices' ? field.options : [];
	const labels = options.map(({ label }) => <Bdi text={label} />);
	return (
		<>
			<p>
				<Bdi in="strong" text={fieldLabel(field, t)} />{' '}
				{field.label === field.key ? null : [<Bdi in="code" class="key plain" text={field.key} />, ' ']}
				<span class="note">{[kind, ...(field.required ? [t('required')] : [])].join(' · ')}</span>
			</p>
			{field.description ? <Bdi in="p" class="help" text={field.description} /> : null}
			{constraint.length > 0 ? (
				<p class="help">
					<Constraint sentences={constraint} />
				</p>
			) : null}
			{labels.length > 0 ? <p class="help">{joined(' · ', labels)}</p> : null}
		</>
	);
}

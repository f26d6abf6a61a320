import type { Field } from '../../elicitation/form/fields.ts';
import { constraintOf } from '../common/constraint.tsx';
import type { WebviewString } from '../common/strings.ts';
import { Bdi, joined, useT } from '../common/text.tsx';

const kinds = {
	text: 'Text',
	number: 'Number',
	boolean: 'Yes or no',
	choice: 'One of several',
	choices: 'Some of several',
	list: 'List',
	const: 'Fixed value',
	json: 'JSON',
} as const satisfies Record<Field['kind'], WebviewString>;

/** What a form asks for, as a list: nothing can be entered here. */
export function FieldList({ fields, more }: { readonly fields: readonly Field[]; readonly more: number }) {
	const t = useT();
	return (
		<ul class="fields">
			{fields.map((field) => (
				<li>
					<FieldItem field={field} />
				</li>
			))}
			{more > 0 ? <li class="note">{t('{0} more', more)}</li> : null}
		</ul>
	);
}

function FieldItem({ field }: { readonly field: Field }) {
	const t = useT();
	const isMasked = field.kind === 'text' && field.secret;
	const kind = isMasked ? t('Text, masked') : t(kinds[field.kind]);
	const constraint = constraintOf(field, t);
	const options = field.kind === 'choice' || field.kind === 'choices' ? field.options : [];
	const labels = options.map(({ label }) => <Bdi text={label} />);
	return (
		<>
			<p>
				<Bdi in="strong" text={field.label} />{' '}
				{field.label === field.key ? null : [<Bdi in="code" class="key" text={field.key} />, ' ']}
				<span class="kind">{[kind, ...(field.required ? [t('required')] : [])].join(' · ')}</span>
			</p>
			{field.description ? <Bdi in="p" class="help" text={field.description} /> : null}
			{constraint.length > 0 ? <p class="help">{constraint}</p> : null}
			{labels.length > 0 ? <p class="help">{joined(' · ', labels)}</p> : null}
		</>
	);
}

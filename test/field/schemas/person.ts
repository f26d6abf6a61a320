import type { Field, Option } from '../../../src/elicitation/form/fields.ts';
import type { Input } from '../../../src/elicitation/form/inputs.ts';
import type { Act, RealWorldCase } from './case.ts';

/** What stands in the fields after the user has done what the case says. Throws where a field does not offer it. */
export function entered(fields: readonly Field[], initial: readonly Input[], enter: RealWorldCase['enter']): Input[] {
	const inputs = [...initial];
	for (const [key, act] of Object.entries(enter)) {
		const at = fields.findIndex((field) => field.key === key);
		const field = fields[at];
		if (field === undefined) {
			throw new Error(`There is no field ${key}.`);
		}
		inputs[at] = inputOf(field, act);
	}
	return inputs;
}

/** Whether the form lets the user leave the field without an answer. */
export function isOptional(field: Field): boolean {
	return !field.required || field.nullable;
}

function inputOf(field: Field, act: Act): Input {
	switch (field.kind) {
		case 'boolean':
			return { kind: 'boolean', value: act === null ? null : act === 'Yes' };
		case 'choice':
			return { kind: 'choice', index: act === null ? null : indexOf(field.options, textOf(act)) };
		case 'choices': {
			const indexes = listOf(act).map((label) => indexOf(field.options, label));
			return {
				kind: 'choices',
				indexes: indexes.length === 0 && isOptional(field) ? null : indexes.sort((a, b) => a - b),
			};
		}
		case 'list':
			return { kind: 'list', items: listOf(act).length === 0 && isOptional(field) ? null : listOf(act) };
		case 'const':
			throw new Error(`Nothing can be entered into ${field.key}.`);
		default:
			return { kind: 'text', text: act === null ? '' : textOf(act) };
	}
}

function indexOf(options: readonly Option[], label: string): number {
	const index = options.findIndex((option) => option.label === label);
	if (index < 0) {
		throw new Error(`There is no option ${label} among ${options.map((option) => option.label).join(', ')}.`);
	}
	return index;
}

function textOf(act: Act): string {
	if (typeof act !== 'string') {
		throw new Error('This field takes one text.');
	}
	return act;
}

function listOf(act: Act): readonly string[] {
	if (typeof act === 'string') {
		throw new Error('This field takes several entries.');
	}
	return act ?? [];
}

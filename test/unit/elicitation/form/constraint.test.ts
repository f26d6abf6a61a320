import { expect, it } from 'vitest';
import { fieldSummary } from '../../../../src/elicitation/form/constraint.ts';
import { fieldsOf } from '../../../../src/elicitation/form/readFields.ts';
import { english } from '../../../../src/elicitation/sentence.ts';

it.each([
	['date', 'A date, like 2026-03-31.'],
	['date-time', 'A date and time with an offset, like 2026-03-31T14:30:00+02:00.'],
	['time', 'A time with an offset, like 14:30:00Z or 14:30:00+02:00.'],
])('where a %s is typed, its format is shown before anything is wrong', (format, sentence) => {
	const fields = fieldsOf({ properties: { when: { type: 'string', format, description: 'The first day.' } } });
	expect(fields.map((field) => fieldSummary(field, english))).toEqual([`The first day. ${sentence}`]);
});

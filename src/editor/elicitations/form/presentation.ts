import type { Finding } from '../../../elicitation/findings/finding.ts';
import { handlingOf } from '../../../elicitation/findings/handling.ts';
import type { Field } from '../../../elicitation/form/fields.ts';
import { render } from '../../../elicitation/sentence.ts';
import type { FormModel } from '../../../protocol.ts';
import { localize } from '../../common/localize.ts';
import { setting } from '../../common/settings.ts';

/** Longer messages, or ones with several lines, need a panel (characters). A picker shows one line. */
const MAX_PICKER_MESSAGE = 200;

/** What a form says about its request. Only warnings that matter before accepting are shown above the buttons (F16). */
export function shownFindings(found: readonly Finding[]): Pick<FormModel, 'warnings' | 'findings'> {
	const findings = found.map(({ message, ...finding }) => {
		const handling = handlingOf(finding.rule);
		return { ...finding, text: render(message, localize), ...(handling && { handling: render(handling, localize) }) };
	});
	return { warnings: findings.filter(({ rule }) => rule === 'sensitive').map(({ text }) => text), findings };
}

/** `auto`: use pickers for up to three simple fields and a message that fits on one line. */
export function usesPickers(fields: readonly Field[], message: string): boolean {
	const presentation = setting('form.presentation');
	if (presentation !== 'auto') {
		return presentation === 'quickPick';
	}
	const asked = fields.filter(({ kind }) => kind !== 'const');
	return (
		asked.length <= 3 &&
		message.length <= MAX_PICKER_MESSAGE &&
		!message.includes('\n') &&
		asked.every(
			(field) =>
				field.kind === 'boolean' ||
				field.kind === 'number' ||
				field.kind === 'choice' ||
				field.kind === 'choices' ||
				(field.kind === 'text' && field.entry !== 'area'),
		)
	);
}

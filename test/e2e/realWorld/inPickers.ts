import { expect } from 'vitest';
import { native, visible } from '../../../src/elicitation/display.ts';
import type { Field, Option } from '../../../src/elicitation/form/fields.ts';
import { isOptional } from '../../field/schemas/person.ts';
import { type QuickInput, until } from '../driver/index.ts';
import type { Deed, Elicitation, Presentation } from './elicitations.ts';
import { listOf } from './inForm.ts';

/** How a field is left without an answer. */
const skip = ({ required }: Field) => (required ? 'Empty (null)' : 'Skip (leave out)');

/** Answers in a sequence of pickers. */
export const inPickers: Presentation = {
	async answer({ quickInput }, elicitation) {
		const { blocked } = elicitation.realWorld;
		const steps = blocked === undefined ? elicitation.deeds.filter(({ field }) => field.kind !== 'const') : [];
		for (const [at, deed] of steps.entries()) {
			await shows(quickInput, elicitation, `(${at + 1}/${steps.length + 1})`);
			if (deed.problem !== undefined && isList(deed) && deed.act === undefined) {
				// Nothing is chosen yet, and there is no way past it.
				expect(await quickInput.entries()).not.toContain(skip(deed.field));
				return;
			}
			await enter(quickInput, deed);
			if (deed.problem !== undefined) {
				await quickInput.shows(visible(deed.problem));
				return;
			}
		}
		await shows(quickInput, elicitation, '· Review');
		if (blocked === undefined) {
			await quickInput.pick(/^\s*Accept/);
		} else {
			await quickInput.entry(blocked).waitFor();
			expect(await quickInput.entry(/^\s*Accept/).count()).toBe(0);
		}
	},

	async leave({ quickInput }, _elicitation, over) {
		await quickInput.escape();
		await until('the pickers to be left', async (moment) => {
			if (await quickInput.entryNamed('Keep Editing').isVisible()) {
				// The call may be over at this very moment, and the picker with it.
				await quickInput
					.entry(/^\s*Discard/)
					.click({ timeout: moment })
					.catch(() => {});
			}
			return over();
		});
	},
};

/** Waits for a picker of this elicitation with this title. */
function shows(quickInput: QuickInput, { message }: Elicitation, title: string): Promise<boolean> {
	return until(`a picker of "${message}" with the title ${title}`, async () => {
		if (!(await quickInput.element.isVisible()) || !(await quickInput.title()).includes(title)) {
			return false;
		}
		const placeholder = (await quickInput.input.getAttribute('placeholder')) ?? '';
		return `${placeholder}\n${await quickInput.element.innerText()}`.replace(/\u00a0/g, ' ').includes(message);
	});
}

const isList = ({ field }: Deed) => field.kind === 'boolean' || field.kind === 'choice';

async function enter(quickInput: QuickInput, deed: Deed): Promise<void> {
	const { field, act, filled } = deed;
	if (field.kind === 'choices') {
		await tick(quickInput, field.options, field.default ?? [], act === undefined ? undefined : listOf(act));
	} else if (isList(deed)) {
		if (act === undefined && filled) {
			await quickInput.accept();
			return;
		}
		const label = typeof act === 'string' ? native(act) : skip(field);
		if (field.kind === 'choice' && field.options.length > 5) {
			// Entries that are out of sight do not exist.
			await quickInput.fill(label);
		}
		await quickInput.pick(label);
	} else if ((act === null || listOf(act ?? null).length + String(act).length === 0) && isOptional(field)) {
		await quickInput.press(skip(field));
	} else {
		if (act !== undefined) {
			await quickInput.fill(act === null ? '' : typeof act === 'string' ? act : act.join(', '));
		}
		await quickInput.accept();
	}
}

async function tick(
	quickInput: QuickInput,
	options: readonly Option[],
	ticked: readonly number[],
	wanted: readonly string[] | undefined,
): Promise<void> {
	for (const [at, { label }] of wanted === undefined ? [] : options.entries()) {
		if (ticked.includes(at) !== wanted?.includes(label)) {
			if (options.length > 5) {
				await quickInput.fill(native(label));
			}
			await quickInput.pick(native(label));
		}
	}
	await quickInput.accept();
}

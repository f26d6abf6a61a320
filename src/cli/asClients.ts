import { visibleOnOneLine } from '../elicitation/display.ts';
import { propertyFields } from '../elicitation/form/readFields.ts';
import type { JsonObject } from '../elicitation/json.ts';
import { asSeenBy, type SeenForm } from '../elicitation/personas/asSeenBy.ts';
import { PERSONAS, type Persona, titleOf } from '../elicitation/personas/persona.ts';
import { aboutAll, aboutField } from '../elicitation/personas/problemsAs.ts';
import { readElicitation } from '../elicitation/request.ts';
import type { Values } from './command.ts';
import { CannotRun } from './errors.ts';

const MARK_WIDTH = 4;
const LEGEND =
	'yes: as described · part: not all of it is shown or checked · else: another value is sent · no: left out · none: the client refuses, or asks nobody';

/** Throws a CannotRun for a client that is not known. */
export function personasFrom(names: Values[string]): readonly Persona[] {
	const wanted = Array.isArray(names) ? names.map(String) : [];
	return wanted.includes('all')
		? PERSONAS
		: wanted.map((name) => {
				const persona = PERSONAS.find(({ id }) => id === name);
				if (!persona) {
					const known = PERSONAS.map(({ id }) => id).join(', ');
					throw new CannotRun(`No client is called "${name}" here.`, `Clients: ${known}; or "all".`);
				}
				return persona;
			});
}

/** Which client shows which field of a request how: a line for each field, a column for each client. */
export function tableOf(params: JsonObject, personas: readonly Persona[]): string[] {
	const read = readElicitation({ message: '', ...params });
	if (!read.ok || read.request.mode !== 'form' || personas.length < 2) {
		return [];
	}
	const { requestedSchema } = read.request;
	const seen = personas.map((persona) => ({ persona, form: asSeenBy(persona, requestedSchema) }));
	const fields = propertyFields(requestedSchema);
	const width = Math.max(...fields.map(({ key }) => key.length), 0);
	const head = personas.map((persona, index) => `  ${index + 1} ${titleOf(persona)}`);
	const rows = fields.map(({ key }, at) => {
		const cells = seen.map(({ persona, form }) => markOf(persona, form, at));
		return visibleOnOneLine(`  ${key.padEnd(width)}  ${cells.join(' ').trimEnd()}`);
	});
	const numbers = personas.map((_, index) => String(index + 1).padEnd(MARK_WIDTH)).join(' ');
	return ['', ...head, '', `  ${''.padEnd(width)}  ${numbers}`.trimEnd(), ...rows, '', `  ${LEGEND}`];
}

function markOf(persona: Persona, { fields, refused }: SeenForm, at: number): string {
	const seen = fields[at];
	const notes = seen ? aboutField(persona, seen) : [];
	const mark =
		refused.length > 0 || aboutAll(persona, 'form').length > 0
			? 'none'
			: !seen?.shown
				? 'no'
				: notes.some(([, severity]) => severity === 'warning')
					? 'else'
					: notes.length > 0
						? 'part'
						: 'yes';
	return mark.padEnd(MARK_WIDTH);
}

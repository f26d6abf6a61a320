import { asSeenBy } from '../../../elicitation/personas/asSeenBy.ts';
import { FormAs } from '../../../elicitation/personas/formAs.ts';
import { type Persona, titleOf } from '../../../elicitation/personas/persona.ts';
import { aboutAll, aboutField, factsOf, provenanceOf, REFUSED } from '../../../elicitation/personas/problemsAs.ts';
import { render, type Sentence } from '../../../elicitation/sentence.ts';
import { localize } from '../../common/localize.ts';
import type { Presenters } from '../../elicitations/presenters.ts';

type OtherClient = NonNullable<Parameters<Presenters['preview']>[0]['as']>;

/** Previews forms as another client shows them, as far as that is known. */
export function otherClient(persona: Persona): OtherClient {
	const title = titleOf(persona);
	const text = (sentence: Sentence) => render(sentence, localize);
	return {
		title,
		view: (schema, validator) => {
			const { fields, lost, refused } = asSeenBy(persona, schema);
			const whole = aboutAll(persona, 'form').map(([message]) => text(message));
			const blocked = persona.automatic
				? whole.at(-1)
				: refused.length > 0
					? localize('The whole request is refused because of: {0}', refused.join(', '))
					: undefined;
			return {
				form: new FormAs(persona, schema, validator),
				notice: [
					localize('As {0}', title),
					text(provenanceOf(persona)),
					...whole,
					...(lost.length > 0 ? [localize('Not visible to the client: {0}.', lost.join(', '))] : []),
					...fields.filter(({ shown }) => !shown).map(({ field }) => localize('Left out: {0}', field.label)),
					...factsOf(persona).map(text),
				],
				notes: fields
					.filter(({ shown }) => shown)
					.map((seen) => [
						...(seen.refused ? [text(REFUSED)] : []),
						...aboutField(persona, seen).map(([message]) => text(message)),
					]),
				...(blocked !== undefined && { blocked }),
				...((persona.automatic || persona.form?.declines === false) && { declines: false }),
			};
		},
	};
}

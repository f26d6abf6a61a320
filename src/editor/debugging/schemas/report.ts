import { LIBRARIES } from '../../../elicitation/check/libraries.ts';
import { isObject, type JsonObject, own } from '../../../elicitation/json.ts';
import { type Persona, titleOf } from '../../../elicitation/personas/persona.ts';
import { factsOf, provenanceOf } from '../../../elicitation/personas/problemsAs.ts';
import { schemaMember } from '../../../elicitation/request.ts';
import { ELICITATION_REVISIONS } from '../../../elicitation/revisions.ts';
import { render, type Sentence } from '../../../elicitation/sentence.ts';
import { localize } from '../../common/localize.ts';
import type { CheckedRequest } from './diagnostics.ts';

/** Reports as JSON what each revision and each SDK makes of a request. */
export function reportOf({ request: { at, params, bare }, problems }: CheckedRequest): JsonObject {
	const name = schemaMember(params);
	const schema = own(params, name);
	const base = `/${name}`;
	const shown = (pointer: string) => (bare ? pointer.slice(base.length) : pointer);
	const revisions = ELICITATION_REVISIONS.map((revision) => [
		revision,
		problems
			.filter((problem) => problem.revisions.includes(revision))
			.map(({ pointer, message }) => `${shown(pointer)}: ${render(message, localize)}`),
	]);
	const libraries = LIBRARIES.map((library) => {
		const { refused, dropped } = library.read(isObject(schema) ? schema : {});
		const places = (pointers: readonly string[]) => pointers.map((pointer) => shown(`${base}${pointer}`));
		return [
			`${library.name} ${library.version} (${library.side})`,
			{
				...(refused.length > 0 && { [library.side === 'client' ? 'refuses' : 'cannotSend']: places(refused) }),
				...(dropped.length > 0 && { drops: places(dropped) }),
			},
		];
	});
	return {
		...(at.length > 0 && { request: at.join('.') }),
		revisions: Object.fromEntries(revisions),
		...(isObject(schema) && { libraries: Object.fromEntries(libraries) }),
	};
}

/** Reports as JSON what another client does with a request. */
export function reportAs(persona: Persona, { request: { at }, problems }: CheckedRequest): JsonObject {
	const text = (sentence: Sentence) => render(sentence, localize);
	return {
		...(at.length > 0 && { request: at.join('.') }),
		client: titleOf(persona),
		source: text(provenanceOf(persona)),
		...(persona.declares && { declares: persona.declares as JsonObject }),
		problems: problems.map(({ pointer, message }) => `${pointer}: ${text(message)}`),
		facts: factsOf(persona).map(text),
	};
}

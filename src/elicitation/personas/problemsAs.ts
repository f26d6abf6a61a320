import { sectionOf } from '../check/advice.ts';
import type { Problem } from '../check/check.ts';
import type { JsonObject } from '../json.ts';
import { writeJson } from '../jsonText.ts';
import { pointerToken } from '../pointer.ts';
import { readElicitation, schemaMember } from '../request.ts';
import { localizable, type Sentence } from '../sentence.ts';
import { asSeenBy, type SeenField } from './asSeenBy.ts';
import { declaresMode, type Persona, titleOf } from './persona.ts';

/** What happens to the params of `elicitation/create` in another client, at the places where it happens. */
export function problemsAs(persona: Persona, params: JsonObject): readonly Problem[] {
	const problem = (pointer: string, [message, severity]: Note): Problem => ({
		pointer,
		rule: persona.id,
		severity,
		message: localizable('{0}: {1}', titleOf(persona), message),
		revisions: [],
		libraries: [],
		section: 'documented' in persona.source ? persona.source.documented : sectionOf('', '2025-11-25'),
	});
	const intake = readElicitation({ message: '', ...params });
	if (!intake.ok) {
		return [];
	}
	const { request } = intake;
	const whole = aboutAll(persona, request.mode === 'url' ? 'url' : 'form').map((note) => problem('', note));
	if (request.mode === 'url') {
		return [...whole, ...aboutUrl(persona).map((note) => problem('/url', note))];
	}
	const base = `/${schemaMember(params)}`;
	const { fields, lost, refused } = asSeenBy(persona, request.requestedSchema);
	return [
		...whole,
		...(lost.length > 0
			? [problem(base, [localizable('Not visible to the client: {0}.', lost.join(', ')), 'info'])]
			: []),
		...refused.map((pointer) => problem(`${base}${pointer}`, [REFUSED, 'warning'])),
		...fields.flatMap((seen) =>
			aboutField(persona, seen).map((note) => problem(`${base}/properties/${pointerToken(seen.field.key)}`, note)),
		),
	];
}

type Note = readonly [message: Sentence, severity: Problem['severity']];

/** Why a field keeps a request from being shown. */
export const REFUSED = localizable('The whole request is refused because of this.');

/** What a client does to a field, besides refusing it. */
export function aboutField(
	{ form }: Persona,
	{ field, shown, lost, hidden, unchecked, losesDefault }: SeenField,
): Note[] {
	const notes: Note[] = [];
	const add = (severity: Problem['severity'], message: Sentence) => notes.push([message, severity]);
	if (!shown) {
		add('warning', localizable('There is no control for it: the property is left out.'));
		return notes;
	}
	if (lost.length > 0) {
		add('info', localizable('Not visible to the client: {0}.', lost.join(', ')));
	}
	if (hidden.length > 0) {
		add('info', localizable('Not shown: {0}.', hidden.join(', ')));
	}
	if (unchecked.length > 0) {
		add('info', localizable('Not checked: {0}.', unchecked.join(', ')));
	}
	if (losesDefault && 'default' in field) {
		add('warning', localizable('The default {0} is lost.', writeJson(field.default)));
	}
	if (field.kind === 'boolean' && form?.typesBooleans) {
		add('warning', localizable('It is entered as text, such as {0}.', '"true"'));
	}
	const blank = field.kind === 'choice' && form?.choosesFirst ? field.options[0]?.value : form?.blank?.[field.kind];
	if (blank !== undefined && !field.required) {
		add('warning', localizable('Left blank, it is sent as {0}.', writeJson(blank)));
	}
	return notes;
}

/** Why a request of a mode does not reach the client's user, if it does not. */
export function aboutAll(persona: Persona, mode: 'form' | 'url'): Note[] {
	const { automatic } = persona;
	return [
		...(declaresMode(persona, mode) === false
			? [
					[
						mode === 'url'
							? localizable('It does not declare URL mode, so a server must not send this.')
							: localizable('It does not declare elicitation, so a server must not send this.'),
						'warning',
					] as const,
				]
			: []),
		...(automatic
			? [
					[
						automatic.action === 'none'
							? localizable('It shows nothing and sends no response.')
							: localizable('It responds without a person: {0}', writeJson(automatic)),
						'warning',
					] as const,
				]
			: []),
	];
}

function aboutUrl({ url, automatic }: Persona): Note[] {
	if (automatic || !url || url.opens === 'never') {
		return [];
	}
	return [
		...(url.opens === 'atOnce' ? [[localizable('The URL is opened without consent.'), 'warning'] as const] : []),
		...(url.schemes
			? [[localizable('URLs are refused unless they begin with {0}.', url.schemes.join(', ')), 'info'] as const]
			: []),
		...(url.showsHost ? [] : [[localizable('The host is not shown apart from the URL.'), 'info'] as const]),
	];
}

/** What else is known of a client. */
export function factsOf({ form, waits, several, automatic }: Persona): Sentence[] {
	const isShown = form !== undefined && !automatic;
	return [
		...(isShown && form.declines === false ? [localizable('There is no Decline button.')] : []),
		...(isShown && form.cancel === 'decline' ? [localizable('Cancel sends {0}.', '"decline"')] : []),
		...(waits === undefined
			? []
			: [
					waits === null
						? localizable('It waits without a limit.')
						: localizable('It gives up on the call after {0} s.', waits),
				]),
		...(several === 'oneByOne' ? [localizable('Several requests are shown one after another.')] : []),
		...(several === 'newest' ? [localizable('A new request ends the previous one.')] : []),
	];
}

/** When and how a persona was determined. */
export function provenanceOf({ source, date }: Persona): Sentence {
	return 'documented' in source
		? localizable('documented {0}: {1}', date, source.documented)
		: localizable('measured {0}', date);
}

import type { Library } from '../check/libraries.ts';
import type { ElicitationResponse } from '../elicitation.ts';
import type { Field } from '../form/fields.ts';
import type { Json, JsonObject } from '../json.ts';
import { modesOf } from '../request.ts';
import type { ElicitationRevision } from '../revisions.ts';
import data from './personas.json' with { type: 'json' };

/** What a client responds without a person; `none`: nothing at all. */
export type AutomaticResponse =
	| Exclude<ElicitationResponse, { action: 'error' }>
	| { readonly action: 'none' }
	| { readonly action: 'error'; readonly code: number };

/** How a client's form treats a schema. */
export interface PersonaForm {
	/** Keywords of a property that it does not show. A `default` is not entered either. */
	readonly hides?: readonly string[];
	/** Keywords that it does not check. */
	readonly ignores?: readonly string[];
	/** Kinds of fields without a control, whose property it leaves out. */
	readonly omits?: readonly Field['kind'][];
	/** What it sends for an optional field that is left blank. Kinds that are not named are left out of the content. */
	readonly blank?: { readonly [kind in Field['kind']]?: Json };
	/** True if a choice without a default starts with its first option. */
	readonly choosesFirst?: boolean;
	/** True if it loses the defaults `false`, `0` and `""`. */
	readonly losesFalsyDefaults?: boolean;
	/** True if a Boolean is entered as text. */
	readonly typesBooleans?: boolean;
	/** False if there is no Decline. */
	readonly declines?: boolean;
	/** The action that its Cancel sends. */
	readonly cancel?: 'cancel' | 'decline';
}

/** Another client and how it treats elicitations. Facts that are not known are absent. */
export interface Persona {
	readonly id: string;
	readonly name: string;
	/** Absent if the report does not state it. */
	readonly version?: string;
	/** Day on which it was measured, or on which the source was read (ISO 8601). */
	readonly date: string;
	/** The script of this repository that measures it, or the address of a public report or of its source. */
	readonly source: { readonly measured: string } | { readonly documented: string };
	/** What it declares as `capabilities.elicitation` in the revisions that it negotiates; null if nothing. */
	readonly declares?: { readonly [revision in ElicitationRevision]?: JsonObject | null };
	/** The library through which it reads requests. Absent if it reads them as they were sent. */
	readonly library?: Library['id'];
	/** Code of the error that it sends for a form that it refuses. */
	readonly refusal?: number;
	/** Absent if it shows no form. */
	readonly form?: PersonaForm;
	/** What it responds to every request, forms and URLs alike, without a person. Absent if a person responds. */
	readonly automatic?: AutomaticResponse;
	/** Time until it gives up on the call (s); null for never. */
	readonly waits?: number | null;
	/** What it does with URLs; `never` refuses all of them. `schemes`: those that it does not refuse; absent if it refuses none. */
	readonly url?: {
		readonly opens: 'atOnce' | 'afterConsent' | 'never';
		readonly showsHost: boolean;
		readonly schemes?: readonly string[];
	};
	/** Several requests at once: it shows all of them, one after another, or ends the one before. */
	readonly several?: 'all' | 'oneByOne' | 'newest';
}

/** All personas, which a test checks against `personas.schema.json`. */
export const PERSONAS = data.personas as unknown as readonly Persona[];

/** Whether it declares a mode in any revision; undefined if that is not known. */
export function declaresMode({ declares }: Persona, mode: 'form' | 'url'): boolean | undefined {
	return declares && Object.values(declares).some((each) => ['both', mode].includes(modesOf(each)));
}

/** Its name with the version. */
export function titleOf({ name, version }: Persona): string {
	return version === undefined ? name : `${name} ${version}`;
}

import type { Library } from '../check/libraries.ts';
import type { ProperResponse } from '../elicitation.ts';
import type { Field } from '../form/fields.ts';
import type { Json, JsonObject } from '../json.ts';
import { modesOf } from '../request.ts';
import type { ElicitationRevision } from '../revisions.ts';
import data from './personas.json' with { type: 'json' };

/** What a client responds without a person; `none`: nothing at all. */
export type AutomaticResponse =
	| Exclude<ProperResponse, { action: 'error' }>
	| { readonly action: 'none' }
	| { readonly action: 'error'; readonly code: number };

export interface PersonaForm {
	readonly hides?: readonly string[];
	readonly ignores?: readonly string[];
	readonly omits?: readonly Field['kind'][];
	readonly blank?: { readonly [kind in Field['kind']]?: Json };
	readonly choosesFirst?: boolean;
	readonly losesFalsyDefaults?: boolean;
	readonly typesBooleans?: boolean;
	readonly declines?: boolean;
	readonly cancel?: 'cancel' | 'decline';
}

/** Another client, as `personas.schema.json` describes it. Facts that are not known are absent. */
export interface Persona {
	readonly id: string;
	readonly name: string;
	readonly version?: string;
	readonly date: string;
	readonly source: { readonly measured: string } | { readonly documented: string };
	readonly declares?: { readonly [revision in ElicitationRevision]?: JsonObject | null };
	readonly library?: Library['id'];
	readonly refusal?: number;
	readonly form?: PersonaForm;
	readonly automatic?: AutomaticResponse;
	/** In seconds; null for never. */
	readonly waits?: number | null;
	readonly url?: {
		readonly opens: 'atOnce' | 'afterConsent' | 'never';
		readonly showsHost: boolean;
		readonly schemes?: readonly string[];
	};
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

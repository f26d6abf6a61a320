import { type Persona, titleOf } from '../../../elicitation/personas/persona.ts';
import { modesOf } from '../../../elicitation/request.ts';
import { localizable } from '../../../elicitation/sentence.ts';
import { personaTrial } from '../../../trials/personaTrial.ts';
import type { Variant } from '../../servers/servers.ts';
import type { PlannedRun } from './plan.ts';
import { onTemporaryConnection, type RepeatedCall, type TestBench } from './temporaryConnection.ts';

/** Repeats a call as another client, on a connection that declares what the client declares. */
export function personaRun(bench: TestBench, subject: RepeatedCall, persona: Persona): PlannedRun {
	const name = localizable('As {0}', titleOf(persona));
	const trial = personaTrial(persona, bench.validator, subject.before);
	return {
		name,
		showsAnswer: true,
		run: (signal) =>
			onTemporaryConnection(bench, subject, name, variantOf(persona), signal, (attempt) =>
				attempt({ ...trial, description: localizable('Run as {0}', titleOf(persona)) }),
			),
		// It need not have the revision, nor succeed without a response of a person.
		refusal: ({ call }) => (persona.automatic ? 'expected' : call ? undefined : 'neutral'),
	};
}

/** The newest revision that the client negotiates, with the modes that it declares there. */
export function variantOf({ declares }: Persona): Variant {
	const protocolVersion = Object.keys(declares ?? {})
		.sort()
		.at(-1) as keyof NonNullable<Persona['declares']> | undefined;
	return protocolVersion === undefined ? {} : { protocolVersion, advertise: modesOf(declares?.[protocolVersion]) };
}

import { servesMode } from '../../../config/capabilities.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import type { Variant } from '../../servers/servers.ts';
import { requestStateTests } from './requestState.ts';
import { taskTests } from './tasks.ts';
import {
	accepting,
	onTemporaryConnection,
	type ProtocolTestRun,
	type RepeatedCall,
	type TrialTools,
} from './temporaryConnection.ts';
import { urlRequiredTests } from './urlElicitationRequired.ts';

type Mode = Elicitation['request']['mode'];

/** All protocol tests for a call. Tests that tamper with something are included only if the call used it. */
export function protocolTests(
	tools: TrialTools,
	subject: RepeatedCall,
	revisions: readonly string[],
): ProtocolTestRun[] {
	const modes = new Set(subject.before.map(({ request }) => request.mode));
	const simple = (
		group: ProtocolTestRun['group'],
		name: Sentence,
		variant: Variant,
		refusal: NonNullable<ProtocolTestRun['refusal']>,
	): ProtocolTestRun => ({
		...{ group, name, refusal },
		run: (signal) =>
			onTemporaryConnection(tools, subject, name, variant, signal, (makeCall) => makeCall(accepting(tools, subject))),
	});
	/** A call must fail if it needs a mode that the client does not declare. */
	const unlessAll = (has: (mode: Mode) => boolean) => ([...modes].every(has) ? undefined : ('expected' as const));
	const lacking = (advertised: readonly string[]) => () => unlessAll((mode) => advertised.includes(mode));
	return [
		simple('modes', localizable('Form mode only'), { advertise: 'form' }, lacking(['form'])),
		simple('modes', localizable('URL mode only'), { advertise: 'url' }, lacking(['url'])),
		simple('modes', localizable('No elicitation'), { advertise: 'none' }, lacking([])),
		simple('modes', localizable('Both modes'), { advertise: 'both' }, lacking(['form', 'url'])),
		...revisions.map((revision) =>
			simple('revisions', localizable('Revision {0}', revision), { protocolVersion: revision }, ({ call }) =>
				// It need not have every revision, nor run a task as an ordinary call.
				call && (call.task !== undefined || !subject.isTask)
					? unlessAll((mode) => isInRevision(mode, revision))
					: 'neutral',
			),
		),
		...requestStateTests(tools, subject),
		...urlRequiredTests(tools, subject),
		...taskTests(tools, subject),
	];
}

function isInRevision(mode: Mode, revision: string): boolean {
	const elicitation = { form: 'ask', url: 'ask', advertise: 'both' } as const;
	return mode === 'sampling' || servesMode({ elicitation, protocolVersion: revision }, mode, revision);
}

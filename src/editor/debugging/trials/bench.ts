import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import type { Variant } from '../../servers/servers.ts';
import { byState } from './requestState.ts';
import { byRequirement } from './requiredPages.ts';
import { accepting, type Bench, type BenchRun, onSecond, type Subject } from './temporaryConnection.ts';

/** All protocol tests for a call. Tests that tamper with something are included only if the call used it. */
export function benchRuns(bench: Bench, subject: Subject, revisions: readonly string[]): BenchRun[] {
	const simple = (group: BenchRun['group'], name: Sentence, variant: Variant): BenchRun => ({
		...{ group, name, calls: 1 },
		run: (signal) => onSecond(bench, subject, name, variant, signal, (attempt) => attempt(accepting(bench, subject))),
	});
	return [
		simple('modes', localizable('Form mode only'), { advertise: 'form' }),
		simple('modes', localizable('URL mode only'), { advertise: 'url' }),
		simple('modes', localizable('No elicitation'), { advertise: 'none' }),
		simple('modes', localizable('Both modes'), { advertise: 'both' }),
		...revisions.map((revision) =>
			simple('revisions', localizable('Revision {0}', revision), { protocolVersion: revision }),
		),
		...byState(bench, subject),
		...byRequirement(bench, subject),
	];
}

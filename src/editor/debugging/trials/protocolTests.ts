import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import type { Variant } from '../../servers/servers.ts';
import { requestStateTests } from './requestState.ts';
import {
	accepting,
	onTemporaryConnection,
	type ProtocolTestRun,
	type RepeatedCall,
	type TestBench,
} from './temporaryConnection.ts';
import { urlRequiredTests } from './urlElicitationRequired.ts';

/** All protocol tests for a call. Tests that tamper with something are included only if the call used it. */
export function protocolTests(
	bench: TestBench,
	subject: RepeatedCall,
	revisions: readonly string[],
): ProtocolTestRun[] {
	const simple = (group: ProtocolTestRun['group'], name: Sentence, variant: Variant): ProtocolTestRun => ({
		...{ group, name, calls: 1 },
		run: (signal) =>
			onTemporaryConnection(bench, subject, name, variant, signal, (attempt) => attempt(accepting(bench, subject))),
	});
	return [
		simple('modes', localizable('Form mode only'), { advertise: 'form' }),
		simple('modes', localizable('URL mode only'), { advertise: 'url' }),
		simple('modes', localizable('No elicitation'), { advertise: 'none' }),
		simple('modes', localizable('Both modes'), { advertise: 'both' }),
		...revisions.map((revision) =>
			simple('revisions', localizable('Revision {0}', revision), { protocolVersion: revision }),
		),
		...requestStateTests(bench, subject),
		...urlRequiredTests(bench, subject),
	];
}

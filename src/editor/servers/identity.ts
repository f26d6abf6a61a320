import { createHash } from 'node:crypto';
import { effectiveParts } from '../../config/fingerprint.ts';
import { effectiveDefinition } from '../../config/launch.ts';
import { receiverOf } from '../../config/receiver.ts';
import { keyOf } from '../../elicitation/json.ts';
import type { ConfiguredServer } from '../common/serverEntry.ts';
import { inFolder, variablesOf } from './variables.ts';

/**
 * Identifies a server by where it is defined and what it is: what runs or where data goes, with variables resolved, and on which
 * machine, where that depends on it. A name is no identity: another workspace, or a change, may put another server under it. Hashed,
 * because variables and headers may be private.
 */
export function identityOf(
	{ source, definition, inputs }: ConfiguredServer,
	machine: () => string,
): string | undefined {
	if (!definition) {
		return undefined;
	}
	const shown = inFolder(effectiveDefinition(definition, variablesOf(source)).definition, source);
	const parts = effectiveParts({ written: definition, shown, inputs });
	return createHash('sha256')
		.update(keyOf(source.uri, parts, receiverOf(shown).isLocal ? machine() : ''))
		.digest('hex');
}

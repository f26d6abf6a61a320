import { createHash } from 'node:crypto';
import { keyOf } from '../../elicitation/json.ts';
import { loadedConfig } from '../common/loadConfig.ts';
import type { ConfiguredServer } from './configuration.ts';

/**
 * Identifies a server by where it is defined and what it is: what runs, or where data goes. A name is not an identity: another
 * workspace, or a change, may put another server under it. Hashed, because variables and headers may be secret.
 */
export function identityOf(configured: ConfiguredServer | undefined): string {
	const { source, definition, inputs = [] } = configured ?? {};
	const parts = definition && loadedConfig().effectiveParts({ written: definition, shown: definition, inputs });
	return createHash('sha256').update(keyOf(source?.uri, parts)).digest('hex');
}

import type { ServerDefinition } from '../../config/definition.ts';
import type { Receiver } from '../../config/receiver.ts';
import { loadConfig } from '../common/loadConfig.ts';
import type { Source } from './configSource.ts';
import { inFolder, variablesOf } from './variables.ts';

/** Who receives the secrets that are entered for a server. Inputs appear by name, not by value. */
export async function receiverFor(
	source: Source,
	definition: ServerDefinition,
	variables = variablesOf(source),
): Promise<Receiver> {
	const { effectiveDefinition, receiverOf } = await loadConfig();
	return receiverOf(inFolder(effectiveDefinition(definition, variables).definition, source));
}

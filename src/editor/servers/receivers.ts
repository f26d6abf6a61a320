import type { ServerDefinition } from '../../config/definition.ts';
import type { InputValue } from '../../config/launch.ts';
import type { Receiver } from '../../config/receiver.ts';
import { loadConfig } from '../common/loadConfig.ts';
import type { Source } from '../common/serverEntry.ts';
import { inFolder, variablesOf } from './variables.ts';

/**
 * Who receives the secrets that are entered for a server.
 * @param entered the inputs that decide it; others appear by name, not by value
 */
export async function receiverFor(
	source: Source,
	definition: ServerDefinition,
	entered: ReadonlyMap<string, InputValue>,
	variables = variablesOf(source),
): Promise<Receiver> {
	const { effectiveDefinition, receiverOf } = await loadConfig();
	return receiverOf(inFolder(effectiveDefinition(definition, variables, entered).definition, source));
}

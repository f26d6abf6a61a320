import type { ServerDefinition } from '../../config/definition.ts';
import { effectiveDefinition, type InputValue } from '../../config/launch.ts';
import { type Receiver, receiverOf } from '../../config/receiver.ts';
import type { Source } from '../common/serverEntry.ts';
import { inFolder, variablesOf } from './variables.ts';

/**
 * Who receives the secrets that are entered for a server.
 * @param entered the inputs that decide it; others appear by name, not by value
 */
export function receiverFor(
	source: Source,
	definition: ServerDefinition,
	entered: ReadonlyMap<string, InputValue>,
	variables = variablesOf(source),
): Receiver {
	return receiverOf(inFolder(effectiveDefinition(definition, variables, entered).definition, source));
}

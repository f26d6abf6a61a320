import type { Receiver } from '../config/receiver.ts';
import type { ConfiguredServer } from './configuration.ts';
import { loadConfig } from './loadConfig.ts';
import { inFolder, variablesOf } from './variables.ts';

/** Who gets the secrets that are entered for a server as it is defined now; undefined where its definition is unusable. */
export async function receiverFor({ source, definition }: ConfiguredServer): Promise<Receiver | undefined> {
	const { effectiveDefinition, receiverOf } = await loadConfig();
	return definition && receiverOf(inFolder(effectiveDefinition(definition, variablesOf(source)).definition, source));
}

import type { ServerDefinition } from '../../../src/config/definition.ts';
import { readServers } from '../../../src/config/readDefinition.ts';

/** A definition that must be good. */
export function define(value: unknown): ServerDefinition {
	const [definition] = readServers({ it: value }).servers;
	if (!definition) throw new Error('The test needs a good definition.');
	return definition;
}

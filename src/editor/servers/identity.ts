import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ServerDefinition } from '../../config/definition.ts';
import { effectiveParts } from '../../config/fingerprint.ts';
import { effectiveDefinition, type InputValue } from '../../config/launch.ts';
import { type Receiver, receiverOf } from '../../config/receiver.ts';
import { keyOf } from '../../elicitation/json.ts';
import type { ConfiguredServer, Source } from '../common/serverEntry.ts';
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

/**
 * A random id of the machine that servers are started on and local addresses lead to, created on first use. The editor shares its
 * secrets and its state with containers and remote machines, but this file stays where it is.
 */
export function machineIn(file: string): () => string {
	let known: string | undefined;
	return () => {
		known ??= read(file) ?? create(file);
		return known;
	};
}

function read(file: string): string | undefined {
	try {
		const text = readFileSync(file, 'utf8');
		// A file that was written in part is nobody's id.
		return /^[\da-f-]{36}$/.test(text) ? text : undefined;
	} catch {
		return undefined;
	}
}

function create(file: string): string {
	const id = randomUUID();
	try {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, id, { mode: 0o600 });
	} catch {
		// If nothing can be written, this window counts as a machine of its own. The only effect is that the user is asked more often.
		return id;
	}
	// If several windows create it at the same time, the last one wins.
	return read(file) ?? id;
}

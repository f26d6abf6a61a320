import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Memento, SecretStorage } from 'vscode';

/** What a workspace remembers: JSON by key, so that everything read is a copy. */
export function memento(stored: Map<string, string> = new Map()): Memento {
	return {
		keys: () => [...stored.keys()],
		get: (key: string, missing?: unknown) =>
			JSON.parse(stored.get(key) ?? JSON.stringify(missing) ?? 'null') ?? missing,
		update: async (key: string, value: unknown) => {
			if (value === undefined) {
				stored.delete(key);
			} else {
				stored.set(key, JSON.stringify(value));
			}
		},
	} as Memento;
}

export function secretStorage(stored: Map<string, string> = new Map()): SecretStorage {
	return {
		get: async (key: string) => stored.get(key),
		store: async (key: string, value: string) => void stored.set(key, value),
		delete: async (key: string) => void stored.delete(key),
	} as unknown as SecretStorage;
}

/** A folder that goes with the test. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-editor-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return folder;
}

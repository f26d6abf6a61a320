import { readdirSync, readFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { Failure } from '../../../../src/mcp/index.ts';

/** The variable that identifies the processes of one test, including descendants. */
const MARK = 'MCP_ELICITATION_TEST_MARK';

/** Marks the processes of a definition. */
export function marking(mark: string): { env: Record<string, string> } {
	return { env: { [MARK]: mark } };
}

/** The running processes with the mark. Linux only. */
export function marked(mark: string): number[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.filter((pid) => {
			try {
				return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${MARK}=${mark}`);
			} catch {
				return false;
			}
		})
		.map(Number);
}

/** Waits until no process has the mark. The kernel may report a killed process for a moment. */
export async function noneLeft(mark: string): Promise<void> {
	await vi.waitFor(() => expect(marked(mark), 'still running').toEqual([]));
}

/** The Failure that a start or a call rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
	const error = await promise.then(
		() => 'It went through.',
		(reason: unknown) => reason,
	);
	expect(error).toBeInstanceOf(Failure);
	return error as Failure;
}

import type { ChildProcess } from 'node:child_process';
import { expect, it, vi } from 'vitest';
import { define, testClients } from '../testClient.ts';

/** What cross-spawn does on Windows when cmd.exe has not found the command, and so exits with code 1. */
vi.mock('cross-spawn', async (original) => {
	const { default: spawn } = await original<{ default: typeof import('cross-spawn') }>();
	return {
		default: (...parameters: Parameters<typeof spawn>): ChildProcess => {
			const child = spawn(...parameters);
			const emit = child.emit.bind(child);
			child.emit = (event: string, ...args: unknown[]) =>
				event === 'exit'
					? emit('error', Object.assign(new Error('spawn missing ENOENT'), { code: 'ENOENT' }))
					: emit(event, ...args);
			return child;
		},
	};
});

const world = testClients();

it('a command that only the shell of Windows has missed is explained like any other that was not found', async () => {
	const connection = world().create(define('gone', { command: process.execPath, args: ['-e', 'process.exit(1)'] }));
	await expect(connection.start()).rejects.toThrow(/^gone: The command ".*" was not found\. Check "command"/);
});

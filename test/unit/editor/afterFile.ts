import { afterAll, vi } from 'vitest';
import { resetVscode } from './vscode.ts';

// Files of tests share the modules: none may find what another one has replaced.
afterAll(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	resetVscode();
});

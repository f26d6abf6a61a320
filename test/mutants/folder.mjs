// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder for what the processes of tests build. The test servers are bundled before, once for all runs side by side.
 * @param {Pick<import('vitest/node').TestProject, 'provide'>} project
 */
export default async function setup(project) {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-run-'));
	project.provide('folderOfRun', folder);
	return () => rm(folder, { recursive: true, force: true });
}

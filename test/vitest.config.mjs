import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './harness/longestFirst.mjs';
import { nightly } from './harness/paths.mjs';

// Long enough for a machine that is busy with other things: a test that hangs is caught, a slow one is not called wrong.
// By night, properties are tried ten times as often. Tests have no limits of their own, which would be shorter one day.
const testTimeout = nightly ? 3_600_000 : 180_000;

/** How long conditions are waited for. */
const waits = 'test/waits.ts';
const expect = { poll: { timeout: 120_000 } };

/** Pictures are texts, as in the build. @type {import('vite').Plugin} */
const svgAsText = {
	name: 'svg-as-text',
	enforce: 'pre',
	load: (id) => (id.endsWith('.svg') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined),
};

const unitTests = readdirSync('test/unit', { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.test.ts'))
	.map((file) => `test/unit/${file.replaceAll('\\', '/')}`);

/** Modules of the extension import `vscode`, which only the editor has. */
const fakeVscode = fileURLToPath(new URL('unit/editor/vscode.ts', import.meta.url));

/** The tests of webviews in a real browser. */
const inBrowser = 'test/webview/{browser,contrast,formLayout}.test.ts';

/** The tests that replace modules, count what their process holds, or have a browser: each file has a process of its own. */
const ownProcess = [
	inBrowser,
	...unitTests.filter((file) => /\bvi\.mock\(/.test(readFileSync(file, 'utf8'))),
	'test/unit/mcp/memory.test.ts',
	'test/unit/site/site.test.ts',
	'test/unit/harness/package.test.ts',
];

/** Tests that need no editor: pure code, the connection layer against real servers, and the webviews in a simulated page. */
export default defineConfig({
	test: {
		// Half of the time is spent waiting, for servers and for clocks.
		maxWorkers: availableParallelism() + 2,
		sequence: {
			sequencer: longestFirst('unit', [
				'harness/packageCli',
				'webview/browser',
				'webview/contrast',
				'webview/formLayout',
				'tasks/servers',
				'tasks/requester',
				'mcp/streams',
			]),
		},
		globalSetup: ['test/harness/testServers.mjs'],
		coverage: {
			provider: 'v8',
			include: ['src/**/*.{ts,tsx}'],
			reporter: ['text', 'html'],
			reportsDirectory: 'test-results/coverage',
		},
		projects: [
			{
				resolve: { alias: { vscode: fakeVscode } },
				test: {
					name: 'unit',
					setupFiles: [waits, 'test/unit/editor/afterFile.ts'],
					expect,
					include: ['test/unit/**/*.test.ts'],
					exclude: ownProcess,
					environment: 'node',
					// Loading the modules anew for every file would take longer than most files do.
					isolate: false,
					testTimeout,
					hookTimeout: testTimeout,
				},
			},
			{
				test: {
					name: 'isolated',
					setupFiles: [waits],
					expect,
					include: ownProcess,
					environment: 'node',
					testTimeout,
					hookTimeout: testTimeout,
				},
			},
			{
				plugins: [svgAsText],
				test: {
					name: 'webview',
					setupFiles: [waits],
					expect,
					include: ['test/webview/**/*.test.ts'],
					exclude: [inBrowser],
					environment: 'jsdom',
					// A simulated page takes longer to begin than most files to run.
					isolate: false,
					testTimeout,
					hookTimeout: testTimeout,
				},
			},
		],
	},
});

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundlePrograms, NODE_ENTRIES } from '../../../scripts/build.mjs';
import { bytesOf, loadedWith, type Outputs, reachableFrom, sourcesOf } from '../../../scripts/bundles.mjs';
import { LIMITS } from '../../harness/figures.mjs';

/** Where a file may stand, what it imports, and whether the arrows of the architecture allow that. */
const ARROWS: readonly (readonly [file: string, imported: string, allowed: boolean])[] = [
	['src/elicitation/a.ts', './json.ts', true],
	['src/elicitation/a.ts', 'tldts', true],
	['src/elicitation/url/a.ts', 'punycode/punycode.js', true],
	['src/elicitation/a.ts', './form/fields.ts', true],
	['src/elicitation/form/a.ts', '../json.ts', true],
	['src/elicitation/findings/a.ts', '../form/fields.ts', true],
	['src/elicitation/form/a.ts', '../../protocol.ts', false],
	['src/elicitation/form/a.ts', '../../mcp/index.ts', false],
	['src/elicitation/form/a.ts', 'vscode', false],
	['src/elicitation/a.ts', 'vscode', false],
	['src/elicitation/a.ts', 'node:fs', false],
	['src/elicitation/a.ts', 'node:fs/promises', false],
	['src/elicitation/a.ts', '@modelcontextprotocol/client', false],
	['src/elicitation/a.ts', '../protocol.ts', false],
	['src/elicitation/a.ts', '../mcp/index.ts', false],
	['src/elicitation/a.ts', './../mcp/index.ts', false],
	['src/trace/a.ts', '../elicitation/../mcp/index.ts', false],
	['src/validation/a.ts', '../elicitation/json.ts', true],
	['src/validation/a.ts', 'ajv/dist/2020.js', true],
	['src/validation/a.ts', 'node:worker_threads', true],
	['src/validation/a.ts', 'vscode', false],
	['src/validation/a.ts', '../mcp/index.ts', false],
	['src/trace/a.ts', '../elicitation/json.ts', true],
	['src/trace/a.ts', 'node:fs', false],
	['src/trace/a.ts', '../config/definition.ts', false],
	['src/trace/case/a.ts', '../redact.ts', true],
	['src/trace/case/a.ts', '../../elicitation/json.ts', true],
	['src/trace/case/a.ts', '../../config/definition.ts', false],
	['src/trace/case/a.ts', 'node:fs', false],
	['src/config/a.ts', '../elicitation/json.ts', true],
	['src/config/a.ts', 'jsonc-parser', true],
	['src/config/a.ts', 'node:os', false],
	['src/config/a.ts', 'vscode', false],
	['src/mcp/a.ts', '../elicitation/json.ts', true],
	['src/mcp/a.ts', '../trace/log.ts', true],
	['src/mcp/a.ts', '../config/definition.ts', true],
	['src/mcp/a.ts', '@modelcontextprotocol/client/stdio', true],
	['src/mcp/a.ts', 'node:timers/promises', true],
	['src/mcp/a.ts', 'url-template', true],
	['src/mcp/a.ts', './http/serverBusy.ts', true],
	['src/mcp/a.ts', 'vscode', false],
	['src/mcp/a.ts', 'ajv', false],
	['src/mcp/a.ts', '../editor/common/localize.ts', false],
	['src/mcp/a.ts', '@modelcontextprotocol/sdk/client/index.js', false],
	['src/mcp/wire/a.ts', '../../trace/log.ts', true],
	['src/mcp/wire/a.ts', '@modelcontextprotocol/client', true],
	['src/mcp/wire/a.ts', '../http/serverBusy.ts', false],
	['src/mcp/wire/a.ts', '../clientSession.ts', false],
	['src/mcp/process/a.ts', '../wire/failure.ts', true],
	['src/mcp/process/a.ts', '../auth/auth.ts', false],
	['src/mcp/http/a.ts', '../wire/failure.ts', true],
	['src/mcp/http/a.ts', '../process/stdioTransport.ts', false],
	['src/mcp/rounds/a.ts', '../wire/failure.ts', true],
	['src/mcp/rounds/a.ts', '../connection.ts', false],
	['src/mcp/auth/a.ts', '../http/limitedFetch.ts', true],
	['src/mcp/auth/a.ts', '../rounds/rounds.ts', false],
	['src/mcp/auth/a.ts', 'vscode', false],
	['src/protocol.ts', './mcp/index.ts', false],
	['src/api.ts', './elicitation/json.ts', false],
	['src/webview/form/a.tsx', '../../protocol.ts', true],
	['src/webview/form/a.tsx', '../../elicitation/json.ts', true],
	['src/webview/form/a.tsx', '../controls/control.ts', true],
	['src/webview/form/a.tsx', 'preact/hooks', true],
	['src/webview/form/a.tsx', '../url/state.ts', false],
	['src/webview/form/a.ts', 'vscode', false],
	['src/webview/form/a.ts', 'node:path', false],
	['src/webview/form/a.ts', '../../editor/common/localize.ts', false],
	['src/webview/controls/a.ts', '../common/text.tsx', true],
	['src/webview/controls/a.ts', '../../protocol.ts', true],
	['src/webview/controls/a.ts', '../../mcp/index.ts', false],
	['src/webview/common/a.ts', '../form/state.ts', false],
	['src/editor/calls/a.ts', 'vscode', true],
	['src/editor/calls/a.ts', 'node:crypto', true],
	['src/editor/calls/a.ts', '../../protocol.ts', true],
	['src/editor/calls/a.ts', '../../mcp/index.ts', true],
	['src/editor/api/a.ts', '../../api.ts', true],
	['src/editor/calls/a.ts', '../../extension.ts', false],
	['src/editor/calls/a.ts', '../../validation/validatorPool.ts', false],
	['src/editor/calls/a.ts', '../../webview/common/text.tsx', false],
	['src/editor/calls/a.ts', '@modelcontextprotocol/client', false],
	['src/editor/calls/a.ts', '../common/localize.ts', true],
	['src/editor/calls/a.ts', '../servers/servers.ts', true],
	['src/editor/calls/a.ts', '../servers/serversView/serversView.ts', false],
	['src/editor/servers/a.ts', '../calls/calls.ts', false],
	['src/editor/common/a.ts', '../servers/servers.ts', false],
	['src/editor/debugging/trials/a.ts', '../../elicitations/presenters.ts', true],
	['src/editor/debugging/trials/a.ts', '../replay/replayCall.ts', true],
	['src/editor/debugging/trials/a.ts', '../../elicitations/form/draft.ts', false],
	['src/editor/debugging/trials/a.ts', '../../../webview/common/text.tsx', false],
	['src/editor/agentMode/bridge/a.ts', '../../../bridge/index.ts', true],
	['src/bridge/a.ts', '@modelcontextprotocol/server', true],
	['src/bridge/a.ts', 'node:http', true],
	['src/bridge/a.ts', '../mcp/index.ts', true],
	['src/bridge/a.ts', '../elicitation/json.ts', true],
	['src/bridge/a.ts', '@modelcontextprotocol/client', false],
	['src/bridge/a.ts', '../editor/common/localize.ts', false],
	['src/bridge/a.ts', '../trace/log.ts', false],
	['src/bridge/a.ts', 'vscode', false],
	['src/mcp/a.ts', '../bridge/index.ts', false],
	['src/trials/a.ts', '../mcp/index.ts', true],
	['src/trials/a.ts', '../elicitation/json.ts', true],
	['src/trials/a.ts', '../mcp/connection.ts', false],
	['src/trials/a.ts', 'vscode', false],
	['src/trials/a.ts', '../editor/common/localize.ts', false],
	['src/editor/debugging/trials/a.ts', '../../../trials/observe.ts', true],
	['src/demo/a.ts', '@modelcontextprotocol/server', true],
	['src/demo/a.ts', '../mcp/index.ts', false],
	['src/cli/a.ts', '../mcp/index.ts', true],
	['src/cli/a.ts', '../trials/observe.ts', true],
	['src/cli/a.ts', '../validation/validatorOnDemand.ts', true],
	['src/cli/a.ts', 'node:fs', true],
	['src/cli/a.ts', 'vscode', false],
	['src/cli/a.ts', '../editor/common/localize.ts', false],
	['src/editor/common/a.ts', '../../cli/files.ts', false],
];

let tree = '';

beforeAll(async () => {
	tree = await mkdtemp(join(tmpdir(), 'mcp-elicitation-architecture-'));
});

afterAll(() => rm(tree, { recursive: true, force: true }));

async function put(path: string, content = ''): Promise<void> {
	await mkdir(dirname(join(tree, path)), { recursive: true });
	await writeFile(join(tree, path), content, { flag: 'a' });
}

describe('the direction of imports', () => {
	/** The files of the tree that a rule objects to. */
	let refused = new Set<string>();

	beforeAll(async () => {
		// One file per arrow: `a.ts` becomes `a7.ts`.
		for (const [index, [file, imported]] of ARROWS.entries()) {
			await put(numbered(file, index), `import type { X } from '${imported}';\nexport type Y = X;\n`);
			if (imported.startsWith('.')) {
				await put(join(dirname(file), imported));
			} else if (!imported.startsWith('node:') && imported !== 'vscode') {
				const isPackage = /^(@[^/]+\/)?[^/]+$/.test(imported);
				await put(`node_modules/${isPackage ? `${imported}/index` : imported.replace(/\.js$/, '')}.js`);
			}
		}
		await put('src/trace/one.ts', `export * from './other.ts';`);
		await put('src/trace/other.ts', `export * from './one.ts';`);
		const config = join(process.cwd(), '.dependency-cruiser.mjs');
		const depcruise = join(process.cwd(), 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
		const { stdout } = await promisify(execFile)(
			process.execPath,
			[depcruise, 'src', '--config', config, '--output-type', 'json'],
			{ cwd: tree, maxBuffer: 1 << 26 },
		).catch((error: { stdout: string }) => error);
		const { summary } = JSON.parse(stdout) as { summary: { violations: { from: string }[] } };
		refused = new Set(summary.violations.map(({ from }) => from));
	});

	it.each(ARROWS.map((arrow, index) => [...arrow, index] as const))(
		'%s → %s: %s',
		(file, _imported, allowed, index) => {
			expect(refused.has(numbered(file, index))).toBe(!allowed);
		},
	);

	it('goes round in no circle', () => {
		expect(refused).toContain('src/trace/one.ts');
	});
});

function numbered(file: string, index: number): string {
	return file.replace(/a(\.tsx?)$/, `a${index}$1`);
}

/** What is needed only later, and is not loaded when the window opens. */
const LATER = [
	/(^|\/)node_modules\//,
	/^src\/(mcp|bridge|demo)\//,
	/^src\/validation\/(worker|compile)\.ts$/,
	/^src\/config\/(?!shape\.ts$)/,
	/^src\/elicitation\/form\/masks\.ts$/,
	/^src\/trace\/masking\.ts$/,
	/^src\/editor\/(elicitations\/presenters|responders\/responders|debugging\/debugging|timeline\/surfaces)\.ts$/,
	/^src\/editor\/agentMode\/languageModel\/(?!register\.ts$)/,
];

/** All that is built for Node. */
const built = () => bundlePrograms(NODE_ENTRIES);

/** What the editor loads when the window opens, before anything is asked for. */
const atStart = (outputs: Outputs) => loadedWith(outputs, 'extension.mjs');

describe('what runs when the window opens', () => {
	it('is small', async () => {
		expect(bytesOf(atStart(await built()))).toBeLessThan(LIMITS.start);
	});

	it('holds nothing that is needed only later', async () => {
		const sources = sourcesOf(atStart(await built()));
		expect(sources.filter((source) => LATER.some((later) => later.test(source)))).toEqual([]);
		expect(sources).toContain('src/extension.ts');
	});

	it('is held to rules of which each speaks of files that there are', async () => {
		const all = sourcesOf(await built());
		expect(LATER.filter((later) => !all.some((source) => later.test(source)))).toEqual([]);
	});
});

describe('what runs in the extension host', () => {
	it('holds no ajv, whatever is loaded: schemas of servers are validated in the worker only', async () => {
		const outputs = await built();
		const ajv = (some: Outputs) => sourcesOf(some).filter((source) => /node_modules\/ajv/.test(source));
		expect(ajv(reachableFrom(outputs, 'extension.mjs'))).toEqual([]);
		expect(ajv(reachableFrom(outputs, 'validator.mjs'))).not.toEqual([]);
	});
});

// @ts-check
/**
 * Which layer may import what; `npm run check` enforces it. From the bottom to the top:
 *
 *   elicitation ← config, conversation ← privacy ← trace ← mcp ← trials, bridge ← editor ← extension
 *             ↖ validation                  ↖ tap ← cli (with validation and recordings)
 *                            ↖ recordings
 */

import { Compiler } from '@swc/core';

// dependency-cruiser does not tell its parser which files hold JSX.
const { parseFileSync } = Compiler.prototype;
Compiler.prototype.parseFileSync = function (path, options) {
	return parseFileSync.call(this, path, { ...options, syntax: 'typescript', tsx: path.endsWith('.tsx') });
};

/** Modules of Node. */
const NODE = 'node';

/**
 * A folder or file of `src`, and what it may import besides itself: others of `src`, packages, Node's own modules.
 * The first entry that fits a file counts.
 * @type {Record<string, readonly string[]>}
 */
const LAYERS = {
	// Pure: neither VS Code nor Node nor the SDK.
	'elicitation/': ['tldts', 'punycode', 'jsonc-parser'],
	'config/': ['elicitation/', 'jsonc-parser'],
	'conversation/': ['elicitation/'],
	'privacy/': ['elicitation/', 'conversation/'],
	'trace/': ['elicitation/', 'conversation/', 'privacy/'],
	// What the extension host and a page, or another extension, say to each other.
	'protocol.ts': ['elicitation/'],
	'timelineProtocol.ts': ['elicitation/', 'protocol.ts'],
	'trialsProtocol.ts': ['elicitation/', 'protocol.ts'],
	'api.ts': ['vscode'],
	// The pages, each in a folder of its own.
	'webview/common/': ['PAGE', '@vscode/codicons'],
	'webview/controls/': ['PAGE', 'webview/common/', '@vscode/codicons'],
	'webview/requests.ts': ['webview/'],
	'webview/records.ts': ['webview/'],
	'webview/form/': ['PAGE', 'webview/common/', 'webview/controls/'],
	'webview/result/': ['PAGE', 'webview/common/'],
	'webview/start/': ['PAGE', 'webview/common/'],
	'webview/timeline/': ['PAGE', 'webview/common/'],
	'webview/trials/': ['PAGE', 'webview/common/'],
	'webview/url/': ['PAGE', 'webview/common/', '@vscode/codicons'],
	'webview/': [],
	// Runs the schemas of servers, in a worker.
	'validation/': ['elicitation/', 'ajv', 'ajv-formats', NODE],
	// Speaks MCP, and alone knows the revisions of the protocol.
	'mcp/wire/': ['elicitation/', 'trace/', 'privacy/', 'config/', '@modelcontextprotocol/client', NODE],
	'mcp/process/': ['elicitation/', 'config/', 'mcp/wire/', '@modelcontextprotocol/client', 'cross-spawn', NODE],
	'mcp/http/': ['elicitation/', 'config/', 'mcp/wire/', '@modelcontextprotocol/client', 'eventsource-parser', NODE],
	'mcp/rounds/': [
		'elicitation/',
		'conversation/',
		'config/',
		'trace/',
		'privacy/',
		'mcp/wire/',
		'@modelcontextprotocol/client',
		NODE,
	],
	'mcp/tasks/': [
		'elicitation/',
		'conversation/',
		'config/',
		'trace/',
		'privacy/',
		'mcp/wire/',
		'mcp/rounds/',
		'@modelcontextprotocol/client',
		NODE,
	],
	'mcp/auth/': [
		'elicitation/',
		'config/',
		'privacy/',
		'trace/',
		'mcp/wire/',
		'mcp/http/',
		'@modelcontextprotocol/client',
		NODE,
	],
	'mcp/': [
		'elicitation/',
		'conversation/',
		'trace/',
		'privacy/',
		'config/',
		'@modelcontextprotocol/client',
		'url-template',
		NODE,
	],
	// Calls that try a server out and what tests need to repeat them, for the editor and for the command line.
	'trials/': ['elicitation/', 'config/', 'trace/', 'mcp/index.ts', 'trialsProtocol.ts', NODE],
	// How programs of the command line reach a window.
	'window/': ['elicitation/', NODE],
	'bridge/': ['elicitation/', 'mcp/', 'window/', '@modelcontextprotocol/server', NODE],
	// Stands between another client and a server. Only what records knows what they say.
	'tap/': [
		'elicitation/',
		'conversation/',
		'privacy/',
		'trace/',
		'mcp/wire/envelope.ts',
		'mcp/process/',
		'cross-spawn',
		'eventsource-parser',
		NODE,
	],
	// Programs of their own.
	'cli/': [
		'elicitation/',
		'config/',
		'privacy/',
		'trace/',
		'validation/',
		'mcp/',
		'trials/',
		'recordings/',
		'window/',
		'tap/',
		NODE,
	],
	'demo/': ['@modelcontextprotocol/server', NODE],
	'recordings/': ['elicitation/', 'conversation/', 'privacy/', 'trace/', 'mcp/process/regularFile.ts', NODE],
	// The features, of which the lower ones know nothing of the higher ones.
	'editor/common/': ['EDITOR'],
	'editor/servers/': ['EDITOR', 'editor/common/'],
	'editor/calls/': ['EDITOR', 'editor/common/', 'editor/servers/'],
	'editor/api/': ['EDITOR', 'editor/common/', 'editor/servers/'],
	'editor/timeline/': ['EDITOR', 'editor/common/'],
	'editor/elicitations/': ['EDITOR', 'editor/common/', 'editor/servers/', 'editor/calls/'],
	'editor/responders/': ['EDITOR', 'editor/common/', 'editor/servers/', 'editor/elicitations/', 'editor/api/'],
	'editor/debugging/': ['EDITOR', 'editor/common/', 'editor/servers/', 'editor/calls/', 'editor/elicitations/'],
	'editor/agentMode/': ['EDITOR', 'editor/common/', 'editor/servers/', 'editor/calls/', 'editor/api/'],
	'editor/': ['EDITOR', 'editor/'],
	'extension.ts': ['EDITOR', 'editor/', 'mcp/index.ts', 'validation/validatorPool.ts'],
};

/** What every page may import. */
const PAGE = ['elicitation/', 'protocol.ts', 'timelineProtocol.ts', 'trialsProtocol.ts', 'preact'];

/** What every feature of the editor may import. */
const EDITOR = [
	'elicitation/',
	'conversation/',
	'privacy/',
	'trace/',
	'config/',
	'mcp/',
	'trials/',
	'bridge/',
	'window/',
	'protocol.ts',
	'timelineProtocol.ts',
	'trialsProtocol.ts',
	'api.ts',
	'vscode',
	NODE,
];

const escaped = (/** @type {string} */ text) => text.replace(/[.]/g, '\\.');

/** @param {string} target */
function pathOf(target) {
	if (target === 'vscode') {
		// Types only, until the editor runs it.
		return '^(vscode$|node_modules/@types/vscode/)';
	}
	return /\/$|\.ts$/.test(target) ? `^src/${escaped(target)}` : `^node_modules/${target}/`;
}

const entries = Object.entries(LAYERS).map(([layer, targets]) => ({
	layer,
	targets: targets.flatMap((target) => (target === 'EDITOR' ? EDITOR : target === 'PAGE' ? PAGE : [target])),
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
	allowed: entries.flatMap(({ layer, targets }, at) => {
		const from = {
			path: `^src/${escaped(layer)}`,
			pathNot: entries.slice(0, at).map((earlier) => `^src/${escaped(earlier.layer)}`),
		};
		return [
			{ from, to: { path: [layer, ...targets.filter((target) => target !== NODE)].map(pathOf) } },
			...(targets.includes(NODE) ? [{ from, to: { dependencyTypes: ['core'] } }] : []),
		];
	}),
	allowedSeverity: 'error',
	forbidden: [
		{
			name: 'no-circle',
			comment: 'Modules that import each other cannot be understood one at a time.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'feature-is-private',
			comment: 'A feature of the editor is imported by the files at its top; what is in its subfolders is its own.',
			severity: 'error',
			from: { path: '^src/(editor/([^/]+)/|extension\\.ts)' },
			to: { path: '^src/editor/([^/]+)/[^/]+/', pathNot: '^src/editor/$2/' },
		},
	],
	options: {
		parser: 'swc',
		tsPreCompilationDeps: true,
		doNotFollow: { path: 'node_modules' },
		enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
	},
};

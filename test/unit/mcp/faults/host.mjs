// @ts-check
/**
 * A host process to kill: connects to the servers of these definitions (name → definition) with product code, each
 * during a call. Prints `ready` once every server has sent an elicitation. Usage: node host.mjs MCP_BUNDLE
 * REGISTRY_BUNDLE REAPER_BUNDLE DEFINITIONS
 */
import { createRequire } from 'node:module';

const [, , mcp = '', domain = '', reaper = '', definitions = '{}'] = process.argv;
const require = createRequire(import.meta.url);
const { Connection, Reaper } = require(mcp);
const { Registry } = require(domain);

const log = {
	level: 'info',
	onDidChangeLevel: () => ({ dispose() {} }),
	debug() {},
	info() {},
	warn() {},
	error() {},
	stderr() {},
};
const registry = new Registry({ validate: async () => ({ status: 'valid' }) }, () => 30);
const context = {
	registry,
	trace: { add() {}, onDidClear: () => ({ dispose() {} }), secrets: { add() {} } },
	signIn: { secret: () => ({ read: async () => undefined, write: async () => {}, remove: async () => {} }) },
	reaper: new Reaper(reaper),
	clientVersion: '1.0.0',
	log: () => log,
	callTimeout: () => 0,
	taskMode: () => 'auto',
	allowInsecureUrls: () => 'loopback',
	workspaceRoots: { list: () => [], onDidChange: () => ({ dispose() {} }) },
};
const servers = Object.entries(JSON.parse(definitions));
let asked = 0;
registry.onDidAdd(() => {
	if (++asked === servers.length) {
		console.log('ready');
	}
});
for (const [name, definition] of servers) {
	const elicitation = { form: 'ask', url: 'ask', advertise: 'both' };
	const type = 'url' in definition ? 'http' : 'stdio';
	const protocolVersion = 'auto';
	const connection = new Connection(
		{ name, type, protocolVersion, elicitation, env: {}, headers: {}, ...definition },
		context,
	);
	connection.callTool('act', {}).catch(() => {});
}

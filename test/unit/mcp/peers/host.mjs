// @ts-check
/**
 * A host process for processes.test.ts to kill: connects with product code to a server that doesn't exit, and waits.
 * Usage: node host.mjs MCP_BUNDLE REAPER_BUNDLE SERVER [SCENARIO]
 */
import { createRequire } from 'node:module';

const [, , bundle = '', reaper = '', server = '', scenario = 'stubborn'] = process.argv;
const { Connection, Reaper } = createRequire(import.meta.url)(bundle);

const log = {
	level: 'info',
	onDidChangeLevel: () => ({ dispose() {} }),
	debug() {},
	info() {},
	warn() {},
	error() {},
	stderr() {},
};
const onEvent = () => ({ dispose() {} });
const connection = new Connection(
	{
		name: 'stubborn',
		type: 'stdio',
		protocolVersion: '2025-11-25',
		elicitation: { form: 'ask', url: 'ask', advertise: 'both' },
		command: process.execPath,
		args: [server, scenario],
		env: {},
	},
	{
		registry: {
			beginCall: () => ({ kind: 'tool', name: 'pids', args: {}, rounds: 0, clock: { limit() {} } }),
			endCall() {},
			withdraw() {},
			live: [],
			unsent: [],
			onDidAdd: onEvent,
			onDidChange: onEvent,
			onDidChangeDelivery: onEvent,
		},
		trace: { add() {}, onDidClear: onEvent, secrets: { add() {} } },
		reaper: new Reaper(reaper),
		clientVersion: '1.0.0',
		log: () => log,
		callTimeout: () => 0,
		taskMode: () => 'auto',
		allowInsecureUrls: () => 'loopback',
		workspaceRoots: { list: () => [], onDidChange: onEvent },
	},
);
const { structuredContent } = await connection.callTool('pids', {});
console.log(JSON.stringify(structuredContent));
setInterval(() => {}, 1000);

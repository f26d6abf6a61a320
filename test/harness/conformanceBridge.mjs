// @ts-check
/**
 * Runs the official server scenarios against the agent-mode bridge: in front of a server with the features that the
 * scenarios call, and in front of the reference server, which has others. Bridge clients always have a session, whatever
 * revision the server speaks, so the scenarios of 2025-11-25 apply.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { pickScenarios, runSuite } from './conformanceSuite.mjs';
import { root } from './paths.mjs';
import { Stop } from './process.mjs';

/** @typedef {import('./conformanceSuite.mjs').Scenario} Scenario */

const ASKED_HERE = 'what a server asks is asked in the editor, never of the client';
const NOT_BRIDGED = 'the bridge declares no such capability';

/** Scenarios that can't pass through the bridge, with the reason. */
const INAPPLICABLE = new Map([
	['logging-set-level', NOT_BRIDGED],
	['tools-call-with-logging', NOT_BRIDGED],
	['completion-complete', NOT_BRIDGED],
	['resources-subscribe', NOT_BRIDGED],
	['resources-unsubscribe', NOT_BRIDGED],
	['tools-call-sampling', ASKED_HERE],
	['tools-call-elicitation', ASKED_HERE],
	['elicitation-sep1034-defaults', ASKED_HERE],
	['elicitation-sep1330-enums', ASKED_HERE],
	[
		'dns-rebinding-protection',
		'it is for servers without a secret, and demands that some pages in a browser get an answer',
	],
	['server-sse-polling', 'the bridge never ends a stream before its answer'],
]);

/** Scenarios that need no particular server features. */
const NAMELESS = [
	'server-initialize',
	'server-session-lifecycle',
	'server-sse-multiple-streams',
	'ping',
	'tools-list',
	'resources-list',
	'prompts-list',
];

/** Scenarios that need particular server features. */
const NAMED = [
	'tools-call-simple-text',
	'tools-call-image',
	'tools-call-audio',
	'tools-call-embedded-resource',
	'tools-call-mixed-content',
	'tools-call-error',
	'tools-call-with-progress',
	'json-schema-2020-12',
	'resources-read-text',
	'resources-read-binary',
	'resources-templates-read',
	'prompts-get-simple',
	'prompts-get-with-args',
	'prompts-get-embedded-resource',
	'prompts-get-with-image',
];

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

/**
 * Runs them all. A scenario that the suite has got since counts until there is a reason why it should not.
 * @param {string} node which the suite needs
 * @param {string} bridge the script of the bridge
 * @returns {Promise<import('./conformanceSuite.mjs').Outcome[]>}
 */
export async function bridgeScenarios(node, bridge) {
	const fixture = await behind(node, bridge, [join(root, 'test/servers/conformance.mjs')]);
	const reference = await behind(node, bridge, [everything, 'stdio']);
	const demanded = fixture.map(({ name }) => name).filter((name) => !INAPPLICABLE.has(name));
	return [
		{
			subject: 'bridge to a server with all that the scenarios call',
			scenarios: pickScenarios(fixture, new Set([...NAMELESS, ...NAMED, ...demanded])),
			inapplicable: INAPPLICABLE,
		},
		{
			subject: 'bridge to the reference server, whose tools have other names',
			scenarios: pickScenarios(reference, new Set(NAMELESS)),
			inapplicable: new Map(),
		},
	];
}

/**
 * What the suite says of the bridge in front of a server.
 * @param {string} node
 * @param {string} bridge
 * @param {readonly string[]} server its script and arguments
 */
async function behind(node, bridge, server) {
	const child = spawn(process.execPath, [bridge, ...server], { cwd: root, stdio: 'pipe' });
	let said = '';
	child.stderr.on('data', (chunk) => {
		said += chunk;
	});
	const ended = once(child, 'close');
	try {
		const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
		if (typeof line !== 'string') {
			throw new Stop(`The bridge ended before it said where it is found:\n${said}`);
		}
		const { url, headers } = JSON.parse(line);
		return await runSuite(node, 'server', '2025-11-25', ['--url', url], {
			nodeOptions: ['--import', pathToFileURL(join(root, 'test/conformance/secret.mjs')).href],
			env: { MCP_ELICITATION_AUTHORIZATION: headers.Authorization },
		});
	} finally {
		child.stdin.end();
		await ended;
	}
}

// @ts-check
/**
 * `npm run test:conformance`: runs the official suite against the product's connection layer as the client; against its bridge as the
 * server, in front of one with all that the scenarios call. By night also in front of the reference server, which has tools of other
 * names, and against the server with tasks that `test/unit/mcp/tasks/conformance.test.ts` drives the client against, as the suite has
 * none for such clients.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConformance } from './conformanceClient.mjs';
import { runSuite, withServer } from './conformanceSuite.mjs';
import { writeCounts } from './counts.mjs';
import { nightly, root } from './paths.mjs';
import { main } from './process.mjs';
import { editorNode } from './toolchain.mjs';

/** @typedef {import('./conformanceSuite.mjs').Scenario} Scenario */
/** @typedef {{ subject: string, required: readonly Scenario[], least?: number }} Outcome `least`: of so many, some are gone where there are fewer */

/** The revisions to test, with the number of required scenarios. */
const REVISIONS = [
	{ requirement: 'A05', revision: '2025-11-25', least: 18 },
	{ requirement: 'A06', revision: '2026-07-28', least: 32 },
];

const REFERENCE = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

/**
 * The scenarios for servers: those that need no particular features, and others; those that cannot pass through the bridge, with the
 * reason; and those with tasks, without `tasks-status-notifications`, which the suite skips so far.
 * @type {{ nameless: string[], named: string[], tasks: string[], inapplicable: Record<string, string> }}
 */
const { nameless, named, tasks, inapplicable } = JSON.parse(
	await readFile(join(root, 'test/conformance/scenarios.json'), 'utf8'),
);

await main(async () => {
	const [{ client, bridge }, node] = await Promise.all([buildConformance(), editorNode()]);
	/** @type {Outcome[]} */
	const outcomes = [];
	/** @type {string[]} */
	const optional = [];
	for (const { requirement, revision, least } of REVISIONS) {
		const found = await runSuite(node, 'client', revision, ['--command', `"${process.execPath}" "${client}"`]);
		const required = found.filter((scenario) => scenario.optional === undefined);
		outcomes.push({ subject: `${requirement}: client of ${revision}`, required, least });
		for (const { name, passed, optional: reason = '' } of found.filter((scenario) => !required.includes(scenario))) {
			optional.push(`${name} (${reason}) ${revision} ${passed ? 'passed' : 'not passed'}`);
		}
	}
	// Bridge clients always have a session, whatever revision the server speaks.
	const throughBridge = (/** @type {string} */ line) => {
		const { url, headers } = JSON.parse(line);
		return runSuite(node, 'server', '2025-11-25', ['--url', url], {
			nodeOptions: ['--import', pathToFileURL(join(root, 'test/conformance/secret.mjs')).href],
			env: { MCP_ELICITATION_AUTHORIZATION: headers.Authorization },
		});
	};
	const behind = (/** @type {string[]} */ ...server) =>
		withServer([bridge, ...server], (child) => child.stdin.end(), throughBridge);
	const fixture = await behind(join(root, 'test/servers/conformance.mjs'));
	// A scenario that the suite has got since counts until there is a reason why it should not.
	const demanded = fixture.map(({ name }) => name).filter((name) => !Object.hasOwn(inapplicable, name));
	outcomes.push({
		subject: 'bridge to a server with all that the scenarios call',
		required: pick(fixture, [...nameless, ...named, ...demanded]),
	});
	if (nightly) {
		outcomes.push({
			subject: 'bridge to the reference server',
			required: pick(await behind(REFERENCE, 'stdio'), nameless),
		});
		const found = await withServer(
			[join(root, 'test/servers/conformanceTasks.mjs')],
			(child) => child.kill(),
			(line) => runSuite(node, 'server', '2026-07-28', ['--url', line.replace('listening ', '')]),
		);
		outcomes.push({ subject: 'server with tasks', required: pick(found, tasks) });
	}
	return report(outcomes, optional);
});

/**
 * A scenario that the suite no longer has is not passed either.
 * @param {readonly Scenario[]} found
 * @param {readonly string[]} names
 * @returns {Scenario[]}
 */
function pick(found, names) {
	const missing = { passed: false, why: 'the suite does not have it' };
	return [...new Set(names)].map((name) => found.find((each) => each.name === name) ?? { name, ...missing });
}

/**
 * @param {readonly Outcome[]} outcomes
 * @param {readonly string[]} optional
 */
async function report(outcomes, optional) {
	const counts = { passed: 0, failed: 0, failures: /** @type {import('./counts.mjs').Failure[]} */ ([]) };
	for (const { subject, required, least = 0 } of outcomes) {
		const failed = required.filter((scenario) => !scenario.passed);
		const [all, passed] = [Math.max(least, required.length), required.length - failed.length];
		counts.passed += passed;
		counts.failed += all - passed;
		counts.failures.push(...failed.map(({ name, why }) => ({ name: `${subject}: ${name}`, why })));
		console.log([`${passed === all ? '✔' : '✘'} ${subject}: ${passed} of ${all}`, ...failed.map(said)].join('\n'));
	}
	const skipped = Object.entries(inapplicable).map(([name, reason]) => `  - ${name}: ${reason}`);
	console.log(['\nNot through the bridge:', ...skipped, '', 'Optional, not counted:', ...optional].join('\n'));
	await writeCounts('conformance', counts);
	return counts.failed === 0 ? 0 : 1;
}

/** @param {Scenario} scenario */
function said({ name, why }) {
	return `  ✘ ${name}: ${why}`;
}

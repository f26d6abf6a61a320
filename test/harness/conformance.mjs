// @ts-check
/**
 * `npm run test:conformance`: runs the official suite against the product's connection layer as the client, against its
 * bridge as the server, and against the server with tasks that unit tests drive the client against.
 */
import { bridgeScenarios } from './conformanceBridge.mjs';
import { buildConformance } from './conformanceClient.mjs';
import { runSuite } from './conformanceSuite.mjs';
import { taskScenarios } from './conformanceTasks.mjs';
import { writeCounts } from './counts.mjs';
import { main } from './process.mjs';
import { editorNode } from './toolchain.mjs';

/** The revisions to test, with the number of required scenarios. */
const REVISIONS = [
	{ requirement: 'A05', revision: '2025-11-25', scenarios: 18 },
	{ requirement: 'A06', revision: '2026-07-28', scenarios: 32 },
];

await main(async () => {
	const [{ client, bridge }, node] = await Promise.all([buildConformance(), editorNode()]);
	/** @type {import('./counts.mjs').Failure[]} */
	const failures = [];
	const counts = { passed: 0, failed: 0, failures };
	/** @type {Map<string, string[]>} */
	const optional = new Map();
	for (const { requirement, revision, scenarios } of REVISIONS) {
		const found = await runSuite(node, 'client', revision, ['--command', `"${process.execPath}" "${client}"`]);
		const required = found.filter((scenario) => scenario.optional === undefined);
		const passed = required.filter((scenario) => scenario.passed).length;
		counts.passed += passed;
		// A scenario that the suite has removed counts as failed.
		counts.failed += Math.max(scenarios, required.length) - passed;
		console.log(`${passed === scenarios ? '✔' : '✘'} ${requirement}: ${passed} of ${scenarios} for ${revision}`);
		for (const { name, why } of required.filter((scenario) => !scenario.passed)) {
			console.log(`  ✘ ${name}: ${why}`);
			failures.push({ name: `${revision} ${name}`, why });
		}
		for (const { name, passed, optional: reason } of found.filter((scenario) => scenario.optional !== undefined)) {
			const row = `${name} (${reason})`;
			optional.set(row, [...(optional.get(row) ?? []), `${revision} ${passed ? 'passed' : 'not passed'}`]);
		}
	}
	for (const { subject, scenarios, inapplicable } of [
		...(await bridgeScenarios(node, bridge)),
		await taskScenarios(node),
	]) {
		const failed = scenarios.filter((scenario) => !scenario.passed);
		counts.passed += scenarios.length - failed.length;
		counts.failed += failed.length;
		const mark = failed.length === 0 ? '✔' : '✘';
		console.log(`${mark} ${subject}: ${scenarios.length - failed.length} of ${scenarios.length}`);
		for (const { name, why } of failed) {
			console.log(`  ✘ ${name}: ${why}`);
			failures.push({ name: `${subject} ${name}`, why });
		}
		for (const [name, reason] of inapplicable) {
			console.log(`  - ${name}: ${reason}`);
		}
	}
	console.log('\nOptional, not counted:');
	for (const [row, outcomes] of optional) {
		console.log(`  ${row.padEnd(62)} ${outcomes.join('   ')}`);
	}
	await writeCounts('conformance', counts);
	return counts.failed === 0 ? 0 : 1;
});

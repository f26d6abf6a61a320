import { codePointName, replaceInvisible } from '../elicitation/display.ts';
import { explanationOf, type ScenarioResult } from './scenarioRun.ts';

/**
 * Writes the results as JUnit XML: one suite, a test case for each scenario, `failure` for what failed and `error` for
 * what could not be run.
 */
export function junitReport(results: readonly ScenarioResult[]): string {
	const count = (verdict: ScenarioResult['verdict']) => results.filter((each) => each.verdict === verdict).length;
	const counts = attributes({
		name: 'mcp-elicitation',
		tests: results.length,
		failures: count('failed'),
		errors: count('couldNotRun'),
		time: seconds(results.reduce((sum, each) => sum + each.seconds, 0)),
	});
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<testsuites${counts}>`,
		`  <testsuite${counts}>`,
		...results.flatMap(testCase),
		'  </testsuite>',
		'</testsuites>',
		'',
	].join('\n');
}

function testCase(result: ScenarioResult): string[] {
	const { file, name = file, verdict } = result;
	const open = `    <testcase${attributes({ classname: file, name, time: seconds(result.seconds) })}`;
	if (verdict === 'passed') {
		return [`${open}/>`];
	}
	const lines = explanationOf(result);
	const tag = verdict === 'failed' ? 'failure' : 'error';
	const start = `<${tag}${attributes({ message: lines.slice(0, 3).join(' '), type: verdict })}>`;
	return [`${open}>`, `      ${start}${escaped(lines.join('\n'))}</${tag}>`, '    </testcase>'];
}

function attributes(values: Readonly<Record<string, string | number>>): string {
	return Object.entries(values)
		.map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
		.join('');
}

/** Escapes markup, and characters that XML does not allow or that nobody would see. */
function escaped(text: string): string {
	const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
	return replaceInvisible(text, codePointName).replace(
		/[&<>"]|[\ufffe\uffff]/g,
		(each) => entities[each] ?? codePointName(each),
	);
}

function seconds(value: number): string {
	return value.toFixed(3);
}

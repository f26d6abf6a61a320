import { resolve } from 'node:path';
import { codePointName, replaceInvisible } from '../elicitation/display.ts';
import type { Verdict } from './command.ts';
import type { Target } from './files.ts';

/** What a report says of one case. */
export interface ReportedCase {
	/** The file that it belongs to. */
	readonly file: string;
	readonly name: string;
	readonly verdict: Verdict;
	readonly seconds: number;
	/** Why it did not pass. */
	readonly lines: readonly string[];
}

/** Where a report goes that was named with `--junit`. */
export function reportAt(folder: string, file: string): Target {
	return { path: resolve(folder, file), what: 'The report', fix: 'Check the path after --junit.' };
}

/**
 * Writes JUnit XML: one suite, a test case for each of what was run, `failure` for what failed and `error` for what could not be
 * run.
 */
export function junitReport(results: readonly ReportedCase[]): string {
	const count = (verdict: Verdict) => results.filter((each) => each.verdict === verdict).length;
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

function testCase({ file, name, verdict, lines, ...result }: ReportedCase): string[] {
	const open = `    <testcase${attributes({ classname: file, name, time: seconds(result.seconds) })}`;
	if (verdict === 'passed') {
		return [`${open}/>`];
	}
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

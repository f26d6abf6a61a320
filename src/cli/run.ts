import { relative, resolve } from 'node:path';
import { recognize } from '../config/snippet.ts';
import { type Command, type Context, type Ending, textOf, type Values, type Verdict } from './command.ts';
import { CannotRun } from './errors.ts';
import { checkWritable, writeText } from './files.ts';
import { interruptible } from './interruption.ts';
import { junitReport, type ReportedCase, reportAt } from './junit.ts';
import { explanationOf, runScenario, type ScenarioResult } from './scenarioRun.ts';
import { described, type Startable, serverNamed } from './servers.ts';

const MARKS: Readonly<Record<Verdict, string>> = { passed: '✔', failed: '✘', couldNotRun: '!' };

export const command: Command = {
	usage: 'run SCENARIO…',
	help: [
		'Makes the call of each scenario with its recorded responses, and compares what the server requests and',
		'returns. Scenarios are written by "Export Call as Test" in the editor, and by "record --scenario".',
		'A scenario names the command that starts its server: running a scenario runs that command.',
		'',
		'  --server NAME      use this server of .vscode/mcp.json, .mcp.json, or the settings of the folder instead',
		'  --command LINE     start the server with this command line instead',
		'  --url URL          connect to this URL instead',
		'  --junit FILE       write a JUnit report',
		'  --json             print the results as one JSON document',
	].join('\n'),
	options: {
		server: { type: 'string' },
		command: { type: 'string' },
		url: { type: 'string' },
		junit: { type: 'string' },
		json: { type: 'boolean' },
	},
	run: runScenarios,
};

async function runScenarios(files: readonly string[], values: Values, context: Context): Promise<Ending> {
	if (files.length === 0) {
		throw new CannotRun('No scenario is named.', 'Name at least one file, as in "run greet.scenario.json".');
	}
	const { output, folder } = context;
	const override = await overrideFrom(values, context);
	const junit = textOf(values, 'junit');
	const report = junit === undefined ? undefined : reportAt(folder, junit);
	if (report) {
		await checkWritable(report);
	}
	return interruptible(output, async ({ signal }) => {
		const results = await resultsOf(files, override, values, context, signal);
		const ending = signal.aborted ? 'interrupted' : verdictOf(results);
		if (values['json'] === true) {
			output.json({ verdict: ending, ...countsOf(results), scenarios: results });
		} else {
			const { passed, failed, couldNotRun } = countsOf(results);
			output.print(`${passed} passed, ${failed} failed, ${couldNotRun} could not run`);
		}
		if (report) {
			await writeText(report, junitReport(results.map(caseOf)));
		}
		return ending;
	});
}

function caseOf(result: ScenarioResult): ReportedCase {
	const { file, name = file, verdict, seconds } = result;
	return { file, name, verdict, seconds, lines: explanationOf(result) };
}

/** Runs the scenarios one after the other, until all have run or the signal aborts. */
async function resultsOf(
	files: readonly string[],
	override: Startable | undefined,
	values: Values,
	context: Context,
	signal: AbortSignal,
): Promise<ScenarioResult[]> {
	const { output, folder } = context;
	const results: ScenarioResult[] = [];
	for (const [index, file] of files.entries()) {
		if (signal.aborted) {
			break;
		}
		const path = resolve(folder, file);
		const about = `${index + 1} of ${files.length}: ${relative(folder, path)}`;
		output.progress(about);
		const starting = (server: string) => output.progress(`${about}: ${server}`);
		const shown = { ...(await runScenario(path, override, context, signal, starting)), file };
		results.push(shown);
		if (values['json'] !== true) {
			output.print(textOfResult(shown));
		}
	}
	return results;
}

/** The server to use in place of those of the scenarios. */
async function overrideFrom(values: Values, context: Context): Promise<Startable | undefined> {
	const given = ['server', 'command', 'url'].filter((name) => values[name] !== undefined);
	if (given.length > 1) {
		throw new CannotRun(`--${given.join(' and --')} exclude each other.`, 'Keep one of them.');
	}
	const [option] = given;
	const text = option === undefined ? undefined : textOf(values, option);
	if (text === undefined) {
		return undefined;
	}
	const recognized = recognize(text);
	if (option === 'url' && recognized && 'kind' in recognized && recognized.kind !== 'url') {
		throw new CannotRun('--url takes a URL, such as http://localhost:3000/mcp.', 'To start a server, use --command.');
	}
	return option === 'server' ? serverNamed(text, context) : described(text, context);
}

/** The verdict on all: what could not be run counts more than what failed. */
function verdictOf(results: readonly ScenarioResult[]): Verdict {
	const { failed, couldNotRun } = countsOf(results);
	return couldNotRun > 0 ? 'couldNotRun' : failed > 0 ? 'failed' : 'passed';
}

function countsOf(results: readonly ScenarioResult[]): Record<Verdict, number> {
	const count = (verdict: Verdict) => results.filter((each) => each.verdict === verdict).length;
	return { passed: count('passed'), failed: count('failed'), couldNotRun: count('couldNotRun') };
}

function textOfResult(result: ScenarioResult): string {
	const { file, name, verdict, seconds } = result;
	const head = `${MARKS[verdict]} ${[name, file].filter(Boolean).join(' · ')} (${seconds.toFixed(1)} s)`;
	return [head, ...explanationOf(result).map((line) => `    ${line}`)].join('\n');
}

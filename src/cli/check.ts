import { resolve } from 'node:path';
import { kindOf, requestsIn, spansIn } from '../config/schemaText.ts';
import type { Position } from '../config/text.ts';
import { check, type Problem } from '../elicitation/check/check.ts';
import { patternProblems } from '../elicitation/check/patterns.ts';
import { visibleOnOneLine } from '../elicitation/display.ts';
import { type Persona, titleOf } from '../elicitation/personas/persona.ts';
import { problemsAs } from '../elicitation/personas/problemsAs.ts';
import { pointerNames } from '../elicitation/pointer.ts';
import { english, render } from '../elicitation/sentence.ts';
import { personasFrom, tableOf } from './asClients.ts';
import { type Command, type Context, textOf, type Values, type Verdict } from './command.ts';
import { CannotRun, messageOf } from './errors.ts';
import { checkWritable, jsonIn, readText, writeText } from './files.ts';
import { junitReport, type ReportedCase, reportAt } from './junit.ts';

/** Files with more requests are not checked, because each takes as long as the file is. */
const MAX_REQUESTS = 1_000;

export const command: Command = {
	usage: 'check FILE…',
	help: [
		'Checks requested schemas and elicitation requests in JSON files: against the revisions of the protocol, and',
		'against what widely used libraries drop or refuse. Fails if there is a warning; notes do not count.',
		'',
		'  --as CLIENT      also what another client does to them; repeated, or "all" for every client that is known here',
		'  --junit FILE     write a JUnit report: a case for each file, and for each file and client',
		'  --json           print the findings as one JSON document',
	].join('\n'),
	options: { as: { type: 'string', multiple: true }, junit: { type: 'string' }, json: { type: 'boolean' } },
	run: checkFiles,
};

/** A problem and where it is; lines and columns count from 1. */
interface Placed {
	readonly line: number;
	readonly column: number;
	readonly problem: Problem;
}

interface CheckedFile {
	readonly file: string;
	readonly placed: readonly Placed[];
	/** Which clients show what, as text. */
	readonly tables: readonly string[];
	/** Why it could not be checked. */
	readonly message?: string;
}

async function checkFiles(files: readonly string[], values: Values, context: Context): Promise<Verdict> {
	if (files.length === 0) {
		throw new CannotRun('No file is named.', 'Name at least one, as in "check form.json".');
	}
	const personas = personasFrom(values['as']);
	const junit = textOf(values, 'junit');
	const report = junit === undefined ? undefined : reportAt(context.folder, junit);
	if (report) {
		await checkWritable(report);
	}
	const checked: CheckedFile[] = [];
	for (const file of files) {
		context.output.progress(file);
		checked.push(await checkFile(file, personas, context));
	}
	if (report) {
		await writeText(report, junitReport(checked.flatMap((each) => casesOf(each, personas))));
	}
	const warnings = checked.flatMap(({ placed }) => placed.filter(({ problem }) => problem.severity === 'warning'));
	const verdict = checked.some(({ message }) => message !== undefined)
		? 'couldNotRun'
		: warnings.length > 0
			? 'failed'
			: 'passed';
	if (values['json'] === true) {
		context.output.json({ verdict, files: checked.map(reportOf) });
		return verdict;
	}
	for (const each of checked) {
		context.output.print([...linesOf(each), ...each.tables].join('\n'));
	}
	return verdict;
}

/** The cases of a file in a report: the revisions and libraries, and each client. */
function casesOf(checked: CheckedFile, personas: readonly Persona[]): ReportedCase[] {
	const { file, placed, message } = checked;
	const isOf = (persona: Persona) => (each: Placed) => each.problem.rule === persona.id;
	const parts: [name: string, placed: readonly Placed[]][] = [
		['specification and libraries', placed.filter((each) => !personas.some((persona) => isOf(persona)(each)))],
		...personas.map((persona): [string, readonly Placed[]] => [titleOf(persona), placed.filter(isOf(persona))]),
	];
	return parts.map(([name, its]) => {
		const isBad = its.some(({ problem }) => problem.severity === 'warning');
		const verdict = message !== undefined ? 'couldNotRun' : isBad ? 'failed' : 'passed';
		return { file, name, verdict, seconds: 0, lines: linesOf({ ...checked, placed: its }) };
	});
}

async function checkFile(file: string, personas: readonly Persona[], { folder, host }: Context): Promise<CheckedFile> {
	try {
		const text = await readText(resolve(folder, file));
		jsonIn(text, 'It');
		const kind = kindOf(text);
		if (kind === undefined) {
			throw new CannotRun(
				'There is no schema in it.',
				'It should contain elicitation requests, or be a schema with "type" or "properties".',
			);
		}
		const requests = requestsIn(text, kind, MAX_REQUESTS + 1);
		if (requests.length > MAX_REQUESTS) {
			throw new CannotRun(`There are more than ${MAX_REQUESTS} requests in it.`, 'Put them into several files.');
		}
		const placed: Placed[] = [];
		const tables: string[] = [];
		for (const request of requests) {
			const problems = [
				...(await patternProblems(request.params, host.validator)),
				...check(request.params),
				...personas.flatMap((persona) => problemsAs(persona, request.params)),
			];
			tables.push(...tableOf(request.params, personas));
			const spans = spansIn(
				text,
				request,
				problems.map(({ pointer }) => pointerNames(pointer)),
			);
			for (const [index, problem] of problems.entries()) {
				const { line, character } = spans[index]?.start ?? START;
				placed.push({ line: line + 1, column: character + 1, problem });
			}
		}
		return { file, placed: placed.sort((a, b) => a.line - b.line || a.column - b.column), tables };
	} catch (error) {
		return { file, placed: [], tables: [], message: messageOf(error) };
	}
}

const START: Position = { line: 0, character: 0 };

/** In the form of compilers, so that editors and CI find the place. */
function linesOf({ file, placed, message }: CheckedFile): string[] {
	if (message !== undefined) {
		return [`${file}: ${message}`];
	}
	const lines = placed.map(({ line, column, problem }) => {
		const { severity, rule, handling, advice } = problem;
		const sentences = [problem.message, handling, advice].flatMap((each) => (each ? [render(each, english)] : []));
		const what = severity === 'warning' ? 'warning' : 'note';
		return visibleOnOneLine(`${file}:${line}:${column}: ${what}: ${sentences.join(' ')} [${rule}]`);
	});
	return lines.length > 0 ? lines : [`${file}: no findings`];
}

function reportOf({ file, placed, message }: CheckedFile): object {
	return {
		file,
		...(message !== undefined && { message }),
		findings: placed.map(({ line, column, problem }) => {
			const { pointer, rule, severity, handling, advice, revisions, libraries, section } = problem;
			return {
				...{ line, column, pointer, rule, severity, message: render(problem.message, english) },
				...(handling && { handling: render(handling, english) }),
				...(advice && { advice: render(advice, english) }),
				...{ revisions, libraries: libraries.map(({ name, version }) => `${name} ${version}`), section },
			};
		}),
	};
}

import { resolve } from 'node:path';
import { kindOf, requestsIn, spansIn } from '../config/schemaText.ts';
import type { Position } from '../config/text.ts';
import { check, type Problem } from '../elicitation/check/check.ts';
import { patternProblems } from '../elicitation/check/patterns.ts';
import { visibleOnOneLine } from '../elicitation/display.ts';
import { pointerNames } from '../elicitation/pointer.ts';
import { english, render } from '../elicitation/sentence.ts';
import type { Command, Context, Values, Verdict } from './command.ts';
import { CannotRun, messageOf } from './errors.ts';
import { jsonIn, readText } from './files.ts';

/** Files with more requests are not checked, because each takes as long as the file is. */
const MAX_REQUESTS = 1_000;

export const command: Command = {
	usage: 'check FILE…',
	help: [
		'Checks requested schemas and elicitation requests in JSON files: against the revisions of the protocol, and',
		'against what widely used libraries drop or refuse. Fails if there is a warning; notes do not count.',
		'',
		'  --json    print the findings as one JSON document',
	].join('\n'),
	options: { json: { type: 'boolean' } },
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
	/** Why it could not be checked. */
	readonly message?: string;
}

async function checkFiles(files: readonly string[], values: Values, context: Context): Promise<Verdict> {
	if (files.length === 0) {
		throw new CannotRun('No file is named.', 'Name at least one, as in "check form.json".');
	}
	const checked: CheckedFile[] = [];
	for (const file of files) {
		context.output.progress(file);
		checked.push(await checkFile(file, context));
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
		context.output.print(linesOf(each).join('\n'));
	}
	return verdict;
}

async function checkFile(file: string, { folder, host }: Context): Promise<CheckedFile> {
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
		for (const request of requests) {
			const problems = [...(await patternProblems(request.params, host.validator)), ...check(request.params)];
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
		return { file, placed: placed.sort((a, b) => a.line - b.line || a.column - b.column) };
	} catch (error) {
		return { file, placed: [], message: messageOf(error) };
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

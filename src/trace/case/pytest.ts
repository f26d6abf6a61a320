import type { Json } from '../../elicitation/json.ts';
import { STATELESS } from '../../elicitation/revisions.ts';
import { REDACTED } from '../secrets.ts';
import { literal, python } from './literals.ts';
import { LINKS } from './pytestLinks.ts';
import { PARTS } from './pytestRunner.ts';
import { type CaseVariable, COMPARED, type RecordedCase } from './recordedCase.ts';
import {
	headOf,
	markersOf,
	mirrorsArguments,
	placeholders,
	placesIn,
	plainName,
	type Site,
	serverOf,
} from './testFile.ts';

/**
 * Suggested file name of a case.
 * @param suffix distinguishes it from other cases
 */
export function pytestName({ name }: RecordedCase, suffix: string): string {
	return `test_${identifier(name)}${suffix}.py`;
}

export function pytestCommand({ file }: Site): string {
	return `python -m pytest ${file}`;
}

/** Generates a self-contained pytest file. Uses only the standard library and pytest (Python 3.9). */
export function pytestFile(recorded: RecordedCase, site: Site): string {
	const head = headOf(recorded, pytestCommand(site)).map((line) => `# ${line}`.trimEnd());
	const imports = importsOf(recorded).map((module) => `import ${module}`);
	const { before, after } = partsOf(recorded);
	const patience = '# How long the server may take in all (seconds).\nPATIENCE = 30';
	return [
		[head.join('\n'), imports.join('\n'), 'import pytest', patience].join('\n\n'),
		...before.map((part) => part.trim()),
		dataOf(recorded, site).join('\n'),
		testOf(recorded).join('\n'),
		...after.map((part) => part.trim()),
	]
		.join('\n\n\n')
		.concat('\n');
}

/** The recorded data. */
function dataOf(recorded: RecordedCase, site: Site): string[] {
	const { revision, variables, method } = recorded;
	const plain = python(new Map());
	const dialect = python(
		markersOf(variables, variableExpression, {
			workspaceFolder: 'WORKSPACE_FOLDER',
			userHome: 'str(pathlib.Path.home())',
		}),
	);
	const constant = (id: string, value: unknown) => `${id} = ${literal(value as Json, dialect, 0, id.length + 3)}`;
	const names = variables.map(({ name }) => literal(name, plain)).join(', ');
	return [
		...(names === '' ? [] : ['MISSING = []', `ENV = from_environment(${names})`]),
		...folderOf(recorded, site),
		constant('REVISION', revision),
		constant('SERVER', serverOf(recorded)),
		constant('CAPABILITIES', recorded.capabilities),
		constant('METHOD', method),
		constant('PARAMS', recorded.params),
		'# Elicitations of the same turn may come in any order.',
		constant('ELICITATIONS', recorded.elicitations),
		constant('EXPECTED', recorded.expected),
		'',
		'# The members of a result that are compared, and those of a page that error -32042 requires.',
		constant('COMPARED', COMPARED[method]),
		constant('PAGE', ['mode', 'message', 'url']),
		'# What stands in the recording for texts that differ on every run, and what fits it.',
		'PLACEHOLDERS = {',
		...placeholders(plain).map(([text, source]) => `    ${text}: ${source},`),
		'}',
		'# What stands in it for anything.',
		`ANYTHING = ${literal(REDACTED, plain)}`,
	];
}

function testOf(recorded: RecordedCase): string[] {
	const { name, variables, isTask } = recorded;
	const response = isTask ? 'follow(peer, perform(peer))' : 'perform(peer)';
	return [
		`def test_${identifier(name)}():`,
		...(variables.length > 0 ? ['    assert not MISSING, f"Set these environment variables first: {MISSING}"'] : []),
		'    peer = Peer()',
		'    try:',
		'        shake_hands(peer)',
		...(mirrorsArguments(recorded) ? ['        read_tool(peer)'] : []),
		`        outcome = outcome_of(${response})`,
		'        assert not peer.open, f"The server did not ask: {text_of(peer.open)}"',
		'        compare("what the call came to", outcome, EXPECTED)',
		'    finally:',
		'        peer.link.close()',
	];
}

/** The imports and helpers before the data, and the code after the test. */
function partsOf(recorded: RecordedCase): { before: string[]; after: string[] } {
	const { server, revision, variables, isTask } = recorded;
	const stateless = revision >= STATELESS;
	return {
		before: [...(variables.length > 0 ? [PARTS.ENVIRONMENT] : []), PARTS.NUMBERS],
		after: [
			stateless ? PARTS.STATELESS : PARTS.SESSION,
			...(isTask ? [stateless ? PARTS.STATELESS_TASK : PARTS.SESSION_TASK] : []),
			PARTS.DIALOGUE,
			PARTS.COMPARISON,
			...(server.type === 'stdio'
				? [LINKS.STDIO]
				: [stateless ? LINKS.STATELESS_HEADERS : LINKS.SESSION_HEADERS, LINKS.HTTP]),
			...(mirrorsArguments(recorded) ? [LINKS.MIRRORING] : []),
		],
	};
}

function variableExpression({ name, type }: CaseVariable) {
	const value = `ENV[${literal(name, python(new Map()))}]`;
	return {
		alone: { string: value, number: `number(${value} or 0)`, boolean: `(${value} == "true")` }[type],
		within: value,
	};
}

function importsOf(recorded: RecordedCase): string[] {
	const stateless = recorded.revision >= STATELESS;
	const http = recorded.server.type === 'http';
	const places = placesIn(recorded);
	const wanted: [boolean, string][] = [
		[http && stateless, 'base64'],
		[true, 'difflib'],
		[http, 'http.client'],
		[true, 'json'],
		[!http || recorded.variables.length > 0, 'os'],
		[places.length > 0, 'pathlib'],
		[true, 'queue'],
		[true, 're'],
		[!http, 'shutil'],
		[!http, 'signal'],
		[!http, 'subprocess'],
		[true, 'threading'],
		[true, 'time'],
		[http, 'urllib.error'],
		[http, 'urllib.request'],
		[true, 'uuid'],
	];
	return wanted.flatMap(([is, module]) => (is ? [module] : []));
}

function folderOf(recorded: RecordedCase, { workspaceFolder }: Site): string[] {
	if (!placesIn(recorded).includes('workspaceFolder')) {
		return [];
	}
	const plain = python(new Map());
	const folder =
		'absolute' in workspaceFolder
			? literal(workspaceFolder.absolute, plain)
			: `str(pathlib.Path(__file__).resolve().parent.joinpath(${literal(workspaceFolder.relative, plain)}).resolve())`;
	return [`WORKSPACE_FOLDER = ${folder}`];
}

function identifier(name: string): string {
	return plainName(name).replaceAll('-', '_').toLowerCase();
}

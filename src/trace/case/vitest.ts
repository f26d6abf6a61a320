import type { Json } from '../../elicitation/json.ts';
import { STATELESS } from '../../elicitation/revisions.ts';
import { REDACTED } from '../secrets.ts';
import { javaScript, literal } from './literals.ts';
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
import { LINKS } from './vitestLinks.ts';
import { PARTS } from './vitestRunner.ts';

const IDENTIFIER = /^[A-Za-z_]\w*$/;

/**
 * Suggested file name of a case.
 * @param suffix distinguishes it from other cases
 */
export function vitestName({ name }: RecordedCase, suffix: string): string {
	return `${plainName(name)}${suffix}.test.mjs`;
}

export function vitestCommand({ file }: Site): string {
	return `npx vitest run ${file}`;
}

/** Generates a self-contained vitest file: an ES module that imports only `node:` modules and vitest. */
export function vitestFile(recorded: RecordedCase, site: Site): string {
	const head = headOf(recorded, vitestCommand(site)).map((line) => `// ${line}`.trimEnd());
	return [
		head.join('\n'),
		importsOf(recorded, site).join('\n'),
		'/** How long the server may take in all (milliseconds). */\nconst PATIENCE = 30_000;',
		dataOf(recorded, site).join('\n'),
		testOf(recorded).join('\n'),
		...partsOf(recorded).map((part) => part.trim()),
	]
		.join('\n\n')
		.concat('\n');
}

/** The recorded data. */
function dataOf(recorded: RecordedCase, site: Site): string[] {
	const { revision, variables, method } = recorded;
	const plain = javaScript(new Map());
	const dialect = javaScript(
		markersOf(variables, variableExpression, { workspaceFolder: 'workspaceFolder', userHome: 'homedir()' }),
	);
	const constant = (id: string, value: unknown) =>
		`const ${id} = ${literal(value as Json, dialect, 0, id.length + 9)};`;
	const names = variables.map(({ name }) => literal(name, plain)).join(', ');
	return [
		...(names === '' ? [] : ['const missing = [];', `const env = fromEnvironment(${names});`]),
		...folderOf(recorded, site),
		constant('REVISION', revision),
		constant('server', serverOf(recorded)),
		constant('capabilities', recorded.capabilities),
		constant('call', { method, params: recorded.params }),
		'/** Elicitations of the same turn may come in any order. */',
		constant('elicitations', recorded.elicitations),
		constant('expected', recorded.expected),
		'',
		'/** The members of a result that are compared. */',
		constant('COMPARED', COMPARED[method]),
		'/** What stands in the recording for texts that differ on every run, and what fits it. */',
		'const PLACEHOLDERS = new Map([',
		...placeholders(plain).map(([text, source]) => `  [${text}, ${source}],`),
		']);',
		'/** What stands in it for anything. */',
		`const ANYTHING = ${literal(REDACTED, plain)};`,
		'let lastId = 0;',
	];
}

function testOf(recorded: RecordedCase): string[] {
	const { name, variables, isTask } = recorded;
	const response = isTask ? 'await follow(peer, await perform(peer))' : 'await perform(peer)';
	return [
		`test(${literal(name, javaScript(new Map()))}, { timeout: PATIENCE + 10_000 }, async () => {`,
		...(variables.length > 0
			? ['  expect(missing, "environment variables that have to be set first").toEqual([]);']
			: []),
		'  const inbox = new Inbox();',
		'  const link = openLink(inbox);',
		'  const peer = { link, inbox, open: [...elicitations] };',
		'  try {',
		'    await shakeHands(peer);',
		...(mirrorsArguments(recorded) ? ['    await readTool(peer);'] : []),
		`    const outcome = outcomeOf(${response});`,
		'    expect(peer.open, "elicitations that the server did not ask").toEqual([]);',
		'    expect(settled(outcome, expected), "what the call came to").toEqual(expected);',
		'  } finally {',
		'    await link.close();',
		'  }',
		'});',
	];
}

function variableExpression({ name, type }: CaseVariable) {
	const value = IDENTIFIER.test(name) ? `env.${name}` : `env[${literal(name, javaScript(new Map()))}]`;
	return {
		alone: { string: value, number: `Number(${value})`, boolean: `(${value} === "true")` }[type],
		within: value,
	};
}

function importsOf(recorded: RecordedCase, { workspaceFolder }: Site): string[] {
	const stdio = recorded.server.type === 'stdio';
	const places = placesIn(recorded);
	const wanted: [boolean, string][] = [
		[stdio, 'import { spawn } from "node:child_process";'],
		[places.includes('userHome'), 'import { homedir } from "node:os";'],
		[stdio, 'import { createInterface } from "node:readline";'],
		[places.includes('workspaceFolder') && 'relative' in workspaceFolder, 'import { fileURLToPath } from "node:url";'],
		[true, 'import { isDeepStrictEqual } from "node:util";'],
		[true, 'import { expect, test } from "vitest";'],
	];
	return wanted.flatMap(([is, line]) => (is ? [line] : []));
}

function folderOf(recorded: RecordedCase, { workspaceFolder }: Site): string[] {
	if (!placesIn(recorded).includes('workspaceFolder')) {
		return [];
	}
	const plain = javaScript(new Map());
	const folder =
		'absolute' in workspaceFolder
			? literal(workspaceFolder.absolute, plain)
			: `fileURLToPath(new URL(${literal(workspaceFolder.relative, plain)}, import.meta.url))`;
	return [`const workspaceFolder = ${folder};`];
}

function partsOf(recorded: RecordedCase): string[] {
	const { server, revision, variables, isTask } = recorded;
	const stateless = revision >= STATELESS;
	return [
		stateless ? PARTS.STATELESS : PARTS.SESSION,
		...(isTask ? [stateless ? PARTS.STATELESS_TASK : PARTS.SESSION_TASK] : []),
		PARTS.DIALOGUE,
		PARTS.COMPARISON,
		...(variables.length > 0 ? [PARTS.ENVIRONMENT] : []),
		PARTS.INBOX,
		...(server.type === 'stdio'
			? [LINKS.STDIO]
			: [LINKS.HTTP, stateless ? LINKS.STATELESS_HEADERS : LINKS.SESSION_HEADERS]),
		...(mirrorsArguments(recorded) ? [LINKS.MIRRORING] : []),
	];
}

/** What is said of other clients is what was measured, or has a source. */
import { PERSONAS, type Persona } from '../../src/elicitation/personas/persona.ts';
import { read } from './project.ts';

const PAGE = 'docs/comparison.md';

/** Every cell about another client says how it was found; those that were measured agree with the personas. */
export function* checkComparison(): Iterable<string> {
	const rows = read(PAGE)
		.split('\n')
		.filter((line) => /^\| (?!---|behavior)/.test(line))
		.map((line) => line.slice(2, -2).split(' | '));
	for (const row of rows) {
		const claims = row.slice(1, -1).flatMap((cell) => cell.split(/;/));
		if (row.length !== 5 || claims.some((claim) => !/\((?:m|t|c)\)/.test(claim))) {
			yield `${PAGE}: the row of "${row[0]}" needs three other clients, each claim with (m), (t), or (c)`;
		}
	}
	const [editor, inspector, mcpjam] = ['vscode', 'inspector', 'mcpjam-2'].map((id) =>
		PERSONAS.find((each) => each.id === id),
	);
	const ignores = (client: Persona | undefined, keyword: string) => client?.form?.ignores?.includes(keyword) === true;
	const keywords = ['pattern', 'exclusiveMinimum', 'multipleOf', 'minLength', 'format'].map(
		(keyword) =>
			[
				`\`${keyword}\``,
				ignores(editor, keyword) ? 'no (m)' : 'yes (m)',
				ignores(inspector, keyword) ? 'no (m)' : 'yes (m)',
				ignores(mcpjam, keyword) ? 'not in the form (c)' : 'yes (c)',
			] as const,
	);
	const { number, boolean } = { ...editor?.form?.blank } as { number?: unknown; boolean?: unknown };
	for (const [behavior, ...expected] of [
		...keywords,
		['revisions', `${Object.keys(editor?.declares ?? {}).join(' and ')} (m)`],
		['left blank', `number: \`${number}\`, Boolean: \`${boolean}\` (m)`],
	] as const) {
		const row = rows.find(([cell]) => cell?.includes(behavior));
		const isKeyword = behavior.startsWith('`');
		const wrong = expected.filter((text, at) => (isKeyword ? row?.[at + 1] !== text : !row?.[at + 1]?.includes(text)));
		yield* wrong.map((text) => `${PAGE}: the row of ${behavior} should say "${text}", as was measured`);
	}
	// What the sentences of the page rest on.
	const facts: readonly (readonly [string, boolean])[] = [
		[`the version ${editor?.version} of VS Code`, read(PAGE).includes(`| VS Code ${editor?.version} |`)],
		['MCP Inspector 2.12', inspector?.version?.startsWith('2.12.') === true],
		['MCPJam 2.45', mcpjam?.version?.startsWith('2.45.') === true],
		['that MCP Inspector leaves out what is blank', JSON.stringify(inspector?.form?.blank) === '{}'],
		['that VS Code loses defaults of false and 0', editor?.form?.losesFalsyDefaults === true],
		['that MCP Inspector keeps them', inspector?.form?.losesFalsyDefaults === false],
		['which of several requests VS Code shows', editor?.several === 'newest'],
		['which of several requests MCP Inspector shows', inspector?.several === 'oneByOne'],
	];
	yield* facts.filter(([, holds]) => !holds).map(([fact]) => `${PAGE}: ${fact} is no longer what was measured`);
}

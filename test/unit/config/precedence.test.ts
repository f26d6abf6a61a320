import { describe, expect, it } from 'vitest';
import { readContent } from '../../../src/config/content.ts';
import { KINDS, type Kind, outerInputs, resolvePrecedence, type Written } from '../../../src/config/precedence.ts';
import { SHAPES } from '../../../src/config/shape.ts';

interface ConfigSource {
	readonly kind: Kind;
	readonly at: string;
}

function written(kind: Kind, servers: object, inputs: object[] = [], at: string = kind): Written<ConfigSource> {
	const outer = [
		{
			id: 'user',
			type: 'promptString' as const,
			description: undefined,
			default: undefined,
			password: false,
			options: [],
		},
	];
	return { source: { kind, at }, content: readContent({ servers, inputs }, SHAPES.mcpJson, outer) };
}

const input = (id: string) => ({ id, type: 'promptString' });
const shown = (all: readonly Written<ConfigSource>[]) =>
	resolvePrecedence(all).map(({ name, source, definition, others }) => ({
		name,
		counts: source.at,
		usable: definition !== undefined,
		others: others.map(({ at }) => at),
	}));

describe('a name that is defined in several sources', () => {
	const pairs = KINDS.flatMap((strong, index) => KINDS.slice(index + 1).map((weak) => [strong, weak] as const));

	it.each(pairs)('takes effect in %s rather than in %s, whichever was read first', (strong, weak) => {
		const one = written(strong, { a: { command: strong } });
		const other = written(weak, { a: { command: weak } });
		const expected = [{ name: 'a', counts: strong, usable: true, others: [weak] }];
		expect(shown([one, other])).toEqual(expected);
		expect(shown([other, one])).toEqual(expected);
	});

	it('takes effect in the first of the folders', () => {
		const folders = ['one', 'two', 'three'].map((at) => written('mcpJson', { a: { command: at } }, [], at));
		expect(shown(folders)).toEqual([{ name: 'a', counts: 'one', usable: true, others: ['two', 'three'] }]);
	});

	it('takes effect in the source with the highest precedence, even if it is invalid there', () => {
		const all = [written('user', { a: { command: '' } }), written('shared', { a: { command: 'node' } })];
		expect(shown(all)).toEqual([{ name: 'a', counts: 'user', usable: false, others: ['shared'] }]);
		expect(resolvePrecedence(all)[0]?.problems).toHaveLength(1);
	});

	it('does not affect other names in those sources', () => {
		const all = [
			written('shared', { c: { command: 'c' }, a: { command: 'x' } }),
			written('user', { a: { command: 'a' }, b: { url: 'nonsense' } }),
		];
		expect(shown(all)).toEqual([
			{ name: 'a', counts: 'user', usable: true, others: ['shared'] },
			{ name: 'b', counts: 'user', usable: false, others: [] },
			{ name: 'c', counts: 'shared', usable: true, others: [] },
		]);
	});

	it('may be __proto__', () => {
		const servers = JSON.parse('{"__proto__": {"command": "a"}}');
		expect(shown([written('user', servers), written('workspace', servers)])).toEqual([
			{ name: '__proto__', counts: 'workspace', usable: true, others: ['user'] },
		]);
	});
});

describe('an input', () => {
	const uses = (...ids: Kind[]) => ({ command: 'a', args: ['${input:same}', ...ids.map((id) => `\${input:${id}}`)] });
	const all = (...used: Kind[]) =>
		KINDS.map((kind) =>
			written(kind, { [kind]: uses(...used) }, [input(kind), { ...input('same'), description: kind }]),
		);

	it.each<[Kind, Kind[]]>([
		['folder', ['folder', 'workspace', 'user']],
		['workspace', ['workspace', 'user']],
		['user', ['user']],
		['mcpJson', ['mcpJson']],
		['shared', ['shared']],
	])('may be used in %s if it is defined there, or in wider settings', (kind, ids) => {
		const places = all(...ids);
		const { source } = places.find((place) => place.source.kind === kind) as Written<ConfigSource>;
		expect(outerInputs(source, places).map(({ id }) => id)).toEqual(ids.slice(1).flatMap((id) => [id, 'same']));
		const outer = outerInputs(source, places);
		const servers = { [kind]: uses(...ids), [`${kind} 2`]: { command: 'b' } };
		const content = readContent(
			{ servers, inputs: [{ ...input('same'), description: kind }, input(kind)] },
			SHAPES.mcpJson,
			outer,
		);
		const arranged = resolvePrecedence([...places.filter((place) => place.source.kind !== kind), { source, content }]);
		const [one, two] = [kind, `${kind} 2`].map((name) => arranged.find((server) => server.name === name));
		expect(one?.inputs.map(({ id }) => id)).toEqual(['same', ...ids]);
		expect(one?.inputs[0]?.description).toBe(kind);
		expect(two?.inputs).toEqual([]);
	});

	it('of the local settings may be used in those of the remote machine, which come first', () => {
		const [remote, local] = ['remote', 'local'].map((id) => ({
			source: { kind: 'user' as const },
			content: readContent({ servers: {}, inputs: [{ id, type: 'promptString' }] }, SHAPES.mcpJson),
		}));
		const places = [remote, local] as Written<{ kind: Kind }>[];
		const outer = places.map(({ source }) => outerInputs(source, places).map(({ id }) => id));
		expect(outer).toEqual([['local'], []]);
	});
});

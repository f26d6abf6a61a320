import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readServers } from '../../../src/config/readDefinition.ts';
import { readRegistryEntry } from '../../../src/config/registryEntry.ts';
import { readSnippet } from '../../../src/config/snippet.ts';
import type { Json } from '../../../src/elicitation/json.ts';
import { english, render, type Sentence } from '../../../src/elicitation/sentence.ts';
import { tableRows } from '../../tableRows.ts';

const rows = tableRows(import.meta.url);

const name = 'io.github.ada/weather-mcp';

describe('an entry of an MCP registry', () => {
	it.each<[string, object, object, readonly object[]]>(rows('entries'))(
		'%s becomes a definition',
		(_what, entry, definition, inputs) => {
			for (const whole of [
				{ name, ...entry },
				{ server: { name, ...entry }, _meta: {} },
			]) {
				expect(readSnippet(JSON.stringify(whole))).toEqual({ servers: [{ name: 'weather', definition }], inputs });
			}
			expect(readServers({ it: definition }).problems).toEqual([]);
		},
	);

	it('has a name: other JSON with the same members is none', () => {
		const refused = readSnippet(JSON.stringify({ remotes: [{ type: 'streamable-http', url: 'https://h' }] }));
		expect(render(refused as Sentence, english)).toBe('There is no server in it: no object with "command" or "url".');
	});

	it('that has nothing to run or reach is refused', () => {
		const refused = readSnippet(JSON.stringify({ name, packages: [{ registryType: 'mcpb', identifier: 'x' }] }));
		expect(render(refused as Sentence, english)).toBe(
			'This entry of a registry has no package that can be run here, and no URL.',
		);
	});

	it('never makes it throw', () => {
		const values = fc.dictionary(
			fc.constantFrom(
				'name',
				'packages',
				'remotes',
				'registryType',
				'identifier',
				'url',
				'headers',
				'value',
				'variables',
			),
			fc.jsonValue(),
		);
		const entry = fc.record({ name: fc.string(), packages: fc.array(values), remotes: fc.array(values) });
		fc.assert(fc.property(entry, (value) => void readRegistryEntry(value as Json)));
	});
});

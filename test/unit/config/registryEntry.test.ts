import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readServers } from '../../../src/config/definition.ts';
import { readRegistryEntry } from '../../../src/config/registryEntry.ts';
import { readSnippet } from '../../../src/config/snippet.ts';
import type { Json } from '../../../src/elicitation/json.ts';
import { english, render, type Sentence } from '../../../src/elicitation/sentence.ts';

const name = 'io.github.ada/weather-mcp';

describe('an entry of an MCP registry', () => {
	it.each<[string, object, object, readonly object[]]>([
		[
			'of an npm package',
			{
				packages: [{ registryType: 'npm', identifier: '@ada/weather', version: '1.0.2', transport: { type: 'stdio' } }],
			},
			{ type: 'stdio', command: 'npx', args: ['-y', '@ada/weather@1.0.2'] },
			[],
		],
		[
			'of a Python package with a secret',
			{
				packages: [
					{
						registryType: 'pypi',
						identifier: 'weather',
						environmentVariables: [
							{ name: 'KEY', description: 'API key', isRequired: true, isSecret: true },
							{ name: 'UNITS', default: 'celsius' },
							{ name: 'OPTIONAL' },
						],
					},
				],
			},
			{ type: 'stdio', command: 'uvx', args: ['weather'], env: { KEY: '${input:KEY}', UNITS: 'celsius' } },
			[{ id: 'KEY', type: 'promptString', description: 'API key', password: true }],
		],
		[
			'with values of one name, and arguments without one',
			{
				packages: [
					{
						registryType: 'pypi',
						identifier: 'weather',
						environmentVariables: [{ name: 'KEY', isSecret: true }],
						runtimeArguments: [{ type: 'positional', isRequired: true }],
						packageArguments: [
							{ type: 'positional', isRequired: true },
							{ type: 'positional', isRequired: true },
							{ type: 'named', name: '--KEY', isRequired: true },
							{ type: 'named', name: '--key', value: '{KEY}', variables: { KEY: { isSecret: true } } },
						],
					},
				],
			},
			{
				type: 'stdio',
				command: 'uvx',
				args: [
					...['${input:argument 1}', 'weather', '${input:argument 2}', '${input:argument 3}'],
					...['--KEY', '${input:KEY-2}', '--key', '${input:KEY}'],
				],
				env: { KEY: '${input:KEY}' },
			},
			[
				{ id: 'KEY', type: 'promptString', password: true },
				{ id: 'argument 1', type: 'promptString' },
				{ id: 'argument 2', type: 'promptString' },
				{ id: 'argument 3', type: 'promptString' },
				{ id: 'KEY-2', type: 'promptString' },
			],
		],
		[
			'of a container that needs its variables passed',
			{
				packages: [
					{
						registryType: 'oci',
						identifier: 'ghcr.io/ada/weather:1.0',
						runtimeArguments: [
							{
								type: 'named',
								name: '--mount',
								value: 'type=bind,src={source},dst=/data',
								variables: { source: { description: 'Folder', isRequired: true } },
							},
						],
						environmentVariables: [{ name: 'KEY', isSecret: true }],
						packageArguments: [{ type: 'positional', value: 'serve' }],
					},
				],
			},
			{
				type: 'stdio',
				command: 'docker',
				args: [
					...['run', '-i', '--rm', '--mount', 'type=bind,src=${input:source},dst=/data', '-e', 'KEY'],
					...['ghcr.io/ada/weather:1.0', 'serve'],
				],
				env: { KEY: '${input:KEY}' },
			},
			[
				{ id: 'KEY', type: 'promptString', password: true },
				{ id: 'source', type: 'promptString', description: 'Folder' },
			],
		],
		[
			'of a remote server, which is preferred',
			{
				packages: [{ registryType: 'npm', identifier: 'weather' }],
				remotes: [
					{
						type: 'streamable-http',
						url: 'https://{region}.example.com/mcp',
						variables: { region: { choices: ['eu', 'us'], isRequired: true } },
						headers: [{ name: 'X-Region', value: '{region}' }],
					},
				],
			},
			{ type: 'http', url: 'https://${input:region}.example.com/mcp', headers: { 'X-Region': '{region}' } },
			[{ id: 'region', type: 'pickString', options: ['eu', 'us'] }],
		],
		[
			'with named arguments, of which optional ones without a value are left out',
			{
				packages: [
					{ registryType: 'mcpb', identifier: 'x' },
					{
						registryType: 'nuget',
						identifier: 'Weather',
						version: '1.0',
						packageArguments: [
							{ type: 'named', name: '--mode', default: 'local' },
							{ type: 'named', name: '--port' },
							{ type: 'positional', valueHint: 'city', isRequired: true },
						],
					},
				],
			},
			{ type: 'stdio', command: 'dnx', args: ['Weather@1.0', '--yes', '--', '--mode', 'local', '${input:city}'] },
			[{ id: 'city', type: 'promptString' }],
		],
	])('%s becomes a definition', (_what, entry, definition, inputs) => {
		for (const whole of [
			{ name, ...entry },
			{ server: { name, ...entry }, _meta: {} },
		]) {
			expect(readSnippet(JSON.stringify(whole))).toEqual({ servers: [{ name: 'weather', definition }], inputs });
		}
		expect(readServers({ it: definition }).problems).toEqual([]);
	});

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

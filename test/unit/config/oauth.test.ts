import { describe, expect, it } from 'vitest';
import type { HttpDefinition } from '../../../src/config/definition.ts';
import { effectiveParts, PARTS } from '../../../src/config/fingerprint.ts';
import { readServers } from '../../../src/config/readDefinition.ts';
import { resolveVariables, type VariableSource } from '../../../src/config/variables.ts';
import { tableRows } from '../../tableRows.ts';

const rows = tableRows(import.meta.url);

const url = 'https://mcp.example/mcp';

function read(oauth: unknown) {
	const { servers, problems } = readServers({ it: { url, oauth } });
	return { definition: servers[0] as HttpDefinition | undefined, problems };
}

const source: VariableSource = {
	workspaceFolder: () => undefined,
	userHome: () => '/home/ada',
	pathSeparator: () => '/',
	environment: (name) =>
		({ CLIENT: 'resolved', PLACE: 'https://client.example/id.json', ROOT: 'https://client.example' })[name],
	configuration: () => undefined,
	input: () => undefined,
	shell: false,
};

describe('how this client identifies itself for authorization', () => {
	it('is read as a whole', () => {
		const oauth = {
			clientId: 'me',
			clientMetadataUrl: 'https://client.example/id.json',
			scopes: ['a', 'b'],
			callbackPort: 4711,
		};
		expect(read(oauth)).toMatchObject({ definition: { oauth }, problems: [] });
	});

	it('is absent if nothing is configured', () => {
		expect(readServers({ it: { url } }).servers[0]).not.toHaveProperty('oauth');
	});

	it.each<[string, unknown, string[]]>(rows('refused'))('is refused with %s', (_what, oauth, path) => {
		const { definition, problems } = read(oauth);
		expect(definition).toBeUndefined();
		expect(problems).toMatchObject([{ server: 'it', path, severity: 'error' }]);
	});

	it('is read with a warning where a name is unknown', () => {
		const { definition, problems } = read({ clientid: 'me' });
		expect(definition).toBeDefined();
		expect(problems).toMatchObject([{ path: ['oauth', 'clientid'], severity: 'warning', meant: 'clientId' }]);
	});

	it('may use variables', () => {
		const { definition } = read({
			clientId: '${env:CLIENT}',
			clientMetadataUrl: '${env:PLACE}',
			scopes: ['${env:CLIENT}'],
		});
		expect(resolveVariables(definition as HttpDefinition, source)).toMatchObject({
			definition: {
				oauth: { clientId: 'resolved', clientMetadataUrl: 'https://client.example/id.json', scopes: ['resolved'] },
			},
			problems: [],
		});
	});

	it('is checked again when variables are resolved', () => {
		const { definition } = read({ clientMetadataUrl: '${env:ROOT}' });
		expect(resolveVariables(definition as HttpDefinition, source).problems).toMatchObject([
			{ path: ['oauth', 'clientMetadataUrl'] },
		]);
	});

	it('is part of what consent is bound to, in whatever order it is written', () => {
		const parts = (oauth: unknown) => {
			const definition = read(oauth).definition as HttpDefinition;
			return effectiveParts({ written: definition, shown: definition, inputs: [] });
		};
		const changes = (one: unknown, other: unknown) => PARTS.filter((part) => parts(one)[part] !== parts(other)[part]);
		expect(changes({ clientId: 'me' }, { clientId: 'you' })).toEqual(['oauth']);
		expect(changes(undefined, { scopes: ['a'] })).toEqual(['oauth']);
		expect(changes({ clientId: 'me', callbackPort: 1 }, { callbackPort: 1, clientId: 'me' })).toEqual([]);
	});
});

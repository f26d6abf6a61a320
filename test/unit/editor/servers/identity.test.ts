import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConfiguredServer } from '../../../../src/editor/common/serverEntry.ts';
import { identityOf, machineIn } from '../../../../src/editor/servers/identity.ts';
import { define } from '../../mcp/testClient.ts';
import { temporaryFolder } from '../storage.ts';
import { fakeVscode } from '../vscode.ts';

const source = { kind: 'user', uri: 'user', folder: undefined, file: undefined, shape: {} };
const input = { id: 'region', type: 'promptString', password: false, options: [] };

/** Identifies a server of the user's settings. */
function identify(definition: object, more: object = {}, machine = 'here'): string | undefined {
	const configured = { source, definition: define('s', definition), problems: [], inputs: [], others: [], ...more };
	return identityOf(configured as unknown as ConfiguredServer, () => machine);
}

const program = { command: 'node', args: ['a.mjs'], env: { A: '1' } };
const remote = { type: 'http', url: 'https://mcp.example.com/mcp', headers: { A: '1' } };

describe('a server is another one', () => {
	it.each<[string, object, object, object?]>([
		['with another command', program, { ...program, command: 'bun' }],
		['with another argument', program, { ...program, args: ['b.mjs'] }],
		['in another folder', program, { ...program, cwd: '/elsewhere' }],
		['with another environment', program, { ...program, env: { A: '2' } }],
		['with another environment file', program, { ...program, envFile: '/.env' }],
		['with another URL', remote, { ...remote, url: 'https://mcp.example.net/mcp' }],
		['with another path', remote, { ...remote, url: 'https://mcp.example.com/evil' }],
		['with other headers', remote, { ...remote, headers: { A: '2' } }],
		['with another client', remote, { ...remote, oauth: { clientId: 'b' } }],
		['with other roots', remote, { ...remote, roots: 'none' }],
		['with another debugger', program, { ...program, dev: { debug: { type: 'debugpy', debugpyPath: './evil' } } }],
		['elsewhere', program, program, { source: { ...source, kind: 'mcpJson', uri: 'file:///.vscode/mcp.json' } }],
		['with other proposals', program, program, { inputs: [{ ...input, default: 'eu' }] }],
	])('%s', (_what, one, other, more) => {
		expect(identify(one)).toBe(identify(one));
		expect(identify(other, more)).not.toBe(identify(one));
	});

	it.each([
		['command', program, { ...program, command: '${config:x}' }],
		['arguments', program, { ...program, args: ['${config:x}'] }],
		['url', remote, { ...remote, url: '${config:x}' }],
	])('when a workspace changes the setting that its %s depends on', (_member, _as, definition) => {
		const identities = ['https://one.example/mcp', 'https://two.example/mcp'].map((value) => {
			fakeVscode({ workspace: { getConfiguration: () => ({ get: () => value, inspect: () => undefined }) } });
			return identify(definition);
		});
		expect(new Set(identities).size).toBe(2);
	});

	it.each([
		['a program', program, true],
		['loopback', { ...remote, url: 'http://localhost:3000/mcp' }, true],
		['a private network', { ...remote, url: 'http://10.1.2.3/mcp' }, true],
		['the internet', remote, false],
	])('on another machine if it depends on it: %s', (_where, definition, differs) => {
		expect(identify(definition, {}, 'there') !== identify(definition)).toBe(differs);
	});

	it('but not because of a secret in the environment of the editor, which it holds in no form', () => {
		const definition = { ...remote, headers: { Authorization: 'Bearer ${env:TEST_TOKEN}' } };
		const identities = ['one', 'two'].map((value) => {
			process.env['TEST_TOKEN'] = value;
			return identify(definition);
		});
		delete process.env['TEST_TOKEN'];
		expect(new Set(identities).size).toBe(1);
	});
});

describe('the id of a machine', () => {
	it('is the same in every window of it, and another one elsewhere', () => {
		const file = join(temporaryFolder(), 'storage', 'machine');
		const machine = machineIn(file);
		expect(machine()).toMatch(/^[\da-f-]{36}$/);
		expect(machineIn(file)()).toBe(machine());
		expect(machineIn(join(temporaryFolder(), 'machine'))()).not.toBe(machine());
	});

	it.each(['', 'x'.repeat(36)])('is not taken from a file that is damaged: %j', (text) => {
		const file = join(temporaryFolder(), 'machine');
		writeFileSync(file, text);
		const id = machineIn(file)();
		expect(readFileSync(file, 'utf8')).toBe(id);
		expect(id).not.toBe(text);
	});

	it('is that of the window alone where it cannot be kept', () => {
		const file = join(temporaryFolder(), 'machine');
		mkdirSync(file);
		const machine = machineIn(file);
		expect(machine()).toBe(machine());
		expect(machineIn(file)()).not.toBe(machine());
	});
});

import { describe, expect, it } from 'vitest';
import { receiverOf } from '../../../src/config/receiver.ts';
import { define } from './define.ts';

const keyOf = (value: unknown) => receiverOf(define(value)).key;

const program = {
	command: 'node',
	args: ['a', '${input:token}'],
	cwd: '/c',
	env: { A: '1', B: null },
	envFile: '.env',
};
const address = { url: 'https://h/mcp', headers: { Authorization: 'Bearer ${input:token}' } };

describe('the recipient of a secret', () => {
	it.each([
		['the command', { ...program, command: './node' }],
		['an argument', { ...program, args: ['b', '${input:token}'] }],
		['how arguments are split', { ...program, args: ['a ${input:token}'] }],
		['the working directory', { ...program, cwd: '/d' }],
		['a variable, which may decide what runs', { ...program, env: { A: '1', B: null, NODE_OPTIONS: '-r ./evil.js' } }],
		['the environment file', { ...program, envFile: 'other.env' }],
		['the kind of connection', address],
	])('changes with %s', (_what, changed) => {
		expect(keyOf(changed)).not.toBe(keyOf(program));
	});

	it('changes with the URL, but not with headers', () => {
		expect(keyOf({ ...address, url: 'https://evil.example/mcp' })).not.toBe(keyOf(address));
		expect(keyOf({ ...address, headers: { ...address.headers, More: '1' } })).toBe(keyOf(address));
		expect(receiverOf(define(address)).text).toBe('https://h/mcp');
	});

	it('does not depend on the order of variables or on the presentation of elicitations', () => {
		const same = { ...program, env: { B: null, A: '1' }, elicitation: { form: 'decline' } };
		expect(keyOf(same)).toBe(keyOf(program));
	});
});

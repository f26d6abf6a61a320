import { expect, it } from 'vitest';
import { readInputs } from '../../../src/config/inputs.ts';
import { problemSentence } from '../../../src/config/problem.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';

const read = (input: object) => {
	const { inputs, problems } = readInputs([input]);
	return [...inputs, ...problems.map((problem) => `${problem.severity}: ${render(problemSentence(problem), english)}`)];
};

it('a value that stands in a file is no secret: a masked box has no default', () => {
	expect(read({ id: 'x', type: 'promptString', password: true, default: 'evil.example/?' })).toEqual([
		expect.objectContaining({ id: 'x', password: true, default: undefined }),
		'warning: "0.default" has no effect: it stands in this file, so it is no secret. Remove it, or "password".',
	]);
});

it('a value that stands in a file is no secret: a choice is not masked', () => {
	expect(read({ id: 'x', type: 'pickString', password: true, options: ['a'], default: 'a' })).toEqual([
		expect.objectContaining({ id: 'x', password: false, default: 'a', options: [{ label: 'a', value: 'a' }] }),
		'warning: "0.password" has no effect: what can be chosen stands in this file, so it is no secret.',
	]);
});

it.each([
	{ id: 'x', type: 'promptString', password: true },
	{ id: 'x', type: 'promptString', default: 'a' },
	{ id: 'x', type: 'pickString', password: false, options: ['a'], default: 'a' },
])('nothing is said of what is usual: %j', (input) => {
	expect(read(input)).toEqual([expect.objectContaining(input.type === 'pickString' ? { id: 'x' } : input)]);
});

it('what a command of the editor returns is as unknown as a secret', () => {
	const args = { command: 'printf tok', useFirstResult: true };
	expect(read({ id: 'x', type: 'command', command: 'shellCommand.execute', args })).toEqual([
		expect.objectContaining({ id: 'x', password: true, command: { id: 'shellCommand.execute', args } }),
	]);
});

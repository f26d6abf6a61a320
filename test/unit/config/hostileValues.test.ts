import { expect, it } from 'vitest';
import { readAnswers } from '../../../src/config/answers.ts';
import { answerDiagnostics } from '../../../src/config/answersText.ts';
import { readInputs } from '../../../src/config/inputs.ts';
import { problemSentence } from '../../../src/config/problem.ts';
import { proposedName } from '../../../src/config/proposedName.ts';
import { readServers } from '../../../src/config/readDefinition.ts';
import { readSnippet } from '../../../src/config/snippet.ts';
import type { Json } from '../../../src/elicitation/json.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { HOSTILE_VALUES, replaced } from '../../replaced.ts';

const described = { name: 'A', description: 'd', default: 'x', choices: ['x'], isRequired: true, isSecret: true };
const inputs = [{ id: 'token', type: 'promptString', description: 'd', password: true, default: 'x', options: ['x'] }];
const servers = {
	program: {
		type: 'stdio',
		command: 'node',
		args: ['${input:token}'],
		env: { A: 'x', B: null, C: 1 },
		envFile: '.env',
		cwd: '/',
		protocolVersion: 'auto',
		elicitation: ['form', 'url'],
		roots: ['/a'],
		sampling: 'ask',
		dev: { watch: ['**/*.js'], debug: { type: 'node' } },
	},
	web: { type: 'http', url: 'https://h', headers: { A: 'x' }, oauth: { clientId: 'i', scopes: ['s'] } },
};

const WRITTEN: Readonly<Record<string, [value: Json, read: (value: Json) => void]>> = {
	'an entry of a registry': [
		{
			name: 'io.github.ada/weather',
			packages: [
				{
					registryType: 'npm',
					identifier: 'x',
					version: '1',
					transport: { type: 'stdio' },
					runtimeArguments: [{ type: 'named', name: '-a', valueHint: 'v', default: 'x' }],
					packageArguments: [{ type: 'positional', value: '{v}', variables: { v: described } }],
					environmentVariables: [described],
				},
			],
		},
		(value) => {
			const snippet = readSnippet(JSON.stringify(value));
			if ('servers' in snippet) {
				snippet.servers.map(({ definition }) => proposedName(definition));
			}
		},
	],
	'an entry of a registry that is reached': [
		{
			name: 'io.github.ada/weather',
			remotes: [{ type: 'sse', url: 'https://{v}', variables: { v: described }, headers: [described] }],
		},
		(value) => readSnippet(JSON.stringify(value)),
	],
	'a file of servers': [{ servers, inputs }, (value) => readSnippet(JSON.stringify(value))],
	'the servers of the settings': [
		servers,
		(value) => readServers(value).problems.map((problem) => render(problemSentence(problem), english)),
	],
	'the inputs of the settings': [
		inputs,
		(value) => readInputs(value).problems.map((problem) => render(problemSentence(problem), english)),
	],
	'scripted answers': [
		[
			{ server: 's', message: 'm', mode: 'form', action: 'accept', content: { a: 1 }, delayMs: 1, times: 1 },
			{ action: 'error', error: { code: 1, message: 'm' } },
		],
		(value) => {
			readAnswers(value);
			answerDiagnostics(JSON.stringify(value), []);
		},
	],
};

it.each(Object.entries(WRITTEN))('%s can be read, whichever value is replaced', (_, [written, read]) => {
	const copies = HOSTILE_VALUES.flatMap((by) => [...replaced(written, by)]);
	expect(copies.length).toBeGreaterThan(50);
	copies.forEach(read);
});

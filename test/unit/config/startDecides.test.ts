import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidesWhatRuns } from '../../../src/config/decidingVariables.ts';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import { effectiveParts } from '../../../src/config/fingerprint.ts';
import { effectiveDefinition, launchOf } from '../../../src/config/launch.ts';
import { readServers } from '../../../src/config/readDefinition.ts';
import { decidedBySecret, type Start } from '../../../src/config/start.ts';
import { exact, startSections } from '../../../src/config/startText.ts';
import type { VariableSource } from '../../../src/config/variables.ts';
import { runs } from '../../nightly.ts';
import { define } from './define.ts';

const source: VariableSource = {
	workspaceFolder: () => '/work',
	userHome: () => '/home/ada',
	pathSeparator: () => '/',
	environment: (name) => `value of ${name}`,
	configuration: (key) => `setting ${key}`,
	isOfWorkspace: (key) => key.startsWith('theirs'),
	input: () => undefined,
	shell: false,
};

/** Parts of URLs and values: literals, and variables of every origin, some with a value that leads elsewhere. */
const part = fc.constantFrom(
	...['api.example.com', 'evil.example', '.', ':80', '/', '?', '#', '@', '\\', 'https://', 'http://', 'https:', 'x'],
	...['${input:who}', '${env:A_TOKEN}', '${env:HOST}', '${config:host}', '${config:theirs.token}', '${config:mine}'],
);
const address = fc
	.tuple(
		fc.constantFrom('https://', 'http://', 'https:', 'https:/', ''),
		fc.array(part, { minLength: 1, maxLength: 6 }),
	)
	.map(([scheme, parts]) => scheme + parts.join(''));
const deciding = fc.record({
	command: part,
	args: fc.array(part, { maxLength: 2 }),
	cwd: part,
	env: fc.dictionary(fc.constantFrom('NODE_OPTIONS', 'GIT_CONFIG_KEY_0', 'PATH', 'HTTPS_PROXY', 'API_KEY', 'X'), part),
});

/** A machine on which every variable may have any value. */
const machine = fc.record({
	HOST: fc.constantFrom('h.example', 'evil.example/', '//evil.example/'),
	A_TOKEN: fc.constantFrom('secret', 'evil.example/?', '//evil.example#'),
	setting: fc.constantFrom('s.example', 'evil.example/#', '--require=./evil.js'),
	who: fc.constantFrom('typed', 'evil.example/?', '@evil.example'),
});
type Machine = typeof machine extends fc.Arbitrary<infer T> ? T : never;

/** What the consent shows, and what is started after it; undefined if it is refused. */
function asked(value: unknown, { HOST, A_TOKEN, setting, who }: Machine) {
	const [written] = readServers({ it: value }).servers;
	const values: VariableSource = {
		...source,
		environment: (name) => ({ HOST, A_TOKEN })[name],
		configuration: () => setting,
	};
	const effective = written && effectiveDefinition(written, values);
	const launch = written && launchOf(written, values, new Map([['who', { value: who, secret: true }]]));
	if (!launch || !effective || effective.problems.length + launch.problems.length > 0) {
		return undefined;
	}
	const shown = effective.definition;
	const real = launch.definition;
	const file = shown.type === 'stdio' ? shown.command : '';
	const place = shown.type === 'stdio' && {
		program: { file, cwd: shown.cwd ?? '', inWorkspace: false, windows: false },
	};
	const start: Start = { written, shown, inputs: [], ...place };
	return decidedBySecret(shown, real, false) === undefined ? { start, real } : undefined;
}

/** What decides where it goes and what runs, as it stands in the consent. */
function decided(real: ServerDefinition): string[] {
	return real.type === 'stdio'
		? [
				exact(real.command),
				exact(real.cwd ?? ''),
				...Object.entries(real.env).flatMap(([variable, value]) =>
					decidesWhatRuns(variable, false) ? [`${variable}=${exact(value ?? '')}`] : [],
				),
			]
		: [new URL(real.url).host];
}

const definitions = fc.oneof(
	address.map((url) => ({ url })),
	deciding,
);

describe('whatever variables stand for', () => {
	it('the host that is contacted, the program that is spawned, and each variable that decides are shown', () => {
		fc.assert(
			fc.property(definitions, machine, fc.boolean(), (value, values, isOwn) => {
				const { start, real } = asked(value, values) ?? {};
				const rows = start ? startSections(start, isOwn).flatMap((section) => section.rows) : [];
				const texts = rows.map(({ text }) => text.replace(/ \([^)]*\)$/, ''));
				for (const text of real ? decided(real) : []) {
					expect(texts).toContain(text);
				}
			}),
			{ numRuns: runs(5_000, 500) },
		);
	});

	it('another host, program, or variable that decides is asked about again', () => {
		fc.assert(
			fc.property(definitions, machine, machine, (value, before, after) => {
				const [one, other] = [asked(value, before), asked(value, after)];
				if (one && other && decided(one.real).join('\n') !== decided(other.real).join('\n')) {
					expect(effectiveParts(one.start)).not.toEqual(effectiveParts(other.start));
				}
			}),
			{ numRuns: runs(5_000, 500) },
		);
	});

	it.each([
		['https://${input:who}.api.example.com/mcp', 'url'],
		['https://api.example.com:${input:who}/mcp', 'url'],
		['https:${input:who}', 'url'],
		['https:/${env:A_TOKEN}/mcp', 'url'],
		['${input:who}://api.example.com/', 'url'],
		['https://api.example.com${env:A_TOKEN}', 'url'],
		['https://api.example.com/${input:who}/mcp?key=${env:A_TOKEN}', undefined],
		['https://api.example.com?key=${input:who}', undefined],
	])('a secret stands in no URL before its path: %s', (url, member) => {
		const shown = effectiveDefinition(define({ url }), source).definition;
		expect(decidedBySecret(shown, shown, false)).toBe(member);
	});
});

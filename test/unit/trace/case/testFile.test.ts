import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	FORMATS,
	type Format,
	plainName,
	runCommand,
	type Shell,
	shellPath,
} from '../../../../src/trace/case/testFile.ts';
import { runs } from '../../../nightly.ts';

const SHELLS: readonly Shell[] = ['posix', 'fish', 'powershell', 'cmd', 'other'];

/** Pieces of names in which some shell expands something, or ends a quotation. */
const PIECES = [
	...["'", '"', '\\', '`id`', '$(id)', '${HOME}', '$HOME', '~', '!', '!!', '%PATH%', '^', '&', '|', ';', '<', '>'],
	...[
		'(',
		')',
		'{a,b}',
		'[a]',
		'*',
		'?',
		'#',
		'=ls',
		'-c',
		'--',
		' ',
		'’',
		'‘',
		'‚',
		'‛',
		'“',
		'ü',
		'👩‍👧',
		'/',
		'.',
		'a',
	],
];

const path = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 3 })), {
	minLength: 1,
	maxLength: 6,
});

/** The shells that understand what is quoted for `posix`, as far as they are here. */
const installed = ['sh', 'bash', 'dash', 'zsh', 'ksh'].filter((shell) => {
	try {
		return execFileSync(shell, ['-c', 'echo here'], { encoding: 'utf8' }) === 'here\n';
	} catch {
		return false;
	}
});

describe('a path on a copied command', () => {
	it.skipIf(process.platform === 'win32')('is one argument to the shell, which expands nothing in it', () => {
		const quoted = new Map<string, string>();
		fc.assert(
			fc.property(path, (pieces) => {
				const text = pieces.join('');
				const word = shellPath(text, 'posix');
				if (word !== undefined) {
					quoted.set(word, text.startsWith('-') ? `./${text}` : text);
				}
			}),
			{ numRuns: runs(3_000) },
		);
		for (const shell of installed) {
			const script = [...quoted.keys()].map((word) => `printf '%s\\n' ${word}`).join('\n');
			expect(execFileSync(shell, ['-c', script], { encoding: 'utf8' })).toBe(`${[...quoted.values()].join('\n')}\n`);
		}
	});

	it.each<[Shell, string, string | undefined]>([
		['posix', 'tests/a.test.mjs', 'tests/a.test.mjs'],
		['posix', 'tests/$(touch pwned)/x.test.mjs', "'tests/$(touch pwned)/x.test.mjs'"],
		['posix', "it's", "'it'\\''s'"],
		['posix', '=ls', "'=ls'"],
		['posix', '~/x', "'~/x'"],
		['posix', '-c.test.mjs', './-c.test.mjs'],
		['fish', "\\';touch pwned;'", "'\\\\\\';touch pwned;\\''"],
		['powershell', 'a$(calc)', "'a$(calc)'"],
		['powershell', 'a’; calc; ’', "'a’’; calc; ’’'"],
		['powershell', "it's", "'it''s'"],
		// npx is a script of cmd, which gets it without the quotes.
		['powershell', 'a&calc', undefined],
		['powershell', '%COMSPEC%', undefined],
		['cmd', 'a & b (1)', '"a & b (1)"'],
		['cmd', '%COMSPEC%', undefined],
		['cmd', 'a!b', undefined],
		['other', 'tests/a.test.mjs', 'tests/a.test.mjs'],
		['other', 'a b', undefined],
	])('for %s: %j', (shell, text, word) => {
		expect(shellPath(text, shell)).toBe(word);
	});

	it.each(['\n', '\r', '\t', '\0', '\u001b', '\u007f', '\u009b', '\u2028', '\u2029', '\u202e', '\u200b', '\u{e0041}'])(
		'has no character that nobody sees, on which a terminal or a comment could act: %j',
		(character) => {
			for (const shell of SHELLS) {
				expect(shellPath(`a${character}b`, shell)).toBeUndefined();
			}
		},
	);
});

describe('the file of an exported test', () => {
	const fileOf = (name: string, { text }: Format) => text?.(name, runCommand(FORMATS.scenario.fileName(name), '1.2.3'));

	it.each(Object.entries(FORMATS))('is short, and runs the scenario with the version that wrote it: %s', (_, its) => {
		const lines = fileOf('greet', its) ?? [its.command('greet.scenario.json', '1.2.3')];
		expect(lines.length).toBeLessThanOrEqual(16);
		expect(lines.join('\n')).toContain('npx --yes mcp-elicitation@1.2.3 run greet.scenario.json');
	});

	it('says nothing that a server says, whatever its tool is called', () => {
		fc.assert(
			fc.property(path, (pieces) => {
				const name = plainName(pieces.join(''));
				expect(name).toMatch(/^[A-Za-z0-9][\w-]*$/);
				for (const format of Object.values(FORMATS)) {
					expect(fileOf(name, format)?.length).toBe(fileOf('greet', format)?.length);
					expect(shellPath(format.fileName(name), 'other')).toBe(format.fileName(name));
				}
			}),
			{ numRuns: runs(500) },
		);
		expect(plainName('a/../b c')).toBe('a_b_c');
		// Windows has no file with the name of a device.
		expect(plainName('Con')).toBe('Con_');
	});
});

import { expect, it } from 'vitest';
import type { Memento } from 'vscode';
import { kept } from '../../../../src/editor/common/settings.ts';
import { HOSTILE_VALUES } from '../../../replaced.ts';

const memory = (value: unknown) => ({ get: () => value }) as unknown as Memento;

it.each([undefined, ...HOSTILE_VALUES, [1]])('what is kept is none if it is damaged: %j', (damaged) => {
	const isObject = typeof damaged === 'object' && damaged !== null && !Array.isArray(damaged);
	expect(kept(memory(damaged), 'key', {})).toEqual(isObject ? damaged : {});
	expect(kept<readonly string[]>(memory(damaged), 'key', [])).toEqual([]);
	expect(kept<readonly string[]>(memory(['a']), 'key', [])).toEqual(['a']);
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Registry } from '../../../../../src/elicitation/registry.ts';
import { localizable } from '../../../../../src/elicitation/sentence.ts';

/** The warnings that the editor shows. */
const warnings = vi.hoisted(() => [] as { message: string; buttons: readonly string[] }[]);

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		window: {
			showWarningMessage: async (message: string, ...buttons: string[]) => void warnings.push({ message, buttons }),
		},
	}),
);

const { registerUndelivered } = await import('../../../../../src/editor/elicitations/decisions/undelivered.ts');

beforeEach(() => {
	warnings.length = 0;
	vi.useFakeTimers();
});

afterEach(() => {
	vi.useRealTimers();
});

describe('a response that could not be delivered', () => {
	it.each([
		['to a request', { intake: 'request', tellsDelivery: true }, true],
		['to a task', { intake: 'inputRequired', tellsDelivery: true }, true],
		// The error of the call tells it.
		['with a retry of its call', { intake: 'inputRequired' }, false],
	])('%s is told to the user, unless something else tells it (D01)', async (_where, intake, told) => {
		const registry = new Registry({ validate: async () => ({ status: 'valid' }) }, () => Number.POSITIVE_INFINITY);
		registerUndelivered(registry);
		const origin = { server: 'weather', connection: 'c', revision: '2026-07-28', calls: [], params: null, ...intake };
		const elicitation = registry.add({ mode: 'form', message: 'Name?', requestedSchema: {} }, origin as never);
		elicitation.decline();
		void elicitation.send().offer(localizable('The server is busy.'));
		await vi.runAllTimersAsync();
		expect(warnings.map(({ buttons }) => buttons)).toEqual(told ? [['Send Again', 'Show Timeline']] : []);
		if (told) {
			expect(warnings[0]?.message).toContain('"Name?" could not be delivered. The server is busy.');
		}
	});
});

import { expect, it, vi } from 'vitest';
import { findingsOf } from '../../../../../src/elicitation/findings/findings.ts';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';

vi.mock('vscode', () => ({ l10n: { t: (text: string) => text } }));

const { shownFindings } = await import('../../../../../src/editor/elicitations/form/presentation.ts');

const asking = (message: string, properties: JsonObject) =>
	shownFindings(findingsOf({ message, requestedSchema: { type: 'object', properties } }, '2025-11-25'));

it('a field that asks for a secret has its warning at the field, a message above the buttons; both are findings (F16)', () => {
	const field = asking('Sign in', { password: { type: 'string' } });
	expect(field.warnings).toEqual([]);
	expect(field.findings.map(({ rule }) => rule)).toContain('sensitive');
	const message = asking('Enter your password', { answer: { type: 'string' } });
	expect(message.warnings).toEqual([
		'The message seems to ask for a secret. Servers must not ask for secrets in forms.',
	]);
	expect(message.findings.map(({ text }) => text)).toContain(message.warnings[0]);
});

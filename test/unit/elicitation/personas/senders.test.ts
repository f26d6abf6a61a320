import { describe, expect, it } from 'vitest';
import { PERSONAS, titleOf } from '../../../../src/elicitation/personas/persona.ts';
import { type Ending, sendersOf } from '../../../../src/elicitation/personas/senders.ts';
import type { ElicitationRequest } from '../../../../src/elicitation/request.ts';

const form: ElicitationRequest = {
	mode: 'form',
	message: '',
	requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
const url: ElicitationRequest = { mode: 'url', message: '', url: 'https://example.com', elicitationId: 'a' };

/** The endings of a client, by the beginning of its name. */
function endingsOf(name: string, request: ElicitationRequest): Ending[] {
	return (['accept', 'decline', 'cancel', 'error', 'none'] as const).filter((ending) => {
		const { measured, documented } = sendersOf(ending, request);
		return [...measured, ...documented].some((each) => each.startsWith(name));
	});
}

describe('the other clients that can end a request', () => {
	it('end a form as their buttons do', () => {
		expect(endingsOf('MCP Inspector', form)).toEqual(['accept', 'decline', 'cancel']);
		// Its Cancel declines.
		expect(endingsOf('VS Code outside the chat', form)).toEqual(['accept', 'decline']);
	});

	it('end it in one way without a person', () => {
		expect(endingsOf('Codex app server', form)).toEqual(['decline']);
		expect(endingsOf('Codex with prompts denied', form)).toEqual(['accept']);
		expect(endingsOf('Claude Cowork', form)).toEqual(['none']);
	});

	it('end a form with an error that their library refuses', () => {
		const requestedSchema = { type: 'object', properties: { name: { type: 'object' } } };
		expect(endingsOf('MCP Inspector', { mode: 'form', message: '', requestedSchema })).toEqual(['error']);
	});

	it('are not named for a mode that they do not declare, nor for what is not known of them', () => {
		expect(endingsOf('Codex app server', url)).toEqual([]);
		expect(endingsOf('TypeScript SDK', form)).toEqual([]);
		expect(endingsOf('VS Code agent host', form)).toEqual(['accept']);
		expect(endingsOf('VS Code agent host', url)).toEqual([]);
	});

	it('are told apart by how it is known', () => {
		expect(sendersOf('none', form)).toEqual({ measured: [], documented: ['Claude Cowork desktop'] });
		// One of them responds so without a person.
		const accepting = PERSONAS.filter(({ automatic, url: urls }) =>
			automatic ? automatic.action === 'accept' : urls && urls.opens !== 'never',
		).map((persona) => ({ title: titleOf(persona), isMeasured: 'measured' in persona.source }));
		const { measured, documented } = sendersOf('accept', url);
		expect(measured).toEqual(accepting.filter(({ isMeasured }) => isMeasured).map(({ title }) => title));
		expect(documented).toEqual(accepting.filter(({ isMeasured }) => !isMeasured).map(({ title }) => title));
		expect(measured.length).toBeGreaterThan(0);
		expect(documented).toContain('Codex with prompts denied');
	});
});

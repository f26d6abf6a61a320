import { expect, it } from 'vitest';
import { ownTimes, Window } from './activity.ts';

ownTimes();

it('D01: a response that could not be delivered is an error of the timeline, which hears of it', () => {
	const window = new Window();
	const { world, timeline } = window;
	const errors = window.matcher({ show: 'errors' });
	const elicitation = world.form('A', { calls: [world.call()], tellsDelivery: true });
	elicitation.decline();
	expect(errors.elicitation(elicitation)).toBe(false);
	const version = timeline.groups[0]?.version ?? 0;
	void elicitation.delivery?.offer({ text: 'It broke.' });
	expect(errors.elicitation(elicitation)).toBe(true);
	expect(timeline.groups[0]?.version).toBeGreaterThan(version);
	elicitation.delivery?.delivered();
	expect(errors.elicitation(elicitation)).toBe(false);
	timeline.dispose();
});

it.each([
	['server/discover', -32601, false],
	['server/discover', -32022, false],
	['prompts/list', -32601, false],
	['prompts/list', -32603, true],
	['tools/list', -32601, true],
	['initialize', -32601, true],
])('a server that lacks what the client only looks for is no error of the timeline: %s, %i', (method, code, is) => {
	const window = new Window();
	window.say('sent', { id: 1, method });
	const response = window.say('received', { id: 1, error: { code, message: 'No.' } });
	expect(window.matcher({ show: 'errors' }).entry(response)).toBe(is);
});

it('a response with an error that is null is not among the errors', () => {
	const window = new Window();
	const errors = window.matcher({ show: 'errors' });
	expect(errors.entry(window.say('received', { id: 1, result: {}, error: null }))).toBe(false);
	expect(errors.entry(window.say('received', { id: 2, result: null, error: { code: 1 } }))).toBe(true);
});

it('a call whose task reports the error of its tool is among the errors', () => {
	const window = new Window();
	const { registry } = window.world;
	const call = registry.beginCall('s', 'tool', 'deploy', {});
	const errors = window.matcher({ show: 'errors' });
	const shown = () => window.timeline.groups.some((group) => errors.group(group));
	window.say('received', { id: 1, result: { taskId: 't', status: 'completed', result: { isError: true } } }, call);
	expect(shown()).toBe(false);
	registry.endCall(call, 'succeeded', { isError: true });
	expect(shown()).toBe(true);
});

it.each([
	['C:\\Users\\ada', true],
	['"prod"', true],
	['a.txt to', true],
	['c:\\\\users', true],
	['\\"prod\\"', true],
	['"text":"Wrote', true],
	['C:/Users', false],
])('finds text as it is shown and as JSON has it, with its backslashes and quotes: %s', (typed, found) => {
	const window = new Window();
	const text = 'Wrote C:\\Users\\ada\\a.txt\nto "prod"';
	const call = window.world.registry.beginCall('s', 'tool', 'deploy', { text });
	const entry = window.say('received', { id: 1, result: { content: [{ type: 'text', text }] } }, call);
	const matcher = window.matcher({ text: typed });
	expect(matcher.entry(entry)).toBe(found);
	expect(window.timeline.groups.some((group) => matcher.group(group))).toBe(found);
});

it('shows as warnings the requests with something suspicious, and nothing else', () => {
	const window = new Window();
	const warnings = window.matcher({ show: 'warnings' });
	expect(warnings.active).toBe(true);
	const asking = (property: string) => {
		const params = {
			message: 'Please',
			requestedSchema: { type: 'object', properties: { [property]: { type: 'string' } } },
		};
		const origin = { server: 's', connection: 'c', intake: 'request', revision: '2025-11-25', calls: [] } as const;
		return window.world.registry.add({ mode: 'form', ...params }, { ...origin, params });
	};
	expect(['name', 'password'].map((property) => warnings.elicitation(asking(property)))).toEqual([false, true]);
	expect(warnings.entry(window.say('received', { id: 1, error: { code: -32603, message: 'No.' } }))).toBe(false);
	expect(warnings.entry(window.say('received', { method: 'x', params: 'x'.repeat(2 * 1024 * 1024) }))).toBe(true);
});

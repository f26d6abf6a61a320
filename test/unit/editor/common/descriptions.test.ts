import { expect, it, onTestFinished, vi } from 'vitest';
import {
	causeOf,
	duration,
	featureName,
	groupTexts,
	heldText,
	pollsText,
	positionInGroup,
	responderText,
	stateOf,
	stepsOf,
} from '../../../../src/editor/common/descriptions.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import { first, World } from '../../elicitation/world.ts';

it('an elicitation that is held, or was never shown, says why (A01)', () => {
	const world = new World(2);
	const all = world.forms(60);
	expect([0, 2, 52].map((at) => stateOf(first(all.slice(at))))).toEqual([
		'waiting for your response',
		'held back',
		'cancelled: rate limit',
	]);
	world.registry.declineHeld('s');
	expect(stateOf(first(all.slice(2)))).toBe('declined');
	expect(stateOf(world.form('More'))).toBe('declined: rate limit');
});

it('a URL that was opened stays so when its call ends; only what has no response was withdrawn', () => {
	const world = new World();
	const [opened, undecided] = world.together(world.call(), 'urlRequired', 'https://a.example/', 'https://b.example/');
	opened?.opened();
	world.registry.withdraw(() => true, localizable('Gone.'));
	expect([opened, undecided].map((each) => each && stateOf(each))).toEqual([
		'URL opened; the call ended before it was completed',
		'withdrawn',
	]);
	expect(opened && stepsOf(opened).map(({ text }) => text)).toEqual(['asked', 'URL opened', 'its call ended']);
});

it('an elicitation that is queued, or repeats a declined one, says so (A01)', () => {
	const world = new World();
	const all = world.forms(21);
	expect(stateOf(first(all.slice(20)))).toBe('waiting for its turn');
	first(all).decline();
	expect(stateOf(world.form('Elicitation 0'))).toBe('held back: you declined it before');
});

it.each([
	[[], 'requested by the server itself'],
	[['deploy'], 'requested by tool deploy'],
	[['deploy', 'build', 'deploy'], 'requested by one of deploy, build'],
	[['deploy', 'deploy'], 'requested by tool deploy'],
])('an elicitation names once what may have requested it: %j', (names, text) => {
	const world = new World();
	expect(causeOf(world.form('Who?', { calls: names.map((name) => world.call(name)) }))).toBe(text);
});

it.each([
	[40, 930, false, 'raw exceeded a limit: 40 held back, 930 cancelled.'],
	[40, 0, false, 'raw exceeded the rate limit: 40 requests are held back.'],
	[1, 0, false, 'raw exceeded the rate limit: 1 request is held back.'],
	[2, 0, true, 'raw repeats a request that you have just declined.'],
])('%i held requests, %i cancelled, repeated: %s: %s', (held, cancelled, repeated, text) => {
	expect(heldText('raw', { held, cancelled, repeated })).toBe(text);
});

it('a group shows what it is and its progress, and its elicitations show their position', () => {
	const world = new World();
	const call = world.call('deploy', 'raw');
	const textsOf = (intake: 'urlRequired' | 'inputRequired', round: number) => {
		call.rounds = round;
		const entries = world.together(call, intake, 'https://a.example/', 'B', 'C');
		first(entries).decline();
		const { group } = first(entries).origin;
		expect(entries.map((each) => positionInGroup(each, world.registry))).toEqual(['1 of 3', '2 of 3', '3 of 3']);
		return group && groupTexts(group, entries);
	};
	expect(textsOf('urlRequired', 1)).toEqual({
		whole: 'deploy on raw requires 3 URLs · 1 of 3 done',
		progress: '1 of 3 URLs done',
	});
	expect(textsOf('inputRequired', 1)?.whole).toBe('deploy on raw: 3 requests · 1 of 3 answered');
	expect(textsOf('inputRequired', 2)).toEqual({
		whole: 'deploy on raw · round 2: 3 requests · 1 of 3 answered',
		progress: '1 of 3 answered in round 2',
	});
	expect(positionInGroup(world.form('Alone'), world.registry)).toBeUndefined();
});

it('a call at the round limit says before its times that it waits for the decision (R07)', () => {
	const world = new World();
	const call = world.call();
	const halting = world.registry.roundLimit(call, localizable('Again and again.'));
	expect(duration(call)).toMatch(/^waiting for your decision · server \d/);
	call.atRoundLimit?.decide(true);
	expect(duration(call)).toMatch(/^server \d/);
	return halting;
});

it('a call says in the same words how long it takes and how long it took', () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const world = new World();
	const [short, long] = [world.call('short'), world.call('long')];
	vi.advanceTimersByTime(40);
	expect(duration(short)).toBe('server 40 ms');
	world.registry.endCall(short, 'succeeded', null);
	vi.advanceTimersByTime(1_960);
	world.registry.endCall(long, 'succeeded', null);
	expect([duration(short), duration(long)]).toEqual(['server 40 ms', 'server 2.0 s']);
});

it('polling of which a filter shows only one direction is counted as well', () => {
	const [sent, received] = [{ direction: 'sent' }, { direction: 'received' }] as const;
	expect(pollsText([sent, received, sent, received])).toBe('polled 2 times');
	expect(pollsText([received, received, received, received])).toBe('polled 4 times');
	expect(pollsText([sent, received, received, received])).toBe('polled 3 times');
});

it.each([
	['book', 'Book a table', 'Book a table'],
	['book', undefined, 'book'],
	['book', '', 'book'],
	['book', ' \n', 'book'],
	['  ', undefined, '(no name)'],
])('what a server offers has a name to be chosen by: %j with the title %j', (name, title, shown) => {
	expect(featureName({ name, title })).toBe(shown);
});

it.each([
	['script', 'answers.json', 'by a script in answers.json'],
	['script', '', 'by a script'],
	['extension', 'Responder', 'by extension Responder'],
	['extension', '', 'by an extension'],
] as const)('a response is told by whom it was given, by name unless there is none: %s "%s"', (kind, name, text) => {
	expect(responderText({ kind, name }, undefined)).toBe(text);
});

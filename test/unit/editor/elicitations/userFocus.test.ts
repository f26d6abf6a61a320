import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { UserFocus } from '../../../../src/editor/elicitations/userFocus.ts';
import { Call } from '../../../../src/elicitation/call.ts';
import { nextMoment } from '../../../../src/elicitation/clock.ts';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import { fakeVscode } from '../vscode.ts';

const listeners = new Map<string, (event: unknown) => void>();
const event = (name: string) => (listener: (event: unknown) => void) => {
	listeners.set(name, listener);
	return { dispose: () => listeners.delete(name) };
};
const state = { focused: true };

fakeVscode({
	window: {
		state,
		onDidChangeTextEditorSelection: event('selection'),
		onDidChangeNotebookEditorSelection: event('notebook'),
		onDidChangeActiveTerminal: event('terminal'),
		onDidChangeTerminalState: event('terminalState'),
		onDidStartTerminalShellExecution: event('shell'),
	},
});

const happens = (name: string, event: unknown = {}) => listeners.get(name)?.(event);
const call = (startedByUserAt?: number) => new Call('1', 's', 'tool', 'deploy', {}, undefined, startedByUserAt);
const askedIn = (...calls: Call[]) => ({ origin: { calls } }) as unknown as Elicitation;

let userFocus: UserFocus;

beforeEach(() => {
	state.focused = true;
	userFocus = new UserFocus();
});

describe('the user', () => {
	it('is waiting for elicitations of calls that they started, not for those of programs or without a call', () => {
		expect(userFocus.isWaitingFor(askedIn(call(nextMoment())))).toBe(true);
		expect(userFocus.isWaitingFor(askedIn(call()))).toBe(false);
		expect(userFocus.isWaitingFor(askedIn())).toBe(false);
		expect(userFocus.isWaitingFor(askedIn(call(nextMoment()), call()))).toBe(false);
	});

	it.each([
		['moved in a text file by keyboard', 'selection', { kind: 1 }],
		['clicked in a text file', 'selection', { kind: 2 }],
		['moved in a notebook', 'notebook', {}],
		['went to a terminal', 'terminal', {}],
		['typed in a terminal', 'terminalState', {}],
		['ran something in a terminal', 'shell', {}],
	])('is elsewhere after they %s', (_what, event, detail) => {
		const request = askedIn(call(nextMoment()));
		happens(event, detail);
		expect(userFocus.isWaitingFor(request)).toBe(false);
		expect(userFocus.isWaitingFor(askedIn(call(nextMoment())))).toBe(true);
		userFocus.markHandled(request);
		expect(userFocus.isWaitingFor(request), 'is back').toBe(true);
	});

	it('is back with the next call that they start, also if the clock of the system was set back', () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		happens('terminal');
		vi.setSystemTime(0);
		expect(userFocus.isWaitingFor(askedIn(call(nextMoment())))).toBe(true);
	});

	it('is not elsewhere if a program moved the selection', () => {
		happens('selection', { kind: 3 });
		happens('selection', { kind: undefined });
		expect(userFocus.isWaitingFor(askedIn(call(nextMoment())))).toBe(true);
	});

	it('is not elsewhere for the outcome of a call while the window is not focused: nothing is typed into it', () => {
		const started = call(nextMoment());
		state.focused = false;
		expect(userFocus.isElsewhere([started])).toBe(false);
		happens('terminal');
		expect(userFocus.isElsewhere([started])).toBe(true);
		userFocus.markHandled(askedIn(started));
		expect(userFocus.isElsewhere([started])).toBe(false);
	});

	it('is elsewhere while the window is not focused', () => {
		state.focused = false;
		expect(userFocus.isWaitingFor(askedIn(call(nextMoment())))).toBe(false);
	});
});

it('tracks surfaces in use until they close, and fires an event then', () => {
	const surface = { inUse: false };
	const closed = vi.fn();
	userFocus.onDidClose(closed);
	const watched = userFocus.watch(surface);
	expect(userFocus.isTaken).toBe(false);
	surface.inUse = true;
	expect(userFocus.isTaken).toBe(true);
	watched.dispose();
	expect(userFocus.isTaken).toBe(false);
	expect(closed).toHaveBeenCalledOnce();
});

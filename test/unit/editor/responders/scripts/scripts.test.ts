import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { saveAnswer } from '../../../../../src/editor/responders/scripts/saveAnswer.ts';
import { Scripts } from '../../../../../src/editor/responders/scripts/scripts.ts';
import { globMatcher } from '../../../../../src/elicitation/glob.ts';
import type { ScriptedAnswer } from '../../../../../src/elicitation/script.ts';
import { TraceLog } from '../../../../../src/trace/log.ts';
import { World } from '../../../elicitation/world.ts';
import { memento } from '../../storage.ts';
import { messages, settled, textsOf } from '../../surfaces.ts';
import { fakeVscode, Uri } from '../../vscode.ts';

/** The user agrees to what a dialog asks. */
const shown = messages(({ detail, click, choose }) => (detail === undefined ? click() : choose('Save Script')));
const written: string[] = [];

/** A workspace without files. */
fakeVscode({
	workspace: {
		isTrusted: true,
		workspaceFolders: [{ uri: Uri.file('/workspace') }],
		asRelativePath: ({ path }: Uri) => path.replace(/.*\//, ''),
		fs: {
			stat: () => Promise.reject(new Error('There is none.')),
			writeFile: async (_file: unknown, bytes: Uint8Array) => void written.push(new TextDecoder().decode(bytes)),
		},
	},
	window: { showTextDocument: async () => {} },
});

beforeEach(() => void written.splice(0));

const DECLINE: ScriptedAnswer = { match: {}, decision: { action: 'decline' }, delayMs: 0, times: 1 };

/** The scripts of a file of the workspace, which can be changed. */
function open(...first: readonly ScriptedAnswer[]) {
	const world = new World();
	const source = { uri: 'file', name: 'file', file: undefined, at: [], ofWorkspace: true };
	let changed = () => {};
	const sources = {
		all: [{ ...source, answers: first }],
		onDidChange: (listener: () => void) => {
			changed = listener;
			return { dispose: () => {} };
		},
	};
	const consent = { isGiven: () => true, obtain: async () => true, revoke: async () => {} };
	const configured = { source: { kind: 'user' } } as never;
	const scripts = new Scripts(world.registry, sources as never, consent as never, memento(), () => configured);
	onTestFinished(() => scripts.dispose());
	const change = (...answers: readonly ScriptedAnswer[]) => {
		sources.all = [{ ...source, answers }];
		changed();
	};
	changed();
	return { world, scripts, change };
}

/** A script that declines after an hour, and a request that waits for it. */
async function waitingForScript() {
	const answer = { ...DECLINE, delayMs: 3_600_000, times: 9 };
	const { world, scripts, change } = open(answer);
	const form = world.form('One?');
	onTestFinished(() => void form.cancel());
	await vi.waitFor(() => expect(form.consulted?.kind).toBe('script'));
	const asked = new Promise((resolve) => world.registry.onDidAsk(resolve));
	return { form, asked, scripts, answer, change };
}

it('the user is asked at once when they stop the scripts whose delay a request waits for', async () => {
	const { form, asked, scripts } = await waitingForScript();
	await scripts.toggle();
	expect(await asked).toBe(form);
});

it('the user is asked at once when they revoke their consent to the script', async () => {
	const { form, asked, scripts } = await waitingForScript();
	await scripts.responders[0]?.revoke?.();
	expect(await asked).toBe(form);
});

it('the user is asked at once when the script is deleted or changed, but not when another one is added', async () => {
	const { form, asked, answer, change } = await waitingForScript();
	change(answer, { ...answer, match: { message: 'Two?' } });
	await settled();
	expect(form.consulted?.kind).toBe('script');
	change();
	expect(await asked).toBe(form);
});

it('a script that was used up stays so when others are put before it, and is told by its new number', async () => {
	const { world, scripts, change } = open(DECLINE, DECLINE);
	const [one, two] = [world.form('One?'), world.form('Two?')];
	await Promise.all([one.ended, two.ended]);
	expect([one.responder?.name, two.responder?.name]).toEqual(['file, no. 1', 'file, no. 2']);
	change({ ...DECLINE, match: { message: 'Never' } }, DECLINE, DECLINE);
	expect([one.responder?.name, two.responder?.name]).toEqual(['file, no. 2', 'file, no. 3']);
	expect(two.responder && scripts.responderOf(two.responder)).toBeDefined();
	const asked = new Promise((resolve) => world.registry.onDidAsk(resolve));
	expect(world.form('Three?')).toBe(await asked);
});

const SECRET = 'correct-horse';

/** Saves the response to a message. Resolves to the script. */
async function save(message: string, stopped = false): Promise<{ readonly message: string }> {
	const world = new World();
	const trace = new TraceLog(() => 100);
	trace.privacy.configured.add([SECRET]);
	const elicitation = world.form(message);
	elicitation.decline();
	const sources = { all: [], reload: async () => {} };
	await saveAnswer(trace, sources as never, {} as never, stopped, elicitation);
	return JSON.parse(written.at(-1) ?? '');
}

it.each([0, 190, 195, 199, 200])('a script fits a long message with a secret after %d characters', async (length) => {
	const message = (secret: string) => `${'x'.repeat(length)}${secret}${'y'.repeat(100)}`;
	const script = await save(message(SECRET));
	expect(script.message).not.toContain('horse');
	expect(globMatcher(script.message)(message('another secret'))).toBe(true);
});

it('tells that a script does not respond while scripts are stopped', async () => {
	await save('One?');
	await save('One?', true);
	expect(textsOf(shown.filter(({ detail }) => detail === undefined))).toEqual([
		expect.stringContaining('from now on it responds'),
		expect.stringContaining('responds only once you resume them'),
	]);
});

it.each([
	['decline', { action: 'decline' }, 'Decline every request like this from now on?'],
	['cancel', { action: 'cancel' }, 'Cancel every request like this from now on?'],
	[
		'error',
		{ action: 'error', code: 1, message: 'No.' },
		'Respond with this error to every request like this from now on?',
	],
	['accept', { action: 'accept', content: {} }, undefined],
] as const)(
	'a script that will %s every request is saved only if the user says so',
	async (_action, response, asked) => {
		const elicitation = new World().form('One?');
		elicitation.respond(response);
		const sources = { all: [], reload: async () => {} };
		const saving = saveAnswer(new TraceLog(() => 100), sources as never, {} as never, false, elicitation);
		await settled();
		const [first] = shown;
		expect(first?.detail === undefined ? undefined : first.text).toBe(asked);
		await saving;
		expect(written).toHaveLength(1);
	},
);

describe('a script of the user', () => {
	const OWN = { source: { kind: 'user' } };
	const OF_WORKSPACE = { source: { kind: 'mcpJson' } };
	const IN_PLACE = { source: { kind: 'folder' }, replacesOwn: true };

	/** Whether it responds to a server of this name. */
	async function responds(pattern: string | undefined, server: string, configured: object | undefined) {
		const world = new World();
		const match = pattern === undefined ? {} : { server: pattern };
		const source = { uri: 'user', name: 'yours', at: [], ofWorkspace: false, answers: [{ ...DECLINE, match }] };
		const onDidChange = (listener: () => void) => {
			listener();
			return { dispose: () => {} };
		};
		const consent = { isGiven: () => true, obtain: async () => true };
		const sources = { all: [source], onDidChange };
		new Scripts(world.registry, sources as never, consent as never, memento(), () => configured as never);
		const form = world.form('Continue?', { server });
		await Promise.race([form.ended, new Promise((resolve) => world.registry.onDidAsk(resolve))]);
		const { state } = form;
		form.cancel();
		return state === 'declined';
	}

	const NAMES = ['ci', '{ci,build}', 'c{i,d}', '\\ci'];
	const PATTERNS = [undefined, '*', 'c*', 'c?', '{c*,build}'];

	it.each([...NAMES, ...PATTERNS])('responds to a server of theirs: %s', async (pattern) => {
		expect(await responds(pattern, 'ci', OWN)).toBe(true);
	});

	it.each(NAMES)('that names a server does not respond to one of a workspace: %s', async (pattern) => {
		expect(await responds(pattern, 'ci', OF_WORKSPACE)).toBe(false);
	});

	it.each([
		['[a-z]', '[a-z]'],
		['*', '\\*'],
		['{a}', '\\{a\\}'],
		['what?', 'what\\?'],
	])('that names a server like a pattern does not respond to one of a workspace: %s', async (server, pattern) => {
		expect(await responds(pattern, server, OWN)).toBe(true);
		expect(await responds(pattern, server, OF_WORKSPACE)).toBe(false);
	});

	it.each(PATTERNS)('for any server responds to those of a workspace as well: %s', async (pattern) => {
		expect(await responds(pattern, 'ci', OF_WORKSPACE)).toBe(true);
	});

	it.each([...NAMES, ...PATTERNS])('responds to none that is in the place of theirs: %s', async (pattern) => {
		expect(await responds(pattern, 'ci', IN_PLACE)).toBe(false);
	});

	it.each([...NAMES, ...PATTERNS])('responds to none that nothing defines any more: %s', async (pattern) => {
		expect(await responds(pattern, 'ci', undefined)).toBe(false);
	});
});

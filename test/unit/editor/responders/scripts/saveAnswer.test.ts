import { beforeEach, expect, it, vi } from 'vitest';
import type { Uri } from 'vscode';
import { globMatcher } from '../../../../../src/elicitation/glob.ts';
import { TraceLog } from '../../../../../src/trace/log.ts';
import { World } from '../../../elicitation/world.ts';

/** A workspace without files, and what was written and said. */
const editor = vi.hoisted(() => ({ written: [] as string[], told: [] as string[] }));

vi.mock('vscode', async () => {
	const { fakeVscode, Uri } = await import('../../vscode.ts');
	return fakeVscode({
		workspace: {
			workspaceFolders: [{ uri: Uri.file('/workspace') }],
			asRelativePath: ({ path }: Uri) => path.replace(/.*\//, ''),
			fs: {
				stat: () => Promise.reject(new Error('There is none.')),
				writeFile: async (_file: unknown, bytes: Uint8Array) =>
					void editor.written.push(new TextDecoder().decode(bytes)),
			},
		},
		window: {
			showTextDocument: async () => {},
			showInformationMessage: async (text: string) => void editor.told.push(text),
		},
	});
});

const { saveAnswer } = await import('../../../../../src/editor/responders/scripts/saveAnswer.ts');

beforeEach(() => {
	editor.written.length = 0;
	editor.told.length = 0;
});

const SECRET = 'correct-horse';

/** Saves the response to a message. Resolves to the script. */
async function save(message: string, stopped = false): Promise<{ readonly message: string }> {
	const world = new World();
	const { registry } = world;
	const trace = new TraceLog(() => 100);
	trace.secrets.add([SECRET]);
	const elicitation = world.form(message);
	elicitation.decline();
	const sources = { all: [], reload: async () => {} };
	await saveAnswer({ registry, trace }, sources as never, {} as never, stopped, elicitation.id);
	return JSON.parse(editor.written[0] ?? '');
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
	expect(editor.told).toEqual([
		expect.stringContaining('from now on it responds'),
		expect.stringContaining('responds only once you resume them'),
	]);
});

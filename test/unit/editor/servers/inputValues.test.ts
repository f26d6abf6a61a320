import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { KEY_GUARD } from '../../../../src/elicitation/keyGuard.ts';

interface Box {
	value: string;
	items: readonly { readonly label: string }[];
	selectedItems: readonly unknown[];
	readonly accept: () => void;
	readonly hide: () => void;
}

/** The box or the list on the screen. */
const editor = vi.hoisted(() => ({ box: undefined as Box | undefined }));

const create = vi.hoisted(() => () => {
	const box = {
		value: '',
		items: [],
		selectedItems: [],
		accept: () => {},
		hide: () => {},
		onDidAccept: (listener: () => void) => {
			box.accept = listener;
		},
		onDidHide: (listener: () => void) => {
			box.hide = listener;
		},
		show: () => {
			editor.box = box;
		},
		dispose: () => {
			editor.box = undefined;
		},
	};
	return box;
});

vi.mock('vscode', async () =>
	(await import('../vscode.ts')).fakeVscode({ window: { createInputBox: create, createQuickPick: create } }),
);

const { InputValues } = await import('../../../../src/editor/servers/inputValues.ts');

function memento() {
	const kept = new Map<string, unknown>();
	return {
		get: (key: string) => kept.get(key),
		update: async (key: string, value: unknown) => void kept.set(key, value),
		keys: () => [...kept.keys()],
	};
}

const source = { kind: 'user', uri: 'user' };
const name = { id: 'name', type: 'promptString', password: false, default: 'Ada', options: [] };
const region = {
	...{ id: 'region', type: 'pickString', password: false, default: 'us' },
	options: ['eu', 'us'].map((value) => ({ label: value, value })),
};

beforeEach(() => {
	editor.box = undefined;
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
});

/** Asks for a value, and returns the box or the list, and what is entered. */
async function ask(input: object) {
	const values = new InputValues(
		{ get: async () => undefined, delete: async () => {} } as never,
		memento() as never,
		memento() as never,
	);
	const entered = values.ask('it', source as never, input as never, { key: 'k', text: 'it' });
	await vi.advanceTimersByTimeAsync(0);
	return { box: editor.box as Box, entered };
}

it('takes no Enter for a value that was pressed before the user can have seen the box', async () => {
	const { box, entered } = await ask(name);
	expect(box.value).toBe('Ada');
	box.accept();
	expect(editor.box).toBe(box);
	await vi.advanceTimersByTimeAsync(KEY_GUARD);
	box.value = '';
	box.accept();
	expect(await entered).toEqual({ value: '', secret: false });
});

it('takes no Enter for an option that was pressed before the user can have seen the list', async () => {
	const { box, entered } = await ask(region);
	expect(box.items.map(({ label }) => label)).toEqual(['us', 'eu']);
	box.selectedItems = box.items.slice(0, 1);
	box.accept();
	expect(editor.box).toBe(box);
	await vi.advanceTimersByTimeAsync(KEY_GUARD);
	box.selectedItems = box.items.slice(1);
	box.accept();
	expect(await entered).toEqual({ value: 'eu', secret: false });
});

it('resolves to nothing when the box is dismissed', async () => {
	const { box, entered } = await ask(name);
	box.hide();
	expect(await entered).toBeUndefined();
});

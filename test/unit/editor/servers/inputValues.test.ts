import { beforeEach, expect, it } from 'vitest';
import { InputValues } from '../../../../src/editor/servers/inputValues.ts';
import { KEY_GUARD } from '../../../../src/elicitation/keyGuard.ts';
import { memento, secretStorage } from '../storage.ts';
import { only, passTime, pickers, settled, stopClock } from '../surfaces.ts';

/** The box or the list on the screen. */
const screen = pickers();

const name = { id: 'name', type: 'promptString', password: false, default: 'Ada', options: [] };
const options = ['eu', 'us'].map((value) => ({ label: value, value }));
const region = { id: 'region', type: 'pickString', password: false, default: 'us', options };

beforeEach(stopClock);

/** Asks for a value, and returns the box or the list, and what is entered. */
async function ask(input: object) {
	const values = new InputValues(secretStorage(), memento(), memento(), () => 'this machine');
	const source = { kind: 'user', uri: 'user' };
	const entered = values.ask('it', source as never, input as never, {
		...{ key: 'k', text: 'it', isLocal: false },
	});
	const box = await only(screen.shown);
	await settled();
	return { box, entered };
}

it('takes no Enter for a value that was pressed before the user can have seen the box', async () => {
	const { box, entered } = await ask(name);
	expect(box.value).toBe('Ada');
	box.accept();
	expect(screen.current).toBe(box);
	passTime(KEY_GUARD);
	box.value = '';
	box.accept();
	expect(await entered).toEqual({ value: '', secret: false });
});

it('takes no Enter for an option that was pressed before the user can have seen the list', async () => {
	const { box, entered } = await ask(region);
	expect(box.items.map(({ label }) => label)).toEqual(['us', 'eu']);
	box.accept(box.items[0]);
	expect(screen.current).toBe(box);
	passTime(KEY_GUARD);
	box.accept(box.items[1]);
	expect(await entered).toEqual({ value: 'eu', secret: false });
});

it('resolves to nothing when the box is dismissed', async () => {
	const { box, entered } = await ask(name);
	box.hide();
	expect(await entered).toBeUndefined();
});

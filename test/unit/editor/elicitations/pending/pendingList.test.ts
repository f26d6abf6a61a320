import { beforeEach, expect, it, vi } from 'vitest';
import { commands } from 'vscode';
import { FormElicitations } from '../../../../../src/editor/elicitations/form/formElicitations.ts';
import { registerPending } from '../../../../../src/editor/elicitations/pending/pending.ts';
import { PendingTree } from '../../../../../src/editor/elicitations/pending/pendingTree.ts';
import { UserFocus } from '../../../../../src/editor/elicitations/userFocus.ts';
import { nextMoment } from '../../../../../src/elicitation/clock.ts';
import { KEY_GUARD } from '../../../../../src/elicitation/keyGuard.ts';
import { Registry } from '../../../../../src/elicitation/registry.ts';
import { pages, passTime, pickers, settled } from '../../surfaces.ts';
import { testCommands } from '../../testCommands.ts';
import { fakeVscode } from '../../vscode.ts';

fakeVscode({ workspace: { getConfiguration: () => ({ get: () => 'auto' }) } });
const screen = pickers();
const { panels, extensionUri } = pages();

const resumed = vi.fn(() => new Promise<void>(() => {}));
let registry: Registry;

/** A window in which a call waits that was interrupted. */
beforeEach(() => {
	resumed.mockClear();
	registry = new Registry({ validate: async () => ({ status: 'valid' }) }, () => Number.POSITIVE_INFINITY);
	const [servers, waiting] = [{ get: () => undefined }, { draftOf: () => undefined }];
	const forms = new FormElicitations(extensionUri, registry, servers as never, new UserFocus(), waiting as never);
	const interrupted = { id: '1', server: 's', kind: 'tool', name: 'pay', startedAt: 0, at: 'round' };
	const calls = { all: [interrupted], onDidChange: () => ({ dispose: () => {} }) };
	const own = testCommands(registry, undefined, calls);
	own.register('openElicitation', async (elicitation) => forms.open(elicitation));
	own.register('resumeCall', resumed);
	registerPending({ registry, commands: own } as never, calls as never, () => undefined);
});

/** Requests of one call that the user has made. */
function ask(count: number): void {
	const call = registry.calls[0] ?? registry.beginCall('s', 'tool', 'deploy', {}, undefined, nextMoment());
	const origin = { server: 's', connection: 'c', intake: 'request', revision: '2025-11-25', params: null } as const;
	const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
	for (let at = 0; at < count; at++) {
		const message = `Elicitation ${registry.elicitations.length}`;
		registry.add({ mode: 'form', message, requestedSchema }, { ...origin, calls: [call] });
	}
}

/** The picker with this title, once it is on the screen. */
async function shows(title: string) {
	const picker = await vi.waitUntil(() => screen.current?.title.includes(title) && screen.current);
	await settled();
	return picker;
}
const item = (text: string) => screen.current?.items.find(({ detail }) => detail?.includes(text));

it('the list that takes the place of many requests ignores a key that was meant for the picker before it', async () => {
	ask(5);
	const list = await shows('Pending Elicitations');
	const [first] = list.items;
	list.accept(first);
	list.press(first?.buttons?.[0]);
	expect([resumed.mock.calls, screen.current, list.selectedItems]).toEqual([[], list, []]);
	passTime(KEY_GUARD);
	list.press(first?.buttons?.[0]);
	list.accept(first);
	await settled();
	expect([resumed.mock.calls.length, screen.current]).toEqual([2, undefined]);
});

it('the list that the user has opened takes keys at once', async () => {
	const closed = commands.executeCommand('mcpElicitation.showPending');
	const list = await shows('Pending Elicitations');
	list.accept(list.items[0]);
	await settled();
	expect(resumed).toHaveBeenCalledTimes(1);
	await closed;
});

it('a click on the row of an interrupted call resumes it, and its menu offers that first', () => {
	const entry = { kind: 'waiting', waiting: { server: 's', name: 'pay', startedAt: 0 } } as never;
	const row = new PendingTree(
		registry,
		() => [entry],
		() => undefined,
		(() => {}) as never,
	).getTreeItem(entry);
	expect(row).toMatchObject({
		command: { command: 'mcpElicitation.resumeCall', arguments: [entry] },
		contextValue: '.resumeCall.discardCall.',
	});
});

it('requests that arrive while it is open join it, and no form opens behind it', async () => {
	ask(5);
	await shows('Pending Elicitations');
	passTime(KEY_GUARD);
	ask(1);
	expect(panels).toEqual([]);
	await vi.waitUntil(() => item('Elicitation 5'));
	screen.current?.accept(item('Elicitation 5'));
	await shows('deploy');
});

it('once the user has closed it, nothing pops up', async () => {
	ask(5);
	const list = await shows('Pending Elicitations');
	list.hide();
	await settled();
	ask(1);
	expect([screen.current, panels.length]).toEqual([undefined, 1]);
});

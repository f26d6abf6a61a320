import { expect, it, vi } from 'vitest';
import type { Call } from '../../../../src/elicitation/call.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import type { CallOptions } from '../../../../src/mcp/index.ts';
import { World } from '../../elicitation/world.ts';

vi.mock('vscode', async () => (await import('../vscode.ts')).fakeVscode());

const { cancelCall, performCall } = await import('../../../../src/editor/calls/performCall.ts');
const { PendingTree } = await import('../../../../src/editor/elicitations/pending/tree.ts');

it('the items of the pending list lead to the call that they belong to', async () => {
	const world = new World();
	const cancelled: string[] = [];
	const begin = (name: string) => {
		const call = world.call(name);
		const send = (_: unknown, { signal, onCall }: CallOptions) =>
			new Promise<never>((_resolve, reject) => {
				onCall?.(call);
				signal?.addEventListener('abort', () => reject(cancelled.push(name)));
			});
		performCall({ start: async () => ({}) } as never, 's', { name, send }).catch(() => {});
		return call;
	};
	const [, limited, asking] = ['other', 'limited', 'asking'].map(begin) as [Call, Call, Call];
	void world.registry.roundLimit(limited, localizable('Too many.'));
	world.together(asking, 'inputRequired', 'One?', 'Two?');
	await new Promise((resolve) => setImmediate(resolve));
	const items = new PendingTree(world.registry, () => [], (() => {}) as never).getChildren();
	expect(items.map(({ kind }) => kind)).toEqual(['roundLimit', 'group']);
	for (const item of items) {
		await cancelCall(item as never);
	}
	expect(cancelled).toEqual(['limited', 'asking']);
});

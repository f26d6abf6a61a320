import { expect, it } from 'vitest';
import { everything, firstState, reduce } from '../../../../src/webview/timeline/state.ts';

it('the filter for a call ends when that call is gone, but what is being typed stays', () => {
	const rows = { total: 0, first: 0, rows: [], searching: false, messages: 0, dropped: 0, servers: [], methods: [] };
	const first = firstState({ filter: { ...everything, group: 'call:2' }, rows, share: 50 }, undefined);
	const [state] = reduce(first, { type: 'search', text: 'x' });
	expect(reduce(state, { type: 'gone', group: 'call:1' })).toEqual([state]);
	const [next] = reduce(state, { type: 'gone', group: 'call:2' });
	expect([next.filter, next.searched]).toEqual([everything, 'x']);
});

import { expect, it } from 'vitest';
import { everything, firstState, reduce } from '../../../../src/webview/timeline/state.ts';

it('the filter for a call ends when that call is gone, but what is being typed stays', () => {
	const [state] = reduce(firstState({ ...everything, group: 'call:2' }, undefined, 50), { type: 'search', text: 'x' });
	expect(reduce(state, { type: 'gone', group: 'call:1' })).toEqual([state]);
	const [next] = reduce(state, { type: 'gone', group: 'call:2' });
	expect([next.filter, next.searched]).toEqual([everything, 'x']);
});

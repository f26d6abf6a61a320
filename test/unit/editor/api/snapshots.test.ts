import { expect, it } from 'vitest';
import { elicitationInfo, settledElicitation } from '../../../../src/editor/api/snapshots.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import { World } from '../../elicitation/world.ts';

it('D01: other extensions see the delivery state of a response', () => {
	const world = new World();
	const elicitation = world.form('A', { calls: [world.call()], tellsDelivery: true });
	expect(elicitationInfo(elicitation)).not.toHaveProperty('delivery');
	elicitation.decline();
	expect(settledElicitation(elicitation)).toMatchObject({
		action: 'decline',
		answeredBy: 'person',
		elicitation: { state: 'declined', delivery: 'sending' },
	});
	void elicitation.delivery?.offer(localizable('It broke.'));
	expect(elicitationInfo(elicitation)).toMatchObject({ state: 'declined', delivery: 'undelivered' });
	elicitation.delivery?.delivered();
	expect(elicitationInfo(elicitation).delivery).toBe('delivered');
});

it('D03: an elicitation that ended with its call has no `answeredBy`', () => {
	const world = new World();
	const call = world.call();
	const elicitation = world.form('A', { calls: [call] });
	world.registry.endCall(call, 'cancelled', undefined);
	const settled = settledElicitation(elicitation);
	expect(settled).toMatchObject({ action: 'cancel', elicitation: { state: 'cancelled' } });
	expect(settled).not.toHaveProperty('answeredBy');
});

it('an opened URL that was withdrawn says who had responded to it', () => {
	const world = new World();
	const call = world.call();
	const [elicitation] = world.together(call, 'request', 'https://example.com/');
	elicitation?.opened();
	world.registry.endCall(call, 'succeeded', {});
	expect(elicitation && settledElicitation(elicitation)).toMatchObject({
		action: 'accept',
		answeredBy: 'person',
		elicitation: { state: 'withdrawn' },
	});
});

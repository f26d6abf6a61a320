import { expect, it } from 'vitest';
import { StateMachine } from '../../../src/elicitation/stateMachine.ts';

it('a state changes along its edges only, and says whether it did', () => {
	const door = new StateMachine({ open: ['closed'], closed: ['open', 'locked'], locked: [] }, 'open');
	const tried = (['locked', 'closed', 'closed', 'locked', 'open'] as const).map((next) => [
		door.enter(next),
		door.state,
	]);
	expect(tried).toEqual([
		[false, 'open'],
		[true, 'closed'],
		[false, 'closed'],
		[true, 'locked'],
		[false, 'locked'],
	]);
});

import type { ShownRun, TrialsModel } from '../../src/trialsProtocol.ts';

export const ended = (row: Partial<ShownRun> = {}): ShownRun => ({
	name: 'Accept',
	state: 'ended',
	outcome: 'result',
	outcomeText: 'Result',
	words: 'Deployed.',
	elicitations: 1,
	serverTime: 12,
	notes: [],
	called: true,
	...row,
});

/** A table in which there is a row of every kind. */
export function trialsOf(model: Partial<TrialsModel> = {}): TrialsModel {
	return {
		heading: 'Action matrix',
		about: 'What it is for.',
		server: 'demo',
		call: { kind: 'tool', name: 'deploy' },
		rows: [
			ended({ sent: '{"n":3}', notes: [{ text: 'A note.', warning: false }] }),
			ended({
				name: 'n: below the minimum',
				sent: '{"n":2}',
				mark: 'invalid on purpose',
				outcome: 'error',
				notes: [{ text: 'A warning.', warning: true }],
			}),
			{ name: 'Cancel', state: 'running', outcomeText: 'Running…', notes: [], called: false },
			{ name: 'No response', state: 'planned', outcomeText: 'not run yet', notes: [], called: false },
		],
		revisions: false,
		senders: false,
		running: true,
		progress: '2 of 4 done',
		...model,
	};
}

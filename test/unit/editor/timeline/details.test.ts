import { expect, it, vi } from 'vitest';
import { Matcher, NO_FILTER } from '../../../../src/trace/filter.ts';
import { type Line, lineOf } from '../../../../src/trace/line.ts';
import { played, recording } from '../../trace/recording/recorded.ts';

vi.mock('vscode', async () => (await import('../vscode.ts')).fakeVscode());

const { Details } = await import('../../../../src/editor/timeline/details.ts');

it('finds nothing that depends on the revision where a recording does not tell it', () => {
	const requestedSchema = { type: 'object', properties: { size: { type: 'string', default: 'S' } } };
	const timeline = played(
		recording(
			['sent', { id: 1, method: 'tools/call', params: { name: 'deploy' } }],
			[
				'received',
				{ id: 2, method: 'elicitation/create', params: { mode: 'form', message: 'Size?', requestedSchema } },
			],
			[
				'received',
				{ id: 3, method: 'elicitation/create', params: { message: 'A?', requestedSchema: { properties: {} } } },
			],
		),
	);
	const detail = (id: string) => {
		const shown = new Details(timeline).of(lineOf(timeline, `elicitation:${id}:call:1`) as Line);
		return shown.kind === 'elicitation' ? shown : undefined;
	};
	expect(detail('1')).toMatchObject({ revision: '', findings: [] });
	expect(detail('1')?.notes.map(({ text }) => text)).toContain('Revision 2025-06-18 has no modes.');
	const [first, second] = timeline.registry.elicitations;
	const warnings = new Matcher({ ...NO_FILTER, show: 'warnings' }, timeline);
	expect([first, second].map((each) => each && warnings.elicitation(each))).toEqual([false, true]);
	// What holds in every revision is a finding, and not said twice.
	const root = 'The schema does not say "type": "object".';
	expect(detail('2')?.findings.map(({ text }) => text)).toContain(root);
	expect(detail('2')?.notes.map(({ text }) => text)).not.toContain(root);
});

import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import { openEditor, program, servers } from './driver/index.ts';

itByNight('the servers view tells which servers are offered to agent mode', async () => {
	const editor = await openEditor({
		machineSettings: {
			...servers({ open: program('sdk1'), own: program('sdk1') }),
			'mcpElicitation.agentBridge': ['open'],
		},
	});
	await editor.showViews();
	const [open, own] = [await editor.treeItem('open'), await editor.treeItem('own')];
	expect(await editor.tooltip(open)).toContain('Offered to agent mode; its requests appear here');
	expect(await open.innerText()).toContain('agent mode');
	expect(await editor.tooltip(own)).not.toContain('agent mode');
	expect(editor.faults()).toEqual([]);
});

import { expect, it } from 'vitest';
import { registerDuplicateServerNotice } from '../../../../../src/editor/agentMode/bridge/duplicateServers.ts';
import { memento } from '../../storage.ts';
import { messages, only, settled, textsOf } from '../../surfaces.ts';
import { fakeVscode } from '../../vscode.ts';

const shown = messages();

it.each([
	['offers the agent bridge to the user’s own', 'user', ['Use Agent Bridge', 'Show Definition']],
	['not to one of a workspace, which the setting does not mean', 'mcpJson', ['Show Definition']],
])(
	'tells of a server that the editor runs as well, but not of a temporary connection to it, and %s',
	async (_what, kind, buttons) => {
		fakeVscode({ workspace: { isTrusted: true } });
		let change = () => {};
		const source = { kind, uri: 'here' };
		const entry = (name: string, more: object = {}) => ({
			state: 'running',
			configured: { name, source, others: [], editor: { kind: 'file', uri: 'there' }, definition: {} },
			...more,
		});
		const servers = {
			entries: [entry('one (forms only)', { temporaryFor: 'one' })],
			onDidChange: (listener: () => void) => {
				change = listener;
				return { dispose: () => {} };
			},
		};
		registerDuplicateServerNotice(servers as never, memento());
		change();
		await settled();
		expect(shown).toEqual([]);
		servers.entries.push(entry('one'));
		change();
		await only(shown);
		expect(textsOf(shown)).toEqual([expect.stringContaining('one runs here')]);
		expect(shown[0]?.buttons).toEqual(buttons);
	},
);

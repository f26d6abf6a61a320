import { HttpPuppet } from '../../puppet/http.ts';
import { MODERN, type Wire } from '../../puppet/puppet.ts';
import { StdioPuppet } from '../../puppet/stdio.ts';
import { callTool, type Editor, openEditor, puppet, servers } from '../driver/index.ts';

/** The puppets by the names that they have in the settings. */
export async function cast() {
	return {
		pipe: await puppet(StdioPuppet.open),
		web: await puppet(HttpPuppet.open),
		resuming: await puppet(HttpPuppet.open, { resumable: true }),
		rounds: await puppet(StdioPuppet.open, { revision: MODERN }),
		webRounds: await puppet(HttpPuppet.open, { revision: MODERN }),
	} as const;
}

export type Cast = Awaited<ReturnType<typeof cast>>;
export type Name = keyof Cast;

/** An editor that knows the puppets; its view of the servers is open. */
export async function stage(puppets: Cast, settings: Readonly<Record<string, unknown>> = {}): Promise<Editor> {
	const definitions = Object.entries(puppets).map(([name, { definition }]) => [name, definition]);
	const editor = await openEditor({
		settings: { 'mcpElicitation.form.presentation': 'webview', ...settings },
		machineSettings: servers(Object.fromEntries(definitions)),
	});
	await editor.showViews();
	return editor;
}

/** Has the person call the tool of a puppet, and takes the call. */
export async function called(editor: Editor, puppets: Cast, server: Name): Promise<Wire> {
	await callTool(editor, { server, tool: 'act' });
	return puppets[server].expect('tools/call');
}

/** The notifications in the name of a server, once there is one. */
export async function said(editor: Editor, server: Name): Promise<string[]> {
	await editor.notification(`${server}: `);
	return (await editor.notifications()).filter((text) => text.startsWith(`${server}: `));
}

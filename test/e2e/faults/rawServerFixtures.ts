import { MODERN } from '../../rawServer/rawServer.ts';
import { definitionsOf, type Editor, failureOf, openEditor, openRawServer, servers } from '../driver/index.ts';

/** The raw servers by configured name. */
export async function openRawServers() {
	return {
		pipe: await openRawServer('stdio'),
		web: await openRawServer('http'),
		resuming: await openRawServer('http', { resumable: true }),
		rounds: await openRawServer('stdio', { revision: MODERN }),
		webRounds: await openRawServer('http', { revision: MODERN }),
	} as const;
}

export type RawServers = Awaited<ReturnType<typeof openRawServers>>;
export type RawServerName = keyof RawServers;

/** Opens an editor whose settings define raw servers, with the Servers view open. */
export async function openEditorWith(
	rawServers: Parameters<typeof definitionsOf>[0],
	settings: Readonly<Record<string, unknown>> = {},
): Promise<Editor> {
	const editor = await openEditor({
		settings: { 'mcpElicitation.form.presentation': 'webview', ...settings },
		machineSettings: servers(definitionsOf(rawServers)),
	});
	await editor.showViews();
	return editor;
}

/** Everything that says why a call has failed: its panel and, if there were any, notifications. */
export async function messagesAbout(editor: Editor, server: RawServerName): Promise<string[]> {
	const failure = await failureOf(editor, server);
	return [failure, ...(await editor.notifications()).filter((text) => text.startsWith(`${server}: `))];
}

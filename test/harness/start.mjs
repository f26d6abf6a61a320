// @ts-check
/** `npm start`: an editor with the extension and its demo server, to try things out. Runs until Ctrl+C. */
import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from '../../esbuild.mjs';
import { packageExtension } from '../../scripts/package.mjs';
import { desktopEditor } from './desktopEditor.mjs';
import { results, root } from './paths.mjs';
import { main, run, tell } from './process.mjs';
import { editorNode, vscodeServer } from './toolchain.mjs';
import { installExtension, startWebHost } from './webHost.mjs';
import { demoSettings, demoWorkspace, emptyFolder } from './workspace.mjs';

await main(async () => {
	const workspace = await demoWorkspace();
	try {
		const editor = await desktopEditor();
		await (editor === undefined ? startInBrowser(workspace) : startOnDesktop(editor, workspace));
	} finally {
		await rm(workspace, { recursive: true, force: true });
	}
});

/**
 * @param {string} editor
 * @param {string} workspace
 */
async function startOnDesktop(editor, workspace) {
	await build();
	const profile = await emptyFolder();
	await mkdir(join(profile, 'user', 'User'), { recursive: true });
	await writeFile(join(profile, 'user', 'User', 'settings.json'), JSON.stringify(demoSettings(), undefined, '\t'));
	const places = ['--user-data-dir', join(profile, 'user'), '--extensions-dir', join(profile, 'extensions')];
	// Ctrl+C reaches the editor too: wait for its end, then clean up.
	process.once('SIGINT', () => {});
	tell('opening VS Code; Ctrl+C ends it');
	await run(editor, [workspace, `--extensionDevelopmentPath=${root}`, '--disable-workspace-trust', ...places], {
		show: true,
	});
	await rm(profile, { recursive: true, force: true });
}

/** @param {string} workspace */
async function startInBrowser(workspace) {
	const [node, vscode] = await Promise.all([editorNode(), vscodeServer()]);
	const { vsix } = await packageExtension();
	const extensions = await emptyFolder();
	await installExtension({ node, vscode, vsix, extensions });
	const host = await startWebHost({ node, vscode, extensions, logFile: join(results, 'start.log') });
	await host.configure(demoSettings());
	const address = `${host.url}/?${new URLSearchParams({ folder: workspace })}`;
	console.log(`The editor is at ${address}\nCtrl+C ends it.`);
	openBrowser(address);
	await interrupted();
	await host.stop();
	await rm(extensions, { recursive: true, force: true });
}

/** @param {string} address */
function openBrowser(address) {
	const opener =
		process.platform === 'darwin'
			? 'open'
			: process.env.DISPLAY || process.env.WAYLAND_DISPLAY
				? 'xdg-open'
				: undefined;
	if (opener !== undefined) {
		// Where that program is missing, the address has been printed.
		spawn(opener, [address], { stdio: 'ignore', detached: true })
			.on('error', () => {})
			.unref();
	}
}

function interrupted() {
	return new Promise((resolve) => {
		process.once('SIGINT', resolve);
		process.once('SIGTERM', resolve);
	});
}

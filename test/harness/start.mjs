// @ts-check
/**
 * `npm start`: an editor with the extension and its demo server, to try things out. Runs until Ctrl+C.
 * `npm run dev`: the same with the extension of this checkout, which is built again after every change; then the window is loaded again.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from '../../scripts/build.mjs';
import { packageExtension } from '../../scripts/package.mjs';
import { desktopEditor } from './desktopEditor.mjs';
import { dist, results, root } from './paths.mjs';
import { main, run, tell } from './process.mjs';
import { addTestExtension } from './testExtensions.mjs';
import { editorNode, vscodeServer } from './toolchain.mjs';
import { installExtension, startWebHost } from './webHost.mjs';
import { demoSettings, demoWorkspace, emptyFolder } from './workspace.mjs';

const dev = process.argv.includes('--dev');

/** Touched after each build to trigger the reload. */
const built = join(dist, '.built');

await main(async () => {
	const workspace = await demoWorkspace();
	try {
		const editor = await desktopEditor();
		return await (editor === undefined ? startInBrowser(workspace) : startOnDesktop(editor, workspace));
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
	const stopWatching = dev ? await watch() : () => {};
	const profile = await emptyFolder();
	await mkdir(join(profile, 'user', 'User'), { recursive: true });
	await writeFile(join(profile, 'user', 'User', 'settings.json'), JSON.stringify(demoSettings(), undefined, '\t'));
	const places = ['--user-data-dir', join(profile, 'user'), '--extensions-dir', join(profile, 'extensions')];
	const developed = [root, ...(dev ? [join(root, 'test', 'reloader')] : [])];
	// Ctrl+C also reaches the editor: wait until it exits, then clean up.
	process.once('SIGINT', () => {});
	tell('opening VS Code; Ctrl+C ends it');
	const { code } = await run(
		editor,
		[
			workspace,
			...developed.map((folder) => `--extensionDevelopmentPath=${folder}`),
			'--disable-workspace-trust',
			...places,
		],
		{ show: true, env: { ...process.env, MCP_ELICITATION_BUILT: built } },
	);
	stopWatching();
	await rm(profile, { recursive: true, force: true });
	return code;
}

/** @param {string} workspace */
async function startInBrowser(workspace) {
	const [node, vscode] = await Promise.all([editorNode(), vscodeServer()]);
	const extensions = await emptyFolder();
	let stopWatching = () => {};
	await build();
	if (dev) {
		stopWatching = await watch();
		await addTestExtension('reloader', extensions);
		const { publisher, name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
		await symlink(root, join(extensions, `${publisher}.${name}-${version}`), 'junction');
	} else {
		const { vsix } = await packageExtension();
		await installExtension({ node, vscode, vsix, extensions });
	}
	const env = { MCP_ELICITATION_BUILT: built };
	const host = await startWebHost({ node, vscode, extensions, env, logFile: join(results, 'start.log') });
	await host.configure(demoSettings());
	const address = `${host.url}/?${new URLSearchParams({ folder: workspace })}`;
	console.log(`The editor is at ${address}\nCtrl+C ends it.`);
	openBrowser(address);
	await interrupted();
	stopWatching();
	await host.stop();
	await rm(extensions, { recursive: true, force: true });
	return 0;
}

/**
 * Builds after every change, and announces it.
 * @returns {Promise<() => void>} ends that
 */
async function watch() {
	await writeFile(built, '');
	const builder = spawn(process.execPath, ['scripts/build.mjs', '--watch'], {
		cwd: root,
		stdio: ['pipe', 'inherit', 'pipe'],
	});
	createInterface(builder.stderr).on('line', (line) => {
		console.error(line);
		if (line.startsWith('[watch] build finished') && !line.endsWith('watching for changes...')) {
			void writeFile(built, new Date().toISOString());
		}
	});
	return () => builder.kill();
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
		// If there is no such program, the URL has been printed.
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

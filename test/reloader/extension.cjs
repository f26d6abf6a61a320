// @ts-check
/** Loads the window again when a build is done, which writes the file that MCP_ELICITATION_BUILT names. For `npm run dev`. */
const { unwatchFile, watchFile } = require('node:fs');
const vscode = require('vscode');

/** How often the file is looked at (milliseconds). */
const INTERVAL = 300;

/** @param {import('vscode').ExtensionContext} context */
exports.activate = ({ subscriptions }) => {
	const built = process.env.MCP_ELICITATION_BUILT;
	if (built !== undefined) {
		watchFile(built, { interval: INTERVAL }, () => vscode.commands.executeCommand('workbench.action.reloadWindow'));
		subscriptions.push({ dispose: () => unwatchFile(built) });
	}
};

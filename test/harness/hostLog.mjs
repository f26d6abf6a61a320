// @ts-check
/** The logs of the extension host and webviews, read from the browser. */

const OURS =
	/\[mcp-elicitation\.mcp-elicitation\]|extension '?mcp-elicitation\.mcp-elicitation|\/dist\/([\w-]+\.mjs|webview\/\w+\.js)/i;

/** Max lines of a stack trace. */
const LINES = 4;

/** @typedef {{ level: string, text: string }} LogLine */

/**
 * The lines that report an error or an unhandled rejection of our extension.
 * @param {readonly LogLine[]} lines
 */
export function faultsOfExtension(lines) {
	return lines
		.filter(({ level, text }) => /^(error|warn)/.test(level) && OURS.test(text))
		.map(({ text }) => text.split('\n').slice(0, LINES).join('\n'));
}

/**
 * A console message without the editor's colors.
 * @param {string} text
 */
export function plainText(text) {
	return text
		.replace(/%c/g, '')
		.replace(/\s*color: ?(#\w+|\w+)?;?/g, '')
		.trim();
}

/**
 * What nobody has caught in the window or one of its webviews; the console does not tell of it.
 * @param {Error} error
 * @returns {LogLine}
 */
export function uncaught({ message, stack = message }) {
	return { level: 'error', text: stack };
}

// @ts-check
/**
 * Does what its HTTP port is told, and answers with JSON. `GET /` opens an empty webview panel in place of the last one, `/close` closes it,
 * `/run/ID/ARGUMENT…` runs a command, `/open/PATH` opens a file: these answer `{t0}`, the time right before. `/heap` answers `{bytes}`, what is in use;
 * `/activations` how long each extension of this host took (ms), by the editor's own marks; `/cpu` `{ms}`, the processor time that this host
 * has used. `/call/SERVER/TOOL` calls a tool through the API of the measured extension, and does not wait for its result.
 */
const { writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { randomBytes } = require('node:crypto');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const vscode = require('vscode');

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

/** @type {import('vscode').WebviewPanel | undefined} */
let panel;

function open() {
	panel?.dispose();
	panel = vscode.window.createWebviewPanel('empty', 'Empty', vscode.ViewColumn.Active, { enableScripts: true });
	const nonce = randomBytes(16).toString('base64');
	panel.webview.html = `<!DOCTYPE html><html><head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'"></head>
<body><input><script nonce="${nonce}">document.querySelector('input').focus();</script></body></html>`;
}

/** @type {Record<string, (rest: string) => object | void>} */
const orders = {
	'': open,
	close: () => panel?.dispose(),
	run: (rest) => {
		const [command = '', ...args] = rest.split('/');
		void vscode.commands.executeCommand(command, ...args);
	},
	open: (path) => void vscode.commands.executeCommand('vscode.open', vscode.Uri.file(`/${path}`)),
	heap: () => {
		collectGarbage();
		return { bytes: process.memoryUsage().heapUsed };
	},
	activations,
	cpu: () => {
		const { user, system } = process.cpuUsage();
		return { ms: (user + system) / 1000 };
	},
	call: (rest) => {
		const [server, tool] = rest.split('/');
		const extension = vscode.extensions.getExtension('mcp-elicitation.mcp-elicitation');
		extension?.activate().then((api) => api.callTool(server, tool).catch(() => {}));
	},
};

/** @param {import('vscode').ExtensionContext} context */
exports.activate = (context) => {
	const portFile = process.env.MCP_ELICITATION_BENCH_PANEL;
	if (portFile === undefined) {
		return;
	}
	const server = createServer((request, response) => {
		const [, order = '', rest = ''] = /^\/([^/]*)\/?(.*)$/.exec(request.url ?? '') ?? [];
		const t0 = Date.now();
		response.end(JSON.stringify(orders[order]?.(rest) ?? { t0 }));
	});
	server.listen(0, '127.0.0.1', () => {
		const address = server.address();
		writeFileSync(portFile, String(typeof address === 'object' ? address?.port : ''));
	});
	context.subscriptions.push({ dispose: () => server.close() });
};

/** The editor marks when it begins and ends to load the code of an extension, and to call its `activate`; both together. */
function activations() {
	/** @type {{ name: string, startTime: number }[]} */
	const marks = Reflect.get(globalThis, 'MonacoPerformanceMarks').getMarks();
	const at = new Map(marks.map(({ name, startTime }) => [name, startTime]));
	const between = (/** @type {string} */ step, /** @type {string} */ id) =>
		(at.get(`code/extHost/did${step}/${id}`) ?? Number.NaN) - (at.get(`code/extHost/will${step}/${id}`) ?? Number.NaN);
	const ids = [...at.keys()].flatMap((name) => /^code\/extHost\/didActivateExtension\/(.+)$/.exec(name)?.[1] ?? []);
	return Object.fromEntries(ids.map((id) => [id, between('LoadExtensionCode', id) + between('ActivateExtension', id)]));
}

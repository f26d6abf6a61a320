// @ts-check
/**
 * Opens an empty webview panel whenever its HTTP port is asked: `GET /` answers `{t0}`, the time right before the panel was made.
 * `GET /close` closes it. `GET /run/ID` runs a command and answers the same, `GET /open/PATH` opens a file; `GET /heap` answers `{bytes}`, what is in use.
 * `GET /activations` answers how long each extension of this host took (milliseconds), by the editor's own marks;
 * `GET /cpu` answers `{ms}`, the processor time that this host has used. `GET /call/SERVER/TOOL` calls a tool through the API of the
 * measured extension, and does not wait for its result.
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

/** @param {import('vscode').ExtensionContext} context */
exports.activate = (context) => {
	const portFile = process.env.MCP_ELICITATION_BENCH_PANEL;
	if (portFile === undefined) {
		return;
	}
	/** @type {import('vscode').WebviewPanel | undefined} */
	let panel;
	const server = createServer((request, response) => {
		if (request.url === '/heap') {
			collectGarbage();
			response.end(JSON.stringify({ bytes: process.memoryUsage().heapUsed }));
			return;
		}
		if (request.url === '/activations') {
			response.end(JSON.stringify(activations()));
			return;
		}
		if (request.url === '/cpu') {
			const { user, system } = process.cpuUsage();
			response.end(JSON.stringify({ ms: (user + system) / 1000 }));
			return;
		}
		const [, ofServer, tool] = /^\/call\/(.+)\/(.+)$/.exec(request.url ?? '') ?? [];
		if (tool !== undefined) {
			const extension = vscode.extensions.getExtension('mcp-elicitation.mcp-elicitation');
			extension?.activate().then((api) => api.callTool(ofServer, tool).catch(() => {}));
			response.end('{}');
			return;
		}
		panel?.dispose();
		const [, command] = /^\/run\/(.+)$/.exec(request.url ?? '') ?? [];
		if (command !== undefined) {
			response.end(JSON.stringify({ t0: Date.now() }));
			vscode.commands.executeCommand(command);
			return;
		}
		const [, file] = /^\/open(\/.+)$/.exec(request.url ?? '') ?? [];
		if (file !== undefined) {
			response.end(JSON.stringify({ t0: Date.now() }));
			vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
			return;
		}
		if (request.url === '/close') {
			panel = undefined;
			response.end('{}');
			return;
		}
		const t0 = Date.now();
		panel = vscode.window.createWebviewPanel('empty', 'Empty', vscode.ViewColumn.Active, { enableScripts: true });
		const nonce = randomBytes(16).toString('base64');
		panel.webview.html = `<!DOCTYPE html><html><head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'"></head>
<body><input><script nonce="${nonce}">document.querySelector('input').focus();</script></body></html>`;
		response.end(JSON.stringify({ t0 }));
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
	const activated = [...at.keys()].flatMap(
		(name) => /^code\/extHost\/didActivateExtension\/(.+)$/.exec(name)?.[1] ?? [],
	);
	return Object.fromEntries(
		activated.map((id) => [id, between('LoadExtensionCode', id) + between('ActivateExtension', id)]),
	);
}

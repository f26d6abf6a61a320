// @ts-check
/**
 * Shares the extension host with the extension under test, runs commands there, and tells what the host holds. Listens on the
 * port that it writes into the file `.probe` of the workspace; every request is a `POST` of `{do, …}`.
 */
const { EventEmitter } = require('node:events');
const { writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { Session } = require('node:inspector/promises');
const { join } = require('node:path');
const { text } = require('node:stream/consumers');
const { setFlagsFromString, writeHeapSnapshot } = require('node:v8');
const { runInNewContext, runInThisContext } = require('node:vm');
const vscode = require('vscode');

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

/**
 * What is counted, wherever in the host it is held: what was forgotten mostly holds a function. Not plain objects and sets: the
 * editor's own tree views keep a few for every entry that they have ever shown.
 */
const COUNTED = {
	'disposable of the editor': vscode.Disposable,
	'emitter of the editor': vscode.EventEmitter,
	'emitter of Node, such as a process or a socket': EventEmitter,
	'event target, such as a signal': EventTarget,
	function: Function,
	map: Map,
	promise: Promise,
};

/** Node's complaints: too many listeners, for instance. @type {string[]} */
const warnings = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

/** How long a file operation may take, which has a handle and promises (ms). One that takes longer counts. */
const FILE_OPERATION = 5_000;

/** Waits for an operation that is under way, as when the editor writes its log. */
async function noFileOperation() {
	for (const end = Date.now() + FILE_OPERATION; Date.now() < end; ) {
		if (!process.getActiveResourcesInfo().some((name) => name === 'FSReqPromise' || name === 'CloseReq')) {
			return;
		}
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

/** Counts the instances of the types that are alive. Runs where all objects are at hand. */
const countInstances = `function (types) {
	return types.map((type) => this.filter((each) => type.prototype.isPrototypeOf(each)).length);
}`;

/**
 * The number of objects of each kind. One search for all of them: V8 collects garbage several times before it searches.
 * @returns {Promise<Record<string, number>>}
 */
async function countObjects() {
	const session = new Session();
	session.connect();
	Object.assign(globalThis, { countedTypes: Object.values(COUNTED) });
	try {
		const evaluate = async (/** @type {string} */ expression) =>
			(await session.post('Runtime.evaluate', { expression })).result.objectId ?? '';
		const prototypeObjectId = await evaluate('Object.prototype');
		const { objects } = await session.post('Runtime.queryObjects', { prototypeObjectId });
		const { result } = await session.post('Runtime.callFunctionOn', {
			objectId: objects.objectId,
			functionDeclaration: countInstances,
			arguments: [{ objectId: await evaluate('countedTypes') }],
			returnByValue: true,
		});
		return Object.fromEntries(Object.keys(COUNTED).map((name, index) => [name, result.value[index]]));
	} finally {
		session.disconnect();
	}
}

/** What the host holds when nothing can be collected any more. */
async function vitals() {
	for (let times = 0; times < 3; times++) {
		await new Promise((resolve) => setImmediate(resolve));
		collectGarbage();
	}
	await noFileOperation();
	collectGarbage();
	const { heapUsed, external, rss } = process.memoryUsage();
	const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
	/** @type {Record<string, number>} */
	const resources = {};
	for (const resource of process.getActiveResourcesInfo()) {
		resources[resource] = (resources[resource] ?? 0) + 1;
	}
	return {
		pid: process.pid,
		heap: heapUsed + external,
		rss,
		objects: { ...(await countObjects()), 'listener of the process': listeners },
		resources,
		warnings,
	};
}

/** @type {Record<string, (request: any) => unknown>} */
const performers = {
	run: ({ command, args }) => vscode.commands.executeCommand(command, ...args),
	open: async ({ path }) => void (await vscode.window.showTextDocument(vscode.Uri.file(path))),
	configure: ({ setting, value }) =>
		vscode.workspace.getConfiguration().update(setting, value, vscode.ConfigurationTarget.Global),
	cursor: () => vscode.window.activeTextEditor?.selection.active.character,
	tools: () => vscode.lm.tools.map(({ name }) => name),
	useTool: async ({ tool, input }) => {
		const { content } = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined });
		return content.length;
	},
	vitals,
	snapshot: ({ path }) => writeHeapSnapshot(path),
	/** As if a file of the extension under test had done it. */
	reject: ({ message }) => {
		const { extensionPath = '' } = vscode.extensions.getExtension('mcp-elicitation.mcp-elicitation') ?? {};
		const filename = join(extensionPath, 'dist', 'extension.mjs');
		runInThisContext(`void Promise.reject(new Error(${JSON.stringify(message)}))`, { filename });
	},
};

/** @param {vscode.ExtensionContext} context */
exports.activate = (context) => {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
	if (folder === undefined) {
		return;
	}
	const server = createServer(async (request, response) => {
		try {
			const wanted = JSON.parse(await text(request));
			response.end(JSON.stringify({ result: await performers[wanted.do]?.(wanted) }));
		} catch (error) {
			response.end(JSON.stringify({ error: String(error) }));
		}
	});
	server.listen(0, '127.0.0.1', () => {
		const address = server.address();
		writeFileSync(join(folder, '.probe'), String(typeof address === 'object' ? address?.port : ''));
	});
	context.subscriptions.push({ dispose: () => server.close() });
};

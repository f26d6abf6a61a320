/** Drives the packaged extension in a real editor. Import `openEditor` from here: it cleans up after each test. */
export { Editor, type EditorOptions, type Kind } from './editor.ts';
export {
	actInTimeline,
	actOnLine,
	answerIn,
	argumentsForm,
	ask,
	callTool,
	consentTo,
	failureOf,
	formOf,
	formOfServer,
	lookAt,
	resultOf,
	runTrial,
	structured,
	textIn,
	urlPanel,
	urlPanelSaying,
} from './flows.ts';
export { KeyboardUser } from './keyboardUser.ts';
export { type HostVitals, Probe } from './probe.ts';
export { type Proxy, proxy } from './proxy.ts';
export { callRawServer, definitionsOf, openRawServer, type RawServer } from './rawServers.ts';
export { completed, created, inputRequests, Polls, task } from './rawTasks.ts';
export { recordingStarts, startsOf } from './recordStart.ts';
export { type Definition, demo, everything, overHttp, program, servers } from './servers.ts';
export { StartConsent } from './startConsent.ts';
export { appears, clicks, succeeds, TIMEOUT, until } from './waiting.ts';
export { openEditor, reuseEditor } from './windows.ts';
export { Modal, Notification, QuickInput, type Text } from './workbenchElements.ts';

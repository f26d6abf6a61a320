/** What speaks the protocol, to servers, to the agent mode of the editor, and to other clients. Loaded when the first server starts, or is offered. */
export { Bridge, serveLines, WindowListener } from '../bridge/index.ts';
export { ConnectionManager, Reaper } from '../mcp/index.ts';

/** What speaks the protocol, to servers and to the agent mode of the editor. Loaded when the first server starts. */
export { Bridge } from '../bridge/index.ts';
export { ConnectionManager, Reaper } from '../mcp/index.ts';

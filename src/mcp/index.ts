/** What the rest of the extension loads, lazily, of this room. */
export { type CallOptions, Connection, type ServerState } from './connection.ts';
export { Failure } from './failure.ts';
export { Fleet } from './fleet.ts';
export { Reaper } from './reaperClient.ts';
export type { ConnectionContext, ServerLog, ToolInfo } from './session.ts';

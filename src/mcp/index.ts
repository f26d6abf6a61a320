/** What the rest of the extension loads, lazily, of this room. */
export {
	type CallOptions,
	Connection,
	type ConnectionContext,
	type ServerLog,
	type ServerState,
	type ToolInfo,
} from './connection.ts';
export { Failure } from './failure.ts';
export { Fleet } from './fleet.ts';
export { Reaper } from './reaperClient.ts';

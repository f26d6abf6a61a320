/** What the rest of the extension loads, lazily, of this room. */
export type { ListName, PromptInfo, ResourceInfo, ToolInfo } from './catalogue.ts';
export { type CallOptions, Connection, type ServerState } from './connection.ts';
export { Failure } from './failure.ts';
export { Fleet } from './fleet.ts';
export { Reaper } from './reaperClient.ts';
export type { ResourceTemplate } from './resourceTemplate.ts';
export type { RoundInput } from './rounds.ts';
export type { ConnectionContext, ServerLog } from './session.ts';
export type { NoAnswer, Redirect, Secret, SignIn, SignInRequest, Visit } from './signIn.ts';

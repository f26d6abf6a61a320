/** The public part of this layer. The extension loads it on demand. */

export type { ClientRequest, NoAnswer, Redirect, Secret, SignIn, SignInRequest, Visit } from './auth/signIn.ts';
export type { BegunCall, CallOptions } from './calls.ts';
export { Connection, type ServerState } from './connection.ts';
export type { ConnectionContext } from './connectionContext.ts';
export { ConnectionManager } from './connectionManager.ts';
export type { ServerLog } from './logMessages.ts';
export { Reaper } from './process/reaperClient.ts';
export type { ResourceTemplate } from './resourceTemplate.ts';
export type { RoundInput } from './rounds/rounds.ts';
export type { PromptInfo, ResourceInfo, ToolInfo } from './serverFeatures.ts';
export type { TaskRequests } from './tasks/taskRequests.ts';
export { Failure } from './wire/failure.ts';

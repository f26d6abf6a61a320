import type { JSONRPCMessage, Progress } from '@modelcontextprotocol/client';
import type { TaskMode } from '../config/capabilities.ts';
import type { CallKeeper } from '../elicitation/checkpoint.ts';
import type { Registry } from '../elicitation/registry.ts';
import type { TraceLog } from '../trace/log.ts';
import type { SignInContext } from './auth/signIn.ts';
import type { ServerLog } from './logMessages.ts';
import type { Reaper } from './process/reaperClient.ts';
import type { WorkspaceRoots } from './rounds/roots.ts';
import type { RoundInput } from './rounds/rounds.ts';
import type { TaskRequests } from './tasks/taskRequests.ts';

/** What this layer needs from the rest of the extension. */
export interface ConnectionContext extends SignInContext {
	readonly registry: Registry;
	readonly trace: TraceLog;
	readonly reaper: Reaper;
	readonly clientVersion: string;
	log(server: string): ServerLog;
	/** Max server time of a call (s); 0 for no limit. */
	callTimeout(): number;
	/** Whether calls run as tasks. Applies to sessions that begin. */
	taskMode(): TaskMode;
	/** The folders of the workspace, which servers get as roots. */
	readonly workspaceRoots: WorkspaceRoots;
}

/** Options of a call besides its request. */
export interface RunOptions {
	readonly onProgress?: (progress: Progress) => void;
	/** Called with the raw response of every round. */
	readonly onResponse?: (response: JSONRPCMessage) => void;
	/** Keeps where the call waits, or resumes it from there (K16). */
	readonly keeper?: CallKeeper | undefined;
	/** Called when the server runs the call as a task, to test what it does with other requests about it. */
	readonly onTask?: ((task: TaskRequests) => void) | undefined;
	/** Modifies what a round sends, to test whether the server notices. The first round is 1 and has no input. */
	readonly tamper?: (input: RoundInput, round: number) => RoundInput;
}

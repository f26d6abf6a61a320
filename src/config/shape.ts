import type { JsonPath } from './problem.ts';

/** Where a document contains definitions. */
export interface Shape {
	readonly servers: JsonPath;
	readonly inputs: JsonPath;
	/** Allowed top-level members. Absent for settings, which contain other things as well. */
	readonly members?: readonly string[];
	/** True if `${NAME}` is an environment variable. */
	readonly shell: boolean;
}

const SERVERS = 'mcpElicitation.servers';
const INPUTS = 'mcpElicitation.inputs';

/** The kinds of documents that define servers. */
export const SHAPES = {
	settings: { servers: [SERVERS], inputs: [INPUTS], shell: false },
	codeWorkspace: { servers: ['settings', SERVERS], inputs: ['settings', INPUTS], shell: false },
	/** `.vscode/mcp.json` */
	mcpJson: { servers: ['servers'], inputs: ['inputs'], members: ['servers', 'inputs'], shell: false },
	/** `.mcp.json`, which several clients share. */
	shared: { servers: ['mcpServers'], inputs: ['inputs'], members: ['mcpServers', 'inputs'], shell: true },
} as const satisfies Record<string, Shape>;

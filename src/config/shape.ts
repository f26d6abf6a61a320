import type { JsonPath } from './problem.ts';

/** How a document holds definitions. */
export interface Shape {
	readonly servers: JsonPath;
	readonly inputs: JsonPath;
	/** The members that may stand in a file of its own; absent for settings, which are full of other things. */
	readonly members?: readonly string[];
	/** `${NAME}` is an environment variable. */
	readonly shell: boolean;
}

const SERVERS = 'mcpElicitation.servers';
const INPUTS = 'mcpElicitation.inputs';

/** The documents in which people define servers. */
export const SHAPES = {
	settings: { servers: [SERVERS], inputs: [INPUTS], shell: false },
	codeWorkspace: { servers: ['settings', SERVERS], inputs: ['settings', INPUTS], shell: false },
	/** `.vscode/mcp.json` */
	mcpJson: { servers: ['servers'], inputs: ['inputs'], members: ['servers', 'inputs'], shell: false },
	/** `.mcp.json`, which several clients share. */
	shared: { servers: ['mcpServers'], inputs: ['inputs'], members: ['mcpServers', 'inputs'], shell: true },
} as const satisfies Record<string, Shape>;

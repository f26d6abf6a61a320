import type { Surroundings } from './command.ts';
import { runProgram } from './program.ts';

/** The commands that other clients start, as they come with the extension. */
await runProgram<Surroundings>({
	about: 'Runs recorded MCP calls, with their elicitations, against a server.',
	commands: {
		connect: { summary: 'let any client use a server of the editor', load: () => import('./connect.ts') },
	},
	prepare: (surroundings) => surroundings,
});

import { Reaper } from '../mcp/process/reaperClient.ts';
import { packaged } from './files.ts';
import { runProgram } from './program.ts';

/** The commands that other clients start, as they come with the extension. */
await runProgram({
	about: 'Stands between MCP clients and servers.',
	commands: {
		tap: { summary: 'record what a client and a server say', load: () => import('./tap.ts') },
		connect: { summary: 'let any client use a server of the editor', load: () => import('./connect.ts') },
	},
	prepare: (surroundings) => ({
		...surroundings,
		host: { reaper: new Reaper(packaged('reaper.mjs')), recorder: packaged('recorder.mjs') },
	}),
});

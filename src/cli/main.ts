#!/usr/bin/env node
import type { Context } from './command.ts';
import { Host, version } from './host.ts';
import { runProgram } from './program.ts';

await runProgram<Context>({
	about: 'Tests MCP servers that use elicitation, and shows what clients and servers say.',
	version,
	commands: {
		run: { summary: 'run scenarios against a server', load: () => import('./run.ts') },
		check: { summary: 'check requested schemas in JSON files', load: () => import('./check.ts') },
		record: { summary: 'record a call as a timeline or as a scenario', load: () => import('./record.ts') },
		serve: { summary: 'serve a recording as a mock server', load: () => import('./serve.ts') },
		tap: { summary: 'record what a client and a server say', load: () => import('./tap.ts') },
		connect: { summary: 'let any client use a server of the editor', load: () => import('./connect.ts') },
		matrix: { summary: 'end the requests of a call in every way', load: () => import('./matrix.ts') },
	},
	prepare: (surroundings) => {
		const host = new Host(surroundings.folder);
		return { ...surroundings, host, dispose: () => host.dispose() };
	},
});

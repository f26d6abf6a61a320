import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import type { HttpDefinition, StdioDefinition } from '../config/definition.ts';
import type { Reaper } from './reaperClient.ts';
import { type StdioEvents, StdioTransport } from './stdioTransport.ts';

/** What a child inherits; everything else that the extension host holds is none of a server's business. */
const INHERITED =
	process.platform === 'win32'
		? [
				'APPDATA',
				'COMSPEC',
				'HOMEDRIVE',
				'HOMEPATH',
				'LOCALAPPDATA',
				'NUMBER_OF_PROCESSORS',
				'PATH',
				'PATHEXT',
				'PROCESSOR_ARCHITECTURE',
				'PROGRAMDATA',
				'PROGRAMFILES',
				'PROGRAMFILES(X86)',
				'SYSTEMDRIVE',
				'SYSTEMROOT',
				'TEMP',
				'TMP',
				'USERNAME',
				'USERPROFILE',
				'WINDIR',
			]
		: ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER', 'XDG_RUNTIME_DIR'];

export function stdioTransport(definition: StdioDefinition, events: StdioEvents, reaper: Reaper): StdioTransport {
	return new StdioTransport(
		{
			command: definition.command,
			args: definition.args,
			cwd: definition.cwd,
			env: environment(definition.env),
		},
		events,
		reaper,
	);
}

export function httpTransport(definition: HttpDefinition, kind: 'http' | 'sse'): Transport {
	const url = new URL(definition.url);
	const options = { requestInit: { headers: { ...definition.headers } } };
	return kind === 'http' ? new StreamableHTTPClientTransport(url, options) : new SSEClientTransport(url, options);
}

function environment(configured: Readonly<Record<string, string | null>>): Record<string, string> {
	const result: Record<string, string> = {};
	for (const name of INHERITED) {
		const value = process.env[name];
		// A value that starts like this is an exported shell function, not data.
		if (value !== undefined && !value.startsWith('()')) {
			result[name] = value;
		}
	}
	for (const [name, value] of Object.entries(configured)) {
		if (value === null) {
			delete result[name];
		} else {
			result[name] = value;
		}
	}
	return result;
}

import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import type { HttpDefinition, StdioDefinition } from '../config/definition.ts';
import { say } from '../elicitation/sentence.ts';
import { Failure } from './failure.ts';
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
			env: environment({ ...envFile(definition), ...definition.env }),
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

/** The variables of `envFile`; a relative one is relative to the working directory. */
function envFile({ name, envFile, cwd }: StdioDefinition): Record<string, string> {
	if (envFile === undefined) {
		return {};
	}
	const file = isAbsolute(envFile) ? envFile : join(cwd ?? '', envFile);
	try {
		return parseEnv(readFileSync(file, 'utf8')) as Record<string, string>;
	} catch (error) {
		throw new Failure(
			name,
			say('The environment file "{0}" could not be read.', file),
			say('Create it, or correct "envFile" in its definition.'),
			{ cause: error },
		);
	}
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

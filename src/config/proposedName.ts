import type { RawDefinition } from './commandLine.ts';
import { isHttpUrl, socketOf } from './definition.ts';

/** Words that say nothing about a server in a host name, a path or the name of a package. */
const GENERIC =
	/^(?:|mcp|server|servers|mcp-server|index|main|cli|app|api|www|start|run|stdio|sse|http|dist|build|src|lib|out|bin|node_modules|latest)$/i;

/** Programs that run a package or a script. */
const RUNNER = /^(?:npx|bunx|uvx|pipx|bun|pnpm|yarn|npm|node|deno|tsx|python[\d.]*|uv|docker|podman)(?:\.\w+)?$/i;

/** Whether a text that is valid as a command, as nearly every text is, is meant as one. */
export function isMeantAsCommand({ command, args }: RawDefinition): boolean {
	return RUNNER.test(String(command)) && Array.isArray(args);
}

/** Suggests a name based on the package, the program or the URL's host. */
export function proposedName(definition: RawDefinition): string {
	const { url, command, args } = definition as { url?: unknown; command?: unknown; args?: unknown };
	if (typeof url === 'string') {
		const socket = socketOf(url);
		return socket ? nameOfPath(socket.socketPath.replace(/\.\w+$/, '')) : nameOfHost(url);
	}
	const words = [command, ...(Array.isArray(args) ? args : [])].filter(
		(word): word is string => typeof word === 'string',
	);
	const [program = '', ...rest] = words;
	const telling = RUNNER.test(baseName(program)) ? (runBy(program, rest) ?? program) : program;
	const remote = baseName(telling).startsWith('mcp-remote') ? rest.find(isHttpUrl) : undefined;
	return remote === undefined ? nameOfPath(telling) : nameOfHost(remote);
}

/** What a runner runs: a package, a script, a module or an image. */
function runBy(runner: string, args: readonly string[]): string | undefined {
	const words = args.filter((word) => !/^-|^(?:run|dlx|exec|x|tool)$/.test(word));
	const isContainer = /^(?:docker|podman)/i.test(baseName(runner));
	// The values of options, such as `-e NAME`, come before the image, which nearly always has a slash.
	return (isContainer ? words.find((word) => /^[\w.-]+(?::\d+)?\/[^=,]*$/.test(word)) : undefined) ?? words[0];
}

function nameOfHost(url: string): string {
	const host = /^https?:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/:?#]+)/i.exec(url)?.[1] ?? '';
	if (/^\[|^[\d.]+$/.test(host)) {
		return host;
	}
	const labels = host.split('.');
	return labels.slice(0, Math.max(1, labels.length - 1)).find((label) => !GENERIC.test(label)) ?? host;
}

/** The last part of a path or of a package's name that says something. */
export function nameOfPath(path: string): string {
	const names = path
		.split(/[\\/]/)
		.filter(Boolean)
		.map((part) =>
			part
				.replace(/(.)@.*$/s, '$1')
				.replace(/^@/, '')
				.replace(/\.(m?js|cjs|m?ts|py|exe|sh)$/, '')
				.replace(/(.):[\w.-]+$/, '$1'),
		)
		.map((name) => name.replace(/^(?:mcp[-_])?server[-_]|^mcp[-_]|[-_]mcp(?:[-_]server)?$/gi, ''));
	return names.findLast((name) => !GENERIC.test(name)) ?? names.at(-1) ?? '';
}

function baseName(path: string): string {
	return path.split(/[\\/]/).findLast(Boolean) ?? '';
}

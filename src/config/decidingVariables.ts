/** Variables that make a program run something other than its command and arguments, or run it elsewhere. */
const NAMES = new Set([
	'NODE_OPTIONS',
	'NODE_PATH',
	'PATH',
	'PATHEXT',
	'COMSPEC',
	'BASH_ENV',
	'ENV',
	'JAVA_TOOL_OPTIONS',
	'JDK_JAVA_OPTIONS',
	'_JAVA_OPTIONS',
	'CLASSPATH',
	'RUBYOPT',
	'RUBYLIB',
	'PERLLIB',
	'GEM_HOME',
	'GEM_PATH',
	'BUNDLE_GEMFILE',
	// Where programs look for their configuration, such as the registry of npm.
	'HOME',
	'USERPROFILE',
	'XDG_CONFIG_HOME',
	'ZDOTDIR',
	// Libraries that the C library loads.
	'GCONV_PATH',
]);

const PREFIXES = [
	...['LD_', 'DYLD_', 'PYTHON', 'PERL5', 'GIT_', 'BASH_FUNC_', 'OPENSSL_', 'CORECLR_'],
	// Settings of the programs that run packages: where these come from, and how they are run.
	...['UV_', 'PIP_', 'PIPX_', 'BUN_', 'DENO_', 'YARN_', 'PNPM_', 'COREPACK_', 'DOTNET_', 'DOCKER_'],
];

/** npm ignores the case of its settings on every platform. */
const NPM = /^npm_config_/i;

/** True if an environment variable decides what runs. Names are case-insensitive on Windows. */
export function decidesWhatRuns(name: string, windows: boolean): boolean {
	const known = windows ? name.toUpperCase() : name;
	return NAMES.has(known) || PREFIXES.some((prefix) => known.startsWith(prefix)) || NPM.test(name);
}

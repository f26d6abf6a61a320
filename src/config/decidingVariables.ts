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
	'DOTNET_STARTUP_HOOKS',
]);

const PREFIXES = ['LD_', 'DYLD_', 'PYTHON', 'PERL5', 'GIT_'];

/** npm ignores the case of its settings on every platform. */
const NPM = /^npm_config_/i;

/** True if an environment variable decides what runs. Names are case-insensitive on Windows. */
export function decidesWhatRuns(name: string, windows: boolean): boolean {
	const known = windows ? name.toUpperCase() : name;
	return NAMES.has(known) || PREFIXES.some((prefix) => known.startsWith(prefix)) || NPM.test(name);
}

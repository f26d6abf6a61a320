/** Variables by which a program is led to run something else than its command and arguments say, or to run it elsewhere. */
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

/** npm reads its settings in any case on every platform. */
const NPM = /^npm_config_/i;

/** True for the name of an environment variable that decides what runs. On Windows names are the same in any case. */
export function decidesWhatRuns(name: string, windows: boolean): boolean {
	const known = windows ? name.toUpperCase() : name;
	return NAMES.has(known) || PREFIXES.some((prefix) => known.startsWith(prefix)) || NPM.test(name);
}

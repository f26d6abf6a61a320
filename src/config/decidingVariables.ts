import { namesSecret } from '../elicitation/secretNames.ts';

/**
 * Variables that make a program run something other than its command and arguments, run it elsewhere, or trust somebody
 * else.
 */
const NAMES = new Set(
	(
		'PATH PATHEXT COMSPEC SHELL ENV BASH_ENV PS4 IFS ZDOTDIR PROMPT_COMMAND PSMODULEPATH ' +
		'EDITOR VISUAL PAGER BROWSER SSH_ASKPASS SUDO_ASKPASS LESSOPEN LESSCLOSE ' +
		'CLASSPATH RUBYOPT RUBYLIB PERLLIB BUNDLE_GEMFILE PHPRC PHP_INI_SCAN_DIR LUA_INIT LUA_CPATH ' +
		'GOPROXY GOSUMDB GOENV GOAUTH GOBIN GOTOOLCHAIN GODEBUG RUSTC RUSTDOC CC CXX LD AR MAKE ' +
		// Where programs look for their configuration, such as the registry of npm.
		'HOME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA SYSTEMROOT WINDIR TMPDIR ' +
		'VIRTUAL_ENV CONTAINERS_CONF KUBECONFIG ELECTRON_RUN_AS_NODE SSLKEYLOGFILE'
	).split(' '),
);

const PREFIXES = (
	'LD_ DYLD_ PYTHON PERL5 GIT_ BASH_FUNC_ OPENSSL_ CORECLR_ COMPLUS_ NODE_ XDG_ LUA_ ERL_ ' +
	// Settings of the programs that run packages: where these come from, and how they are run.
	'UV_ PIP_ PIPX_ BUN_ DENO_ YARN_ PNPM_ COREPACK_ DOTNET_ DOCKER_ MISE_ ASDF_ VOLTA_ ' +
	'NVM_ TS_NODE_ TSX_ CARGO_ RUSTUP_ CONDA_ POETRY_ PODMAN_ BUILDAH_ SSL_'
).split(' ');

/** What the makers of programs call their own: `JAVA_TOOL_OPTIONS`, `GOFLAGS`, `RUSTC_WRAPPER`, `GCONV_PATH`, `JAVA_HOME`. */
const SUFFIXES =
	/(?:OPTIONS|OPTS|FLAGS|_?WRAPPER|_PATH|_HOME|_PROXY|_PRELOAD|_CMD|_COMMAND|_EXEC|CA_BUNDLE|_CERTS?|_CERT_FILE)$/;

/** npm ignores the case of its settings on every platform, and programs that of a proxy. */
const ANY_CASE = /^npm_config_|^(?:https?|all|no)_proxy$/i;

/** These only say who the user is: `NODE_AUTH_TOKEN`, `npm_config_//host/:_authToken`. */
const CREDENTIAL = /(?:auth|token|passw(?:or)?d|secret)$/i;

/** Variables that only tell a program what to print, and in which language. */
const HARMLESS = new Set(
	(
		'NODE_ENV PYTHONUNBUFFERED PYTHONIOENCODING PYTHONUTF8 PYTHONDONTWRITEBYTECODE DOTNET_CLI_TELEMETRY_OPTOUT ' +
		'LANG LANGUAGE TZ TERM COLORTERM NO_COLOR FORCE_COLOR CI DEBUG VERBOSE PORT LOG_FORMAT ' +
		'RUST_LOG RUST_BACKTRACE ENVIRONMENT STAGE'
	).split(' '),
);
const HARMLESS_PATTERN = /^LC_[A-Z]+$|(?:^|_)LOG_?LEVEL$|(?:^|_)(?:ID|USER|USERNAME|EMAIL|REGION|TIMEOUT|LIMIT)$/;

/** True if an environment variable is known to decide what runs. Names are case-insensitive on Windows. */
export function decidesWhatRuns(name: string, windows: boolean): boolean {
	const known = windows ? name.toUpperCase() : name;
	const isOfKind = ANY_CASE.test(name) || PREFIXES.some((prefix) => known.startsWith(prefix)) || SUFFIXES.test(known);
	return NAMES.has(known) || (isOfKind && !HARMLESS.has(known) && !CREDENTIAL.test(name));
}

/** True if an environment variable is known to decide nothing but what a program prints, or whom it acts for. */
export function isHarmless(name: string, windows: boolean): boolean {
	const known = windows ? name.toUpperCase() : name;
	return !decidesWhatRuns(name, windows) && (HARMLESS.has(known) || HARMLESS_PATTERN.test(known) || namesSecret(name));
}

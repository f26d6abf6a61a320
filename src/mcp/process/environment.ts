/** What a child inherits; everything else that the extension host holds is none of a server's business. */
const INHERITED_ON_WINDOWS = [
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
];
const INHERITED = ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER', 'XDG_RUNTIME_DIR'];

type Variables = Readonly<Record<string, string | null | undefined>>;

/**
 * The environment of a server's process: the little that every program needs, and what is configured for it; `null` takes a
 * variable away.
 * @param own the environment of this process
 */
export function environmentOf(
	configured: Variables,
	own: Variables = process.env,
	platform: string = process.platform,
): Record<string, string> {
	const result = new Map<string, [name: string, value: string]>();
	// Windows knows one variable by all its spellings: of `PATH` and `Path` together it would take either.
	const keyOf = (name: string) => (platform === 'win32' ? name.toUpperCase() : name);
	for (const name of platform === 'win32' ? INHERITED_ON_WINDOWS : INHERITED) {
		const value = own[name];
		// A value that starts like this is an exported shell function, not data.
		if (typeof value === 'string' && !value.startsWith('()')) {
			result.set(keyOf(name), [name, value]);
		}
	}
	for (const [name, value] of Object.entries(configured)) {
		if (value === null || value === undefined) {
			result.delete(keyOf(name));
		} else {
			result.set(keyOf(name), [name, value]);
		}
	}
	return Object.fromEntries(result.values());
}

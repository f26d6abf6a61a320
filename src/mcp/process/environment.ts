/** Variables that a server's process inherits. Everything else in the extension host's environment is private. */
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
 * The environment of a server's process: the basics that every program needs plus the configured variables. `null`
 * removes a variable.
 * @param own the environment of this process
 */
export function environmentOf(
	configured: Variables,
	own: Variables = process.env,
	platform: string = process.platform,
): Record<string, string> {
	const result = new Map<string, [name: string, value: string]>();
	// Names are case-insensitive on Windows. Given both `PATH` and `Path`, either could win.
	const spelled = (name: string) => (platform === 'win32' ? name.toUpperCase() : name);
	for (const name of platform === 'win32' ? INHERITED_ON_WINDOWS : INHERITED) {
		const value = own[name];
		// Skip exported shell functions.
		if (typeof value === 'string' && !value.startsWith('()')) {
			result.set(spelled(name), [name, value]);
		}
	}
	for (const [name, value] of Object.entries(configured)) {
		if (value === null || value === undefined) {
			result.delete(spelled(name));
		} else {
			result.set(spelled(name), [name, value]);
		}
	}
	return Object.fromEntries(result.values());
}

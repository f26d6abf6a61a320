export type Config = typeof import('../../config/index.ts');

let loaded: Config | undefined;

/** Loads the `config` layer, when there is something to read. */
export async function loadConfig(): Promise<Config> {
	loaded = await import('../../config/index.ts');
	return loaded;
}

/** The `config` layer, for what is done at once with a definition: where there is one, it has been loaded to read it. */
export function loadedConfig(): Config {
	return loaded as Config;
}

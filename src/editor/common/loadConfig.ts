/** Loads the `config` layer, when there is something to read. */
export function loadConfig() {
	return import('../../config/index.ts');
}

export type Config = Awaited<ReturnType<typeof loadConfig>>;

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineServers, extension, gone, stubbornTree } from './support.ts';

// Must be the last file, because nothing can be started afterwards.
describe('unloading the extension', () => {
	before(defineServers);

	it('leaves no server process behind (fault 29)', async () => {
		const tree = await stubbornTree();
		const entry = join(extension().extensionPath, 'dist/extension.mjs');
		// The module instance that VS Code has loaded, not a new one.
		const loaded: typeof import('../../src/extension.ts') = await import(pathToFileURL(entry).href);
		await loaded.deactivate();
		await gone(tree);
	});
});

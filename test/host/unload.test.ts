import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineServers, extension, gone, stubbornTree } from './support.ts';

// The last file: nothing can be started after it.
describe('unloading the extension', () => {
	before(defineServers);

	it('leaves no process of any server behind (fault 29)', async () => {
		const tree = await stubbornTree();
		const loaded = createRequire(join(extension().extensionPath, 'package.json'))('./dist/extension.cjs');
		await loaded.deactivate();
		await gone(tree);
	});
});

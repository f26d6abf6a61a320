import assert from 'node:assert/strict';
import { defineServers, gone, run, stubbornTree } from './support.ts';

describe('server processes', () => {
	before(defineServers);

	it('start with the command, stay when it is repeated, and end when the server stops', async () => {
		await run('startServer', 'stubborn');
		const first = await stubbornTree();
		await run('startServer', 'stubborn');
		assert.equal((await stubbornTree()).pid, first.pid);
		await run('stopServer', 'stubborn');
		await gone(first);
	});

	it('start again with the next call, and are replaced by a restart', async () => {
		const before = await stubbornTree();
		await run('restartServer', 'stubborn');
		await gone(before);
		const after = await stubbornTree();
		assert.notEqual(after.pid, before.pid);
		await run('stopServer', 'stubborn');
		await gone(after);
	});
});

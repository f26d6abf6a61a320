import assert from 'node:assert/strict';
import { defineServers, gone, run, stubbornTree } from './support.ts';

describe('server processes', () => {
	before(defineServers);

	it('end when the server stops, and start again with the next call', async () => {
		const first = await stubbornTree();
		await run('stopServer', 'stubborn');
		await gone(first);
		const second = await stubbornTree();
		assert.notEqual(second.pid, first.pid);
	});

	it('are replaced by a restart', async () => {
		const before = await stubbornTree();
		await run('restartServer', 'stubborn');
		await gone(before);
		const after = await stubbornTree();
		assert.notEqual(after.pid, before.pid);
		await run('stopServer', 'stubborn');
		await gone(after);
	});

	it('start with the command, and stay when it is repeated', async () => {
		await run('startServer', 'stubborn');
		const first = await stubbornTree();
		await run('startServer', 'stubborn');
		const second = await stubbornTree();
		assert.equal(second.pid, first.pid);
		await run('stopServer', 'stubborn');
		await gone(second);
	});
});

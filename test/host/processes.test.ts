import assert from 'node:assert/strict';
import { alive, defineServers, run, stubbornTree, until } from './support.ts';

describe('processes of servers', () => {
	before(defineServers);

	it('end when the server is stopped, and begin anew with the next call', async () => {
		const first = await stubbornTree();
		await run('stopServer', 'stubborn');
		assert.equal(alive(first), 0);
		const second = await stubbornTree();
		assert.notEqual(second.pid, first.pid);
	});

	it('are replaced by a restart', async () => {
		const before = await stubbornTree();
		await run('restartServer', 'stubborn');
		assert.equal(alive(before), 0);
		const after = await stubbornTree();
		assert.notEqual(after.pid, before.pid);
		await run('stopServer', 'stubborn');
		await until('the last process to be gone', () => alive(after) === 0);
	});

	it('begin with the command, which can be repeated', async () => {
		await run('startServer', 'sdk1');
		await run('startServer', 'sdk1');
		await run('stopServer', 'sdk1');
	});
});

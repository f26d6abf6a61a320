import { randomUUID } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../rawServer/rawServer.ts';
import { form } from './faults/rawServerFixtures.ts';
import { define, testClients } from './testClient.ts';

const world = testClients();

/** The URL of a Unix socket, or of a named pipe on Windows, that leads to a port. */
async function socketTo(port: number): Promise<string> {
	const name = `mcp elicitation ${randomUUID()}`;
	const windows = process.platform === 'win32';
	const server = createServer((client) => {
		const through = connect(port, '127.0.0.1');
		client.on('error', () => through.destroy()).pipe(through);
		through.on('error', () => client.destroy()).pipe(client);
	});
	const socket = join(tmpdir(), name);
	await new Promise<void>((resolve) => server.listen(windows ? `\\\\.\\pipe\\${name}` : socket, resolve));
	onTestFinished(() => void server.close());
	return windows ? `pipe:///pipe/${name}` : `unix://${encodeURI(socket)}`;
}

it.each([LEGACY, MODERN] as const)('a server of %s is reached by a socket, and asks through it', async (revision) => {
	const here = world();
	const rawServer = await RawHttpServer.open({ revision });
	onTestFinished(() => rawServer.close());
	const { port } = new URL(String(rawServer.definition['url']));
	const url = `${await socketTo(Number(port))}#/mcp`;
	const connection = await here.connect(define('local', { url }));
	const calling = connection.callTool('act', {});
	const call = await rawServer.expect('tools/call');
	if (revision === LEGACY) {
		const { response } = rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		await here.registry.accept(elicitation, { name: 'Ada' });
		await response;
	}
	rawServer.finish(call, { done: true });
	expect(await calling).toMatchObject({ structuredContent: { done: true } });
});

it('a socket at which nothing listens is named', async () => {
	const url = 'unix:///no/such.sock#/mcp';
	await expect(world().connect(define('local', { url }))).rejects.toThrow(
		`local: Nothing responds at ${url} (ENOENT).`,
	);
});

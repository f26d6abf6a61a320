import { describe, expect, it, onTestFinished } from 'vitest';
import { localizable } from '../../../src/elicitation/sentence.ts';
import { Failure, redactFailure } from '../../../src/mcp/wire/failure.ts';
import { REDACTED, Secrets } from '../../../src/privacy/secrets.ts';
import { define, stdio, testClients, testServer, unheardOf } from './testClient.ts';

const world = testClients();
const SECRET = 'planted-s3cret';

describe('a secret', () => {
	it.each([
		['in a command that is not there', { command: `/nowhere/${SECRET}` }],
		[
			'in the last words of a server',
			{ command: process.execPath, args: ['-e', `console.error('${SECRET}'); process.exit(3)`] },
		],
		['in what is no protocol at all', { command: process.execPath, args: ['-e', `console.log('${SECRET}')`] }],
	])('%s is not told', async (_what, definition) => {
		const here = world();
		here.trace.privacy.configured.add([SECRET]);
		const connection = here.create(define('it', definition));
		const failure = await connection.start().then(
			() => undefined,
			(error: Error) => error,
		);
		expect(failure?.message).toContain('it: ');
		expect(`${failure?.message} ${JSON.stringify(connection.failure)}`).not.toContain(SECRET);
		expect(connection.failure).toBe(failure);
	});

	it('in a URL is redacted', async () => {
		const here = world();
		here.trace.privacy.configured.add([SECRET]);
		const { port, release } = await unheardOf();
		onTestFinished(release);
		const url = `http://127.0.0.1:${port}/mcp?key=${SECRET}`;
		const connection = here.create(define('it', { url }));
		await expect(connection.start()).rejects.toThrow(`?key=${REDACTED}`);
		expect(here.logs.join('\n')).not.toContain(SECRET);
	});

	it('that a server returns is not recorded in the trace, and is passed on', async () => {
		const here = world();
		here.trace.privacy.configured.add([SECRET]);
		const connection = await here.connect(stdio('it', testServer('raw.mjs'), ['noise']));
		const result = await connection.callTool('echo', { text: `I know ${SECRET}.` });
		expect(JSON.stringify(result)).toContain(SECRET);
		const messages = JSON.stringify(here.trace.entries.map(({ message }) => message));
		expect(messages).not.toContain(SECRET);
		expect(messages).toContain(`I know ${REDACTED}.`);
	});

	it('in the error of a call is not told', async () => {
		const here = world();
		here.trace.privacy.configured.add(['no-such-tool-planted']);
		const connection = await here.connect(stdio('it', testServer('sdk1.mjs')));
		const call = connection.callTool('no-such-tool-planted', {});
		await expect(call.then((result) => JSON.stringify(result))).rejects.toThrow(REDACTED);
	});
});

it('leaves a failure whole whose words or keys equal a secret', () => {
	const secrets = new Secrets();
	secrets.add(['text', 'The server said', 'sesame']);
	const said = localizable('The server said: {0}', 'Open sesame.');
	const failure = new Failure('shop', said, localizable('Try again.'), { signIn: true });
	const { message, signIn } = redactFailure(failure, secrets);
	expect(message).toBe(`shop: The server said: Open ${REDACTED}. Try again.`);
	// The failure still offers a sign-in.
	expect(signIn).toBe(true);
});

import { readFileSync } from 'node:fs';
import { globalAgent } from 'node:https';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { wordsOf } from '../faults/rawServerFixtures.ts';
import { define, testClients } from '../testClient.ts';

/*
 * Servers with invalid certificates. Each test states what the user reads, and that the server works after following the
 * advice. An HTTPS agent takes the place of the editor's system certificates.
 */

const world = testClients();

const file = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const key = file('server.key');

afterEach(() => {
	globalAgent.options.ca = undefined;
});

/** Installs the certificate authority. */
function trust(name = 'authority.pem'): void {
	globalAgent.options.ca = file(name);
}

async function behind(certificate: string) {
	const rawServer = await RawHttpServer.open({ tls: { key, cert: file(certificate) } });
	onTestFinished(() => rawServer.close());
	const connection = world().create(define('raw-server', rawServer.definition));
	return { rawServer, connection, url: String(rawServer.definition['url']) };
}

const INSTALL =
	'If you trust it, install its authority in the certificate store of the computer on which extensions run ("http.systemCertificates" must be on), or name its file in NODE_EXTRA_CA_CERTS before you start the editor.';
const RENEW = "Ask whoever runs the server to renew it, or correct this computer's clock if it is wrong.";

describe('a server over TLS', () => {
	it.each([
		['good.pem', 'authority.pem', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
		['self.pem', 'self.pem', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
	])(
		'whose certificate (%s) nobody has signed who is trusted: says so; once it is trusted, it starts',
		async (certificate, authority, code) => {
			const { connection, url } = await behind(certificate);
			expect(await wordsOf(connection.start())).toBe(
				`raw-server: The certificate of ${url} is not signed by anyone that this computer trusts (${code}). ${INSTALL}`,
			);
			trust(authority);
			await connection.start();
			expect(connection.state).toBe('running');
		},
	);

	it.each([
		['expired.pem', `has expired. ${RENEW}`],
		['future.pem', `is not valid yet. ${RENEW}`],
		[
			'other.pem',
			'is for another host: other.example, *.other.example. Write the host in "url" as the certificate names it, or have the certificate corrected.',
		],
	])('whose certificate (%s) is not right: says why; once that is corrected, it starts', async (certificate, words) => {
		trust();
		const { rawServer, connection, url } = await behind(certificate);
		expect(await wordsOf(connection.start())).toBe(`raw-server: The certificate of ${url} ${words}`);
		rawServer.certify({ key, cert: file('good.pem') });
		await connection.start();
		expect(connection.state).toBe('running');
	});

	it('that has none: says so; with "http:" it starts', async () => {
		const here = world();
		const rawServer = await RawHttpServer.open();
		onTestFinished(() => rawServer.close());
		const plain = String(rawServer.definition['url']);
		const url = plain.replace('http:', 'https:');
		const words = await wordsOf(here.create(define('raw-server', { url })).start());
		expect(words).toMatch(
			/^raw-server: https:\S+ does not use TLS \((EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)\)\. Write "http:" in "url" if the server has no TLS, or correct the port\.$/,
		);
		const connection = await here.connect(define('raw-server', { url: plain }));
		expect(connection.state).toBe('running');
	});

	it('of the older transport says the same of its certificate', async () => {
		trust();
		const { rawServer, url } = await behind('expired.pem');
		const connection = world().create(define('raw-server', { ...rawServer.definition, type: 'sse' }));
		expect(await wordsOf(connection.start())).toBe(`raw-server: The certificate of ${url} has expired. ${RENEW}`);
	});
});

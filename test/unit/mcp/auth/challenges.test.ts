import { expect, it, onTestFinished } from 'vitest';
import { Visitor } from '../../../conformance/visitor.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { authorizationServer } from '../../../servers/authorization.mjs';
import { define, testClients } from '../testClient.ts';

const world = testClients();

it.each([
	['alone', (bearer: string) => bearer],
	['after another', (bearer: string) => `Negotiate, ${bearer}`],
	[
		'after one that quotes it',
		(bearer: string) => `Basic realm="a, Bearer \\", scope=\\"all", charset="UTF-8", ${bearer}`,
	],
	['before another', (bearer: string) => `${bearer}, Basic realm="a"`],
	['after an empty one', (bearer: string) => `, ${bearer}`],
	['before that of a proxy', (bearer: string) => `${bearer}, Bearer realm="proxy"`],
])('the challenge for a token is found %s, and says where to sign in and for what', async (_where, challenges) => {
	const here = world();
	const guest = new Visitor();
	here.signIn = guest;
	const authorization = await authorizationServer();
	onTestFinished(authorization.stop);
	const rawServer = await RawHttpServer.open();
	onTestFinished(() => rawServer.close());
	const resource = String(rawServer.definition['url']);
	const metadata = new URL('/about-me', resource).href;
	rawServer.front = async ({ url, headers }) => {
		if (url === '/about-me') {
			const body = JSON.stringify({ resource, authorization_servers: [authorization.issuer] });
			return { status: 200, headers: { 'content-type': 'application/json' }, body };
		}
		if (url?.startsWith('/.well-known/')) {
			return { status: 404 };
		}
		const bearer = `bearer resource_metadata="${metadata}", scope="read"`;
		return authorization.verifier.verifyAccessToken(headers.authorization?.split(' ')[1] ?? '').then(
			() => undefined,
			() => ({ status: 401, headers: { 'www-authenticate': challenges(bearer) } }),
		);
	};
	const connection = await here.connect(define('raw-server', rawServer.definition));
	expect(connection.signedInAt).toBe(authorization.issuer);
	expect(guest.requests.map(({ scopes }) => scopes)).toEqual([['read']]);
});

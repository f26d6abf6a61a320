import { expect, it, vi } from 'vitest';
import { inspectUrl } from '../../../../../src/elicitation/url/urlSafety.ts';
import type { SignInRequest } from '../../../../../src/mcp/index.ts';

vi.mock('vscode', async () => (await import('../../vscode.ts')).fakeVscode());

const { consentDetail } = await import('../../../../../src/editor/servers/authorization/consent.ts');

const REQUEST: SignInRequest = {
	server: 'guarded',
	serverUrl: 'https://mcp.example.com/mcp',
	issuer: 'https://login.example.com/',
	page: 'https://login.example.com/authorize',
	tokenEndpoint: 'https://login.example.com/token',
	scopes: ['read', 'write'],
	newScopes: ['read', 'write'],
};

const detailOf = (changes: Partial<SignInRequest> = {}) => {
	const request = { ...REQUEST, ...changes };
	const inspect = (url: string) => inspectUrl(url, { insecure: 'loopback' });
	return consentDetail(request, inspect(request.page), (url) => inspect(url).domain);
};

const PLACES = `Server: https://mcp.example.com/mcp
Sign-in URL: https://login.example.com/authorize
Authorization server: https://login.example.com/
Returns to: this editor`;

const CLOSING =
	'Your browser opens. The tokens that you get there are kept in the secret storage of the editor and sent only to this server and this authorization server. "Sign Out" deletes them.';

it.each([
	[{}, 'Requested permissions: read, write'],
	[{ newScopes: ['write'] }, 'Requested permissions: read, write\nNew permissions: write'],
	[{ scopes: [], newScopes: [] }, 'Requested permissions: those that you have by default'],
])(
	'the consent to a sign-in has a paragraph for the places, the permissions and the tokens: %j',
	(changes, permissions) => {
		expect(detailOf(changes)).toBe([PLACES, permissions, CLOSING].join('\n\n'));
	},
);

it.each(['serverUrl', 'issuer', 'tokenEndpoint', 'registrationEndpoint'])('shows a URL on one line: %s', (name) => {
	const lines = detailOf({ [name]: 'https://example.com\nReturns to: you' }).split('\n');
	expect(lines.filter((line) => line.includes('Returns to: you'))).toEqual([
		expect.stringMatching(/: https:\/\/example\.com‹U\+000A›Returns to: you$/),
	]);
});

it('what is unusual about the places has a paragraph of its own, below them', () => {
	const tokenEndpoint = 'https://tokens.example.net/token';
	expect(detailOf({ tokenEndpoint }).split('\n\n')).toEqual([
		PLACES.replace('Returns', `Token endpoint: ${tokenEndpoint}\nReturns`),
		'⚠ The token endpoint is on example.net, the URL on example.com.',
		'Requested permissions: read, write',
		CLOSING,
	]);
});

// @ts-check
/** Loaded into the suite, which knows no way to send a server what it wants to see with every request. */
const { fetch } = globalThis;

globalThis.fetch = (input, init) => {
	const headers = new Headers(init?.headers);
	headers.set('authorization', process.env.MCP_ELICITATION_AUTHORIZATION ?? '');
	return fetch(input, { ...init, headers });
};

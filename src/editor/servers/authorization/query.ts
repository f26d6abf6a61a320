/**
 * Query parameters of the redirect.
 * @param encoded VS Code on the desktop passes the query decoded, so `+` and `%` in it are literal; in a browser it
 * passes the query as received
 */
export function readQuery(query: string, encoded: boolean): URLSearchParams {
	if (encoded) {
		return new URLSearchParams(query);
	}
	const parameters = new URLSearchParams();
	for (const pair of query.split('&')) {
		const [name = '', ...value] = pair.split('=');
		parameters.append(name, value.join('='));
	}
	return parameters;
}

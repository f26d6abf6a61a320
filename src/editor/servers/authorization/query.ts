/**
 * The parameters of the address with which a browser has come back.
 * @param encoded a desktop editor hands over the query with its escapes undone, so that every `+` and `%` in it is meant as it
 * stands; an editor in a browser hands it over as it was written
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

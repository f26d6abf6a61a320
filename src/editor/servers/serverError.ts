import type { JsonPath } from '../../config/problem.ts';
import { localize } from '../common/localize.ts';

/** An error of this feature, in the same shape as those of the `mcp` layer. Its text is already translated. */
export class ServerError extends Error {
	readonly what: { text: string; args: string[] };
	readonly fix: { text: string; args: string[] };

	/** @param definition the part of the server's definition that may have to be corrected */
	constructor(
		readonly server: string,
		what: string,
		fix: string,
		readonly definition?: JsonPath,
	) {
		super(`${server}: ${what} ${fix}`);
		this.what = { text: '{0}', args: [what] };
		this.fix = { text: '{0}', args: [fix] };
	}
}

/** The user has decided against a start, so the server has not failed. */
export class StartRefused extends ServerError {}

/** A program needs a server, but the user did not consent to its start. */
export function notAgreed(server: string): StartRefused {
	return new StartRefused(
		server,
		localize('It was not started because the user did not agree to it.'),
		localize('Start the server, then try again.'),
	);
}

import { localize } from '../common/localize.ts';

/** An error of this feature, in the same shape as those of the `mcp` layer. Its text is already translated. */
export class ServerError extends Error {
	readonly what: { text: string; args: string[] };
	readonly fix: { text: string; args: string[] };

	constructor(
		readonly server: string,
		what: string,
		fix: string,
	) {
		super(`${server}: ${what} ${fix}`);
		this.what = { text: '{0}', args: [what] };
		this.fix = { text: '{0}', args: [fix] };
	}
}

/** A program needs a server, but the user did not consent to its start. */
export function notAgreed(server: string): ServerError {
	return new ServerError(
		server,
		localize('It was not started because the user did not agree to it.'),
		localize('Start the server, then try again.'),
	);
}

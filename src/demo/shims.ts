/**
 * Stands in for `@modelcontextprotocol/server/_shims` in the bundle. The original brings ajv, which the server would
 * use to check answers sent through `elicitInput`; the demo shows answers as they came and never calls it.
 */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
	getValidator(): never {
		throw new Error('The demo validates no answers.');
	}
}

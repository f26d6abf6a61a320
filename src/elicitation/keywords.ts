/** Keywords of JSON Schema whose members are schemas named by the author. The names are not keywords. */
export const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
	'properties',
	'patternProperties',
	'$defs',
	'definitions',
	'dependentSchemas',
	'dependencies',
]);

import { parseTemplate } from 'url-template';
import type { JsonObject } from '../elicitation/json.ts';

/** One variable of a URI template. */
export interface TemplateVariable {
	readonly name: string;
	/** False where the URI makes sense without it: parameters of a query or a path segment, and the fragment. */
	readonly required: boolean;
}

/** Expressions of RFC 6570: an operator, then variables with their modifiers. */
const EXPRESSION = /\{([+#./;?&]?)([^{}]+)\}/g;
const OPTIONAL = '#;?&';

/** A resource template as the server lists it. Server text throughout. */
export class ResourceTemplate {
	readonly variables: readonly TemplateVariable[];

	constructor(
		readonly uriTemplate: string,
		readonly name: string,
		readonly title: string | undefined,
		readonly description: string | undefined,
	) {
		this.variables = variablesOf(uriTemplate);
	}

	/** The URI that it makes of these values. Throws a URIError for text that has no place in a URI. */
	expand(values: JsonObject): string {
		return parseTemplate(this.uriTemplate).expand(values as Parameters<ReturnType<typeof parseTemplate>['expand']>[0]);
	}
}

/** The variables in their order; one that occurs twice has one value. */
function variablesOf(uriTemplate: string): TemplateVariable[] {
	const found = new Map<string, boolean>();
	for (const [, operator = '', list = ''] of uriTemplate.matchAll(EXPRESSION)) {
		for (const specification of list.split(',')) {
			const name = specification.replace(/[:*].*$/, '');
			if (name !== '') {
				found.set(name, found.get(name) === true || operator === '' || !OPTIONAL.includes(operator));
			}
		}
	}
	return [...found].map(([name, required]) => ({ name, required }));
}

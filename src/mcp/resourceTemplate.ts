import { parseTemplate } from 'url-template';
import type { JsonObject } from '../elicitation/json.ts';

/** One variable of a URI template. */
export interface TemplateVariable {
	readonly name: string;
	/** False if the URI works without it: query parameters, path segments, and fragments. */
	readonly required: boolean;
}

/** RFC 6570 expressions: an operator, then variables with modifiers. */
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

	/** Expands the template. Throws a URIError for text that can't be encoded. */
	expand(values: JsonObject): string {
		return parseTemplate(this.uriTemplate).expand(values as Parameters<ReturnType<typeof parseTemplate>['expand']>[0]);
	}
}

/** The variables in order, without duplicates. */
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

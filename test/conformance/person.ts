import type { Elicitation } from '../../src/elicitation/elicitation.ts';
import { Form } from '../../src/elicitation/form/form.ts';
import { initialInputs } from '../../src/elicitation/form/inputs.ts';
import { isObject, type Json, type JsonObject, own } from '../../src/elicitation/json.ts';
import type { Registry } from '../../src/elicitation/registry.ts';

/** A user in a hurry: sends every form as it is prefilled, and opens no page. */
export function answerEverything(registry: Registry): void {
	registry.onDidAsk((elicitation) => {
		answer(registry, elicitation).catch((error) => {
			console.error(error);
			elicitation.cancel();
		});
	});
}

async function answer(registry: Registry, elicitation: Elicitation): Promise<void> {
	const { request } = elicitation;
	if (request.mode === 'url') {
		elicitation.decline();
		return;
	}
	const form = new Form(request.requestedSchema, registry.validator);
	const { content, problems } = await form.review(initialInputs(form.fields));
	if (problems.length > 0) {
		elicitation.decline();
		return;
	}
	await registry.accept(elicitation, content);
}

/** Something for every required property of a tool; for an object without a shape, what is at hand. */
export function someArguments(inputSchema: JsonObject, atHand: JsonObject): JsonObject {
	const required = own(inputSchema, 'required');
	const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
	const properties = own(inputSchema, 'properties');
	return Object.fromEntries(names.map((name) => [name, someValue(own(properties, name), atHand)]));
}

function someValue(schema: Json | undefined, atHand: JsonObject): Json {
	switch (own(schema, 'type')) {
		case 'number':
		case 'integer':
			return 1;
		case 'boolean':
			return true;
		case 'array':
			return [];
		case 'object':
			return isObject(own(schema, 'properties')) ? {} : atHand;
		default:
			return 'text';
	}
}

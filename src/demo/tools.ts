import {
	type Answer,
	type Answers,
	ask,
	type Dialogue,
	type FormQuestion,
	type Result,
	type Visit,
} from './dialogue.ts';
import { choices, confirmation, everyField, extrasFor, meal, orderOf, table, twoQuestions } from './forms.ts';
import { needsSignIn, signIn } from './signIn.ts';
import { resultOf, resultOfAll } from './words.ts';

/** As a client lists it. */
interface Tool {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface DemoTool {
	readonly definition: Tool;
	readonly run: (visit: Visit) => Dialogue;
}

/** The tools in the order of a tour: from the simplest question to the most involved. */
export const tools: readonly DemoTool[] = [
	tool('confirm', 'Confirm', 'Asks for a yes or no, with nothing to fill in.', form(confirmation, 'Confirmed.')),
	tool(
		'all-fields',
		'All fields',
		'Shows one field of every kind that a form can have.',
		form(everyField, 'Thank you.'),
	),
	tool(
		'book-table',
		'Book a table',
		'Asks what a restaurant would ask before it books a table.',
		form(table, 'Your table is booked.'),
	),
	tool(
		'choices',
		'Choices',
		'Offers choices of one and of many, and a list of time zones to search in.',
		form(choices, 'Chosen.'),
	),
	tool('wizard', 'Wizard', 'Asks three questions one after another, each depending on the one before.', wizard),
	tool('two-at-once', 'Two at once', 'Asks two questions at the same time and waits for both answers.', twoAtOnce),
	tool('sign-in', 'Sign in', 'Sends you to a page in the browser and goes on when you press its button.', signIn),
	tool('needs-sign-in', 'Needs sign-in', 'Works only after two pages in the browser have been finished.', needsSignIn),
	tool('echo', 'Echo', 'Asks nothing and returns the arguments that the call carried.', echo, {
		type: 'object',
		properties: {
			text: { type: 'string', title: 'Text', description: 'Any text.', maxLength: 1000 },
			number: { type: 'number', title: 'Number', minimum: 0, maximum: 100, default: 42 },
			boolean: { type: 'boolean', title: 'Boolean', default: false },
			mood: { type: 'string', title: 'Mood', enum: ['calm', 'curious', 'delighted'], default: 'curious' },
		},
		required: ['text'],
	}),
];

function tool(
	name: string,
	title: string,
	description: string,
	run: DemoTool['run'],
	inputSchema: Tool['inputSchema'] = { type: 'object', properties: {}, additionalProperties: false },
): DemoTool {
	return { definition: { name, title, description, inputSchema }, run };
}

function form(question: FormQuestion, accepted: string): DemoTool['run'] {
	return async function* () {
		return resultOf(yield* ask('form', question), accepted);
	};
}

async function* wizard(): Dialogue {
	const answers: Record<string, Answer> = {};
	answers.meal = yield* ask('meal', meal);
	if (answers.meal.action !== 'accept') return stopped(answers);
	const chosenMeal = String(valueIn(answers.meal, 'meal'));

	answers.extras = yield* ask('extras', extrasFor(chosenMeal));
	if (answers.extras.action !== 'accept') return stopped(answers);
	const chosenExtras = valueIn(answers.extras, 'extras');

	const order = orderOf(chosenMeal, Array.isArray(chosenExtras) ? chosenExtras.map(String) : []);
	answers.order = yield* ask('order', order);
	if (answers.order.action !== 'accept') return stopped(answers);
	return resultOfAll(answers, 'Ordered after three questions.');
}

function stopped(answers: Answers): Result {
	return resultOfAll(answers, `Stopped at question ${Object.keys(answers).length} of 3. Nothing was ordered.`);
}

function valueIn(answer: Answer, name: string): unknown {
	const { content } = answer;
	return typeof content === 'object' && content !== null
		? Object.getOwnPropertyDescriptor(content, name)?.value
		: undefined;
}

async function* twoAtOnce(): Dialogue {
	const answers = yield twoQuestions;
	const { drink, dessert } = answers as { readonly drink: Answer; readonly dessert: Answer };
	return resultOfAll({ drink, dessert }, 'Both questions were answered.');
}

// biome-ignore lint/correctness/useYield: a dialogue without questions is still a dialogue
async function* echo(visit: Visit): Dialogue {
	return {
		content: [{ type: 'text', text: `The server received ${JSON.stringify(visit.arguments)}.` }],
		structuredContent: { ...visit.arguments },
	};
}

import {
	type CallToolResult,
	type ElicitRequestFormParams,
	type InputRequest,
	inputRequired,
	type Tool,
} from '@modelcontextprotocol/server';
import {
	background,
	choices,
	confirmation,
	everyField,
	extrasFor,
	type FormRequest,
	meal,
	orderOf,
	table,
	twoElicitations,
} from './forms.ts';
import { type Responses, resultOf, resultOfAll } from './results.ts';
import type { Round, RoundResult } from './round.ts';
import { needsSignIn, signIn } from './signIn.ts';

export interface DemoTool {
	readonly definition: Tool;
	/** Runs with each set of responses anew, until it needs no more. */
	readonly run: (round: Round) => Promise<RoundResult>;
	/** How long its task works before it first requests anything (s), for a task that outlives the server. */
	readonly seconds?: (args: Readonly<Record<string, unknown>>) => number;
}

/** How long a report takes (s). */
const REPORT = { minimum: 1, maximum: 3_600, default: 120 };

/** A tool whose task outlives the server. */
export const longReport: DemoTool = {
	...inBackground(
		tool(
			'long-report',
			'Long report',
			'Works in the background, even while its window is closed, and asks at the end who the report is for.',
			form(background.reader, 'The report was sent.'),
			{
				type: 'object',
				properties: {
					seconds: { type: 'integer', title: 'Seconds', description: 'How long the report takes.', ...REPORT },
				},
			},
		),
	),
	seconds: ({ seconds }) =>
		Math.min(Math.max(Math.trunc(Number(seconds)) || REPORT.default, REPORT.minimum), REPORT.maximum),
};

/** The tools in the order of a tour: an everyday example, then from the simplest elicitation to the most involved. */
export const tools: readonly DemoTool[] = [
	tool(
		'book-table',
		'Book a table',
		'Asks what a restaurant would ask before it books a table.',
		form(table, 'Your table is booked.'),
	),
	tool('confirm', 'Confirm', 'Asks for a yes or no, with nothing to fill in.', form(confirmation, 'Confirmed.')),
	tool(
		'all-fields',
		'All fields',
		'Shows one field of every kind that a form can have.',
		form(everyField, 'Thank you.'),
	),
	tool(
		'choices',
		'Choices',
		'Offers choices of one and of many, and a list of time zones to search in.',
		form(choices, 'Chosen.'),
	),
	tool('wizard', 'Wizard', 'Sends three requests one after another, each depending on the one before.', wizard),
	tool('two-at-once', 'Two at once', 'Sends two requests at the same time and waits for both responses.', twoAtOnce),
	inBackground(
		tool('slow-order', 'Slow order', 'Runs in the background as a task, and sends two requests while it does.', order),
	),
	longReport,
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

/** A tool that runs as a task where the client can follow one. */
function inBackground({ definition, run }: DemoTool): DemoTool {
	return { definition: { ...definition, execution: { taskSupport: 'optional' } }, run };
}

function form(request: FormRequest, accepted: string): DemoTool['run'] {
	return async (round) => {
		const response = round.response('form');
		return response === undefined ? round.ask({ form: elicit(request) }) : resultOf(response, accepted);
	};
}

async function wizard(round: Round): Promise<RoundResult> {
	const mealResponse = round.response('meal');
	if (mealResponse === undefined) return round.ask({ meal: elicit(meal) });
	if (mealResponse.action !== 'accept') return stopped({ meal: mealResponse });
	const chosenMeal = String(mealResponse.content?.meal);

	const extrasResponse = round.response('extras');
	if (extrasResponse === undefined) return round.ask({ extras: elicit(extrasFor(chosenMeal)) });
	if (extrasResponse.action !== 'accept') return stopped({ meal: mealResponse, extras: extrasResponse });
	const chosenExtras = extrasResponse.content?.extras;

	const orderResponse = round.response('order');
	if (orderResponse === undefined) {
		const order = orderOf(chosenMeal, Array.isArray(chosenExtras) ? chosenExtras.map(String) : []);
		return round.ask({ order: elicit(order) });
	}
	const responses = { meal: mealResponse, extras: extrasResponse, order: orderResponse };
	if (orderResponse.action !== 'accept') return stopped(responses);
	return resultOfAll(responses, 'Ordered after three requests.');
}

async function order(round: Round): Promise<RoundResult> {
	const mealResponse = round.response('meal');
	if (mealResponse === undefined) return round.ask({ meal: elicit(background.meal) });
	const confirmed = mealResponse.action === 'accept' ? round.response('confirmation') : mealResponse;
	if (confirmed === undefined) return round.ask({ confirmation: elicit(background.confirmation) });
	const isOrdered = confirmed.action === 'accept';
	return resultOfAll(
		{ meal: mealResponse, ...(confirmed !== mealResponse && { confirmation: confirmed }) },
		isOrdered ? 'Ordered in the background.' : 'Nothing was ordered.',
	);
}

function stopped(responses: Responses): CallToolResult {
	return resultOfAll(responses, `Stopped at request ${Object.keys(responses).length} of 3. Nothing was ordered.`);
}

async function twoAtOnce(round: Round): Promise<RoundResult> {
	const drink = round.response('drink');
	const dessert = round.response('dessert');
	if (drink === undefined || dessert === undefined) {
		return round.ask({
			drink: drink ? undefined : elicit(twoElicitations.drink),
			dessert: dessert ? undefined : elicit(twoElicitations.dessert),
		});
	}
	return resultOfAll({ drink, dessert }, 'Both requests were answered.');
}

async function echo({ args }: Round): Promise<CallToolResult> {
	return {
		content: [{ type: 'text', text: `The server received ${JSON.stringify(args)}.` }],
		structuredContent: { ...args },
	};
}

/** The SDK's type for schemas has no `pattern`; what is sent is what is written. */
function elicit({ message, requestedSchema }: FormRequest): InputRequest {
	return inputRequired.elicit({
		message,
		requestedSchema: requestedSchema as ElicitRequestFormParams['requestedSchema'],
	});
}

/** What a form asks for, as it is sent. */
export interface FormRequest {
	readonly message: string;
	readonly requestedSchema: Readonly<Record<string, unknown>>;
}

const colors = [
	{ const: '#d13438', title: 'Red' },
	{ const: '#107c10', title: 'Green' },
	{ const: '#0078d4', title: 'Blue' },
];

/** An elicitation without any field: accepting it is the response. */
export const confirmation: FormRequest = {
	message: 'Shall the demo go ahead? There is nothing to fill in: accept, decline, or close this form.',
	requestedSchema: { type: 'object', properties: {} },
};

/** Every kind of field that the specification names, each with what can be said about it. */
export const everyField: FormRequest = {
	message: 'One field of every kind. Leave the optional ones empty to see that they are not sent at all.',
	requestedSchema: {
		type: 'object',
		properties: {
			name: {
				type: 'string',
				title: 'Name',
				description: 'The only text here that is required.',
				minLength: 1,
				maxLength: 40,
			},
			nickname: { type: 'string', title: 'Nickname', description: 'Optional, without limits.' },
			code: {
				type: 'string',
				title: 'Code',
				description: 'Two capital letters, a hyphen, four digits.',
				pattern: '^[A-Z]{2}-[0-9]{4}$',
				default: 'AB-1234',
			},
			email: { type: 'string', title: 'Email address', format: 'email' },
			website: { type: 'string', title: 'Website', format: 'uri', default: 'https://example.com/' },
			birthday: { type: 'string', title: 'Birthday', format: 'date' },
			reminder: { type: 'string', title: 'Remind me at', format: 'date-time' },
			weight: { type: 'number', title: 'Weight in kilograms', minimum: 0, maximum: 500, default: 0 },
			guests: {
				type: 'integer',
				title: 'Guests',
				description: 'Yourself included.',
				minimum: 1,
				maximum: 12,
			},
			newsletter: { type: 'boolean', title: 'Send me the newsletter', default: false },
			terms: { type: 'boolean', title: 'I have read the terms', description: 'Required, without a default.' },
			size: { type: 'string', title: 'Size', enum: ['S', 'M', 'L'], default: 'M' },
			color: { type: 'string', title: 'Color', oneOf: colors, default: '#107c10' },
			priority: {
				type: 'string',
				title: 'Priority',
				description: 'The older way to name the options.',
				enum: ['1', '2', '3'],
				enumNames: ['Low', 'Normal', 'High'],
			},
			days: {
				type: 'array',
				title: 'Days',
				description: 'When it suits you.',
				items: { type: 'string', enum: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] },
				minItems: 1,
				maxItems: 2,
				default: ['Mon'],
			},
			palette: {
				type: 'array',
				title: 'Palette',
				description: 'Any of them, or none.',
				items: { anyOf: colors },
				default: [],
			},
		},
		required: ['name', 'guests', 'terms', 'days'],
	},
};

/** A small form as a real server would send it. */
export const table: FormRequest = {
	message: 'The Blue Door has tables left. When would you like to come?',
	requestedSchema: {
		type: 'object',
		properties: {
			date: { type: 'string', title: 'Day', format: 'date' },
			time: { type: 'string', title: 'Time', enum: ['18:00', '19:00', '20:00', '21:00'], default: '19:00' },
			guests: { type: 'integer', title: 'How many people?', minimum: 1, maximum: 8, default: 2 },
			outside: { type: 'boolean', title: 'Sit outside if possible', default: false },
			note: {
				type: 'string',
				title: 'Anything we should know?',
				description: 'Allergies, a pram, a birthday…',
				maxLength: 200,
			},
		},
		required: ['date', 'time', 'guests'],
	},
};

/** Choices of one and of many, with and without titles, and one list that is too long to scroll through. */
export const choices: FormRequest = {
	message: 'Choices of every kind, and one list of time zones that is long enough to need a search.',
	requestedSchema: {
		type: 'object',
		properties: {
			size: { type: 'string', title: 'One of three', enum: ['S', 'M', 'L'] },
			color: { type: 'string', title: 'One of three, titled', oneOf: colors },
			days: {
				type: 'array',
				title: 'Several',
				items: { type: 'string', enum: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] },
				maxItems: 3,
			},
			palette: { type: 'array', title: 'Several, titled', items: { anyOf: colors }, minItems: 1 },
			timeZone: { type: 'string', title: 'Time zone', enum: timeZones(), default: 'UTC' },
		},
		required: ['size', 'timeZone'],
	},
};

function timeZones(): readonly string[] {
	const names = Intl.supportedValuesOf('timeZone');
	return ['UTC', ...names.filter((name) => /^(Africa|Asia|Australia|Europe)\/[^/]+$/.test(name))];
}

/** The first elicitation of the wizard. */
export const meal: FormRequest = {
	message: 'Step 1 of 3: what shall we cook?',
	requestedSchema: {
		type: 'object',
		properties: { meal: { type: 'string', title: 'Meal', enum: ['Pizza', 'Soup', 'Salad'], default: 'Pizza' } },
		required: ['meal'],
	},
};

/** The two elicitations of the task. */
export const background: Readonly<Record<'meal' | 'confirmation' | 'reader', FormRequest>> = {
	meal: { ...meal, message: 'Step 1 of 2: what shall be cooked in the background?' },
	confirmation: { ...confirmation, message: 'Step 2 of 2: it is ready to be cooked. Go ahead?' },
	reader: {
		message: 'The report is ready. Who is it for?',
		requestedSchema: {
			type: 'object',
			properties: {
				reader: { type: 'string', title: 'Reader', minLength: 1 },
				note: { type: 'string', title: 'Note', maxLength: 2_000 },
			},
			required: ['reader'],
		},
	},
};

const extras: Readonly<Record<string, readonly string[]>> = {
	Pizza: ['Mushrooms', 'Olives', 'Extra cheese'],
	Soup: ['Croutons', 'Cream', 'Chives'],
	Salad: ['Feta', 'Walnuts', 'Dressing'],
};

/** The second elicitation of the wizard: its options depend on the meal. */
export function extrasFor(meal: string): FormRequest {
	return {
		message: `Step 2 of 3: what goes with the ${meal}?`,
		requestedSchema: {
			type: 'object',
			properties: {
				extras: {
					type: 'array',
					title: 'Extras',
					items: { type: 'string', enum: Object.hasOwn(extras, meal) ? extras[meal] : ['Salt', 'Pepper'] },
				},
			},
		},
	};
}

/** The last elicitation of the wizard: it sums up the two before. */
export function orderOf(meal: string, chosen: readonly string[]): FormRequest {
	const withExtras = chosen.length === 0 ? 'without extras' : `with ${chosen.join(', ')}`;
	return {
		message: `Step 3 of 3: one ${meal}, ${withExtras}. Shall it be ordered?`,
		requestedSchema: {
			type: 'object',
			properties: { portions: { type: 'integer', title: 'Portions', minimum: 1, maximum: 10, default: 1 } },
			required: ['portions'],
		},
	};
}

/** Two elicitations for two people, put at the same time. */
export const twoElicitations: Readonly<Record<'drink' | 'dessert', FormRequest>> = {
	drink: {
		message: 'The bar asks: what would you like to drink?',
		requestedSchema: { type: 'object', properties: { drink: { type: 'string', title: 'Drink' } }, required: ['drink'] },
	},
	dessert: {
		message: 'The kitchen asks: dessert afterwards?',
		requestedSchema: {
			type: 'object',
			properties: { dessert: { type: 'boolean', title: 'Yes, dessert' } },
			required: ['dessert'],
		},
	},
};

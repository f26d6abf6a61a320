import { constraintOf } from '../../src/elicitation/form/constraint.ts';
import type { Field } from '../../src/elicitation/form/fields.ts';
import type { Input } from '../../src/elicitation/form/inputs.ts';
import type { UrlParts } from '../../src/elicitation/url/urlParts.ts';
import { inspectUrl } from '../../src/elicitation/url/urlSafety.ts';
import type { FormModel, UrlModel } from '../../src/protocol.ts';

export function modelOf(model: Partial<FormModel>): FormModel {
	return {
		purpose: 'elicitation',
		server: 'demo',
		calls: [{ kind: 'tool', name: 'deploy' }],
		receivedAt: Date.now(),
		message: 'Deploy to production?',
		fields: [],
		constraints: (model.fields ?? []).map(constraintOf),
		inputs: [],
		warnings: [],
		findings: [],
		rest: [],
		pickers: false,
		...model,
	};
}

/** A URL in its parts, as the host takes it apart. */
export function partsOf(url: string): UrlParts {
	return inspectUrl(url, { insecure: 'loopback' });
}

export function urlModelOf(model: Partial<UrlModel>): UrlModel {
	return {
		server: 'demo',
		asked: { calls: [{ kind: 'tool', name: 'connect' }], receivedAt: Date.now() },
		message: 'Please sign in.',
		parts: partsOf('https://login.bank.example.com/start?next=%23a'),
		alarms: [],
		warnings: [],
		notes: [],
		...model,
	};
}

/** A URL with everything that can be shown of one. */
export const suspicious: Partial<UrlModel> = {
	serverTitle: 'Own Name',
	parts: partsOf(
		'https://a.xn--80ak6aa92e.com:8443/a%20b/c?next=https%3A%2F%2Fevil.test%2F&plain=1&empty=&odd=%0A#top%2F',
	),
	raw: 'https://a.аррӏе.com:8443/a b/c?next=https%3A%2F%2Fevil.test%2F&plain=1&empty=&odd=%0A#top%2F',
	alarms: ['The host has letters that can look like others.'],
	warnings: ['The port is not the usual one: 8443.'],
};

const base = { key: 'x', description: 'What it is.', required: false, nullable: false };
const options = (count: number) =>
	Array.from({ length: count }, (_each, at) => ({ value: at, label: `Option ${at}`, description: 'd' }));

export const entries = ['line', 'area', 'email', 'uri', 'date', 'date-time', 'time', 'password'] as const;

/** A field of every kind. */
export const everyField: readonly Field[] = [
	...entries.map(
		(entry): Field => ({
			...{ ...base, label: entry, kind: 'text', entry, required: entry === 'line', minLength: 3 },
			...(entry === 'password' && { secret: true }),
		}),
	),
	{ ...base, label: '', key: '', kind: 'number', integer: true, minimum: 1, maximum: 20 },
	{ ...base, label: 'boolean', kind: 'boolean' },
	{ ...base, label: 'required boolean', kind: 'boolean', required: true },
	{ ...base, label: 'few', kind: 'choice', options: options(3) },
	{ ...base, label: 'many', kind: 'choice', options: options(300) },
	{ ...base, label: 'few of few', kind: 'choices', options: options(3) },
	{ ...base, label: 'few of many', kind: 'choices', options: options(300) },
	{ ...base, label: 'list', kind: 'list', item: 'text', minItems: 1 },
	{ ...base, label: 'const', kind: 'const', value: 1 },
	{ ...base, label: 'json', kind: 'json' },
	{ ...base, label: 'secrets', kind: 'list', item: 'text', secret: true },
];

/** A form with everything that a form can show. */
export const everything: Partial<FormModel> = {
	fields: everyField,
	inputs: everyField.map(
		(field): Input => (field.kind === 'list' ? { kind: 'list', items: ['one'] } : { kind: 'text', text: '' }),
	),
	warnings: ['A warning.'],
	findings: [
		{ pointer: '/requestedSchema', rule: 'nested', severity: 'info', text: 'A finding.' },
		{ pointer: '/requestedSchema/properties/x', rule: 'sensitive', severity: 'warning', text: 'Another.' },
	],
	title: 'Title',
	description: 'About.',
	rest: ['other'],
	pickers: true,
};

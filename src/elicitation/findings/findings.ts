import type { Elicitation } from '../elicitation.ts';
import { type Field, isOptional } from '../form/fields.ts';
import { Flattener } from '../form/flatten.ts';
import { fieldsOf } from '../form/readFields.ts';
import { isEmptyObject, isObject, type JsonObject, own, without } from '../json.ts';
import { pointerToken } from '../pointer.ts';
import { schemaMember } from '../request.ts';
import { mentionsSecret } from '../secretNames.ts';
import { localizable, type Sentence } from '../sentence.ts';
import type { UrlIds } from '../url/urlIds.ts';
import { contradictionOf } from './contradictions.ts';
import type { Finding } from './finding.ts';
import { propertyFindings } from './propertyFindings.ts';

/** Root keywords of the specification and of JSON Schema. */
export const ROOT_KEYWORDS = new Set([
	'type',
	'properties',
	'required',
	'title',
	'description',
	'$schema',
	'additionalProperties',
]);

/**
 * Lists the findings about the params of `elicitation/create`.
 * @param revision undefined or empty if unknown
 */
export function findingsOf(params: JsonObject, revision: string | undefined): Finding[] {
	// A recording may not have the message that tells it.
	const known = revision || undefined;
	const nulls = ['mode', 'elicitationId', 'task'].filter((name) => own(params, name) === null);
	const given = without(params, nulls);
	return [
		...nulls.map((name) => warning(`/${name}`, 'null', localizable('"{0}" is null; leave it out instead.', name))),
		...(own(given, 'mode') === 'url' ? urlFindings(given, known) : formFindings(given, known)),
	];
}

/** Also lists findings that depend on the other elicitations of the window. */
export function findingsAmong(elicitation: Elicitation, urlIds: UrlIds): Finding[] {
	const { request, origin } = elicitation;
	if (request.mode === 'sampling') {
		return [];
	}
	const findings = findingsOf(isObject(origin.params) ? origin.params : {}, origin.revision);
	if (origin.lacksSession) {
		findings.push(
			warning(
				'',
				'no-session',
				localizable('The server gave no session id, so it may be unable to match the response with the call.'),
			),
		);
	}
	if (request.mode === 'url' && urlIds.isRepeated(elicitation)) {
		findings.push(
			warning(
				'/elicitationId',
				'repeated-elicitation-id',
				localizable('The server has given the "elicitationId" {0} to several requests.', request.elicitationId ?? ''),
			),
		);
	}
	return findings;
}

function urlFindings(params: JsonObject, revision: string | undefined): Finding[] {
	const findings: Finding[] = [];
	if (revision !== undefined && revision < '2025-11-25') {
		findings.push(warning('/mode', 'mode-too-new', localizable('Revision {0} has no URL mode.', revision)));
	}
	const hasId = Object.hasOwn(params, 'elicitationId');
	if (!hasId && revision === '2025-11-25') {
		findings.push(warning('', 'no-elicitation-id', localizable('Revision {0} requires "elicitationId".', revision)));
	} else if (hasId && revision !== undefined && revision > '2025-11-25') {
		findings.push(
			info('/elicitationId', 'elicitation-id', localizable('Revision {0} has no "elicitationId".', revision)),
		);
	}
	if (Object.hasOwn(params, 'requestedSchema')) {
		findings.push(warning('/requestedSchema', 'schema-in-url-mode', localizable('A URL request has no schema.')));
	}
	return findings;
}

function formFindings(params: JsonObject, revision: string | undefined): Finding[] {
	const name = schemaMember(params);
	const schema = schemaOf(params);
	const findings: Finding[] = appFindings(params);
	if (revision !== undefined && revision < '2025-11-25' && Object.hasOwn(params, 'mode')) {
		findings.push(info('/mode', 'mode-too-new', localizable('Revision {0} has no modes.', revision)));
	}
	if (name === 'schema') {
		findings.push(
			warning('/schema', 'schema-alias', localizable('The schema is called "schema" instead of "requestedSchema".')),
		);
	}
	if (schema === undefined) {
		const member = own(params, name);
		// A request for something else, such as sampling, has no message.
		if (isEmptyObject(member) && Object.hasOwn(params, 'message')) {
			const message =
				member === undefined
					? localizable('The request has no "{0}".', name)
					: localizable('"{0}" is not an object.', name);
			findings.push({ ...warning(member === undefined ? '' : `/${name}`, 'no-object', message), member: name });
		}
		return findings;
	}
	const base = `/${name}`;
	const fields = fieldsOf(schema);
	findings.push(...rootFindings(schema, base, fields));
	const properties = own(schema, 'properties');
	for (const field of fields) {
		const node = own(properties, field.key);
		if (node === undefined && field.key === '') {
			continue;
		}
		findings.push(
			...propertyFindings({ field, node, pointer: `${base}/properties/${pointerToken(field.key)}`, revision }),
		);
	}
	return [...findings, ...secretFindings(params, fields, base)];
}

/** A request that wants to be shown by an app of the server (the MCP Apps extension). */
function appFindings(params: JsonObject): Finding[] {
	const meta = own(params, '_meta');
	const uri = own(own(meta, 'ui'), 'resourceUri') ?? own(meta, 'ui/resourceUri');
	return typeof uri === 'string'
		? [info('/_meta', 'app-resource', localizable('The request names an app to show it: {0}.', uri))]
		: [];
}

function rootFindings(schema: JsonObject, base: string, fields: readonly Field[]): Finding[] {
	const findings: Finding[] = [];
	if (own(schema, 'type') !== 'object') {
		findings.push({
			...warning(base, 'root-type', localizable('The schema does not say "type": "object".')),
			member: 'type',
		});
	}
	const [first] = fields;
	if (first?.kind === 'json' && first.whole) {
		findings.push(warning(base, 'no-fields', localizable('No fields can show what the schema asks for.')));
	} else if (fields.some(({ variant }) => variant)) {
		findings.push(warning(base, 'alternatives', localizable('Which properties there are depends on a choice.')));
	}
	const properties = own(schema, 'properties');
	if (properties !== undefined && isEmptyObject(properties)) {
		findings.push(warning(`${base}/properties`, 'no-object', localizable('"{0}" is not an object.', 'properties')));
	} else if (!isObject(properties) && fields.length === 0) {
		findings.push({
			...info(base, 'no-properties', localizable('The schema has no "properties".')),
			member: 'properties',
		});
	}
	const more = Object.keys(schema).filter((name) => !ROOT_KEYWORDS.has(name));
	if (more.length > 0) {
		findings.push({
			...info(base, 'root-keyword', localizable('Not part of the specification here: {0}.', list(more))),
			...(more[0] !== undefined && { member: more[0] }),
		});
	}
	const required = own(schema, 'required');
	if (required !== undefined && !Array.isArray(required)) {
		findings.push(warning(`${base}/required`, 'required-type', localizable('"required" is not a list.')));
	}
	for (const key of absent(schema, fields)) {
		findings.push(
			warning(
				`${base}/required`,
				'required-absent',
				localizable('"required" names "{0}", which is not among the properties.', key),
			),
		);
	}
	return findings;
}

function secretFindings(params: JsonObject, fields: readonly Field[], base: string): Finding[] {
	const indexes = sensitiveFields(fields);
	if (
		indexes.length === 0 &&
		fields.some(({ kind }) => kind === 'text' || kind === 'json') &&
		messageAsksForSecret(params)
	) {
		return [
			warning(
				'/message',
				'sensitive',
				localizable('The message seems to ask for a secret. Servers must not ask for secrets in forms.'),
			),
		];
	}
	return indexes.flatMap((index) => {
		const field = fields[index];
		return field === undefined
			? []
			: [
					warning(
						`${base}/properties/${pointerToken(field.key)}`,
						'sensitive',
						localizable('"{0}" seems to ask for a secret. Servers must not ask for secrets in forms.', field.label),
					),
				];
	});
}

/** Why a request can never be accepted, whatever the user enters; `undefined` for other requests. */
export function blockedBy(params: JsonObject): Sentence | undefined {
	const schema = schemaOf(params);
	if (own(params, 'mode') === 'url' || schema === undefined) {
		return undefined;
	}
	const fields = fieldsOf(schema);
	const [key] = absent(schema, fields);
	if (key !== undefined) {
		return localizable('The server requires "{0}", but describes no such property.', key);
	}
	for (const field of fields) {
		const contradiction =
			!isOptional(field) && !field.variant
				? contradictionOf(field, own(own(schema, 'properties'), field.key))
				: undefined;
		if (contradiction !== undefined) {
			return localizable('"{0}" is required, but no response can be valid: {1}', field.label, contradiction);
		}
	}
	return undefined;
}

/** Required names without a property. */
function absent(schema: JsonObject, fields: readonly Field[]): string[] {
	const required = own(new Flattener(schema).fold(schema), 'required');
	const described = new Set(fields.map(({ key }) => key));
	const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
	return [...new Set(names)].filter((name) => !described.has(name));
}

function schemaOf(params: JsonObject): JsonObject | undefined {
	const schema = own(params, schemaMember(params));
	return isObject(schema) ? schema : undefined;
}

function warning(pointer: string, rule: Finding['rule'], message: Sentence): Finding {
	return { pointer, rule, severity: 'warning', message };
}

function info(pointer: string, rule: Finding['rule'], message: Sentence): Finding {
	return { pointer, rule, severity: 'info', message };
}

function list(names: readonly string[]): string {
	return names.slice(0, 10).join(', ') + (names.length > 10 ? ', …' : '');
}

const ASKING =
	/\b(?:enter|provide|type|paste|give|supply|input|send|share|fill in|submit|tell|what is|what's|need)\b[^.!?\n]{0,60}/gi;
const ASKING_CHINESE = /(?:输入|輸入|提供|填写|填寫|粘贴|貼上|告诉)[^。！？\n]{0,20}/g;

/** True if the message explicitly asks for a secret. */
function messageAsksForSecret(params: JsonObject): boolean {
	const message = own(params, 'message');
	if (typeof message !== 'string') {
		return false;
	}
	const asked = [...message.matchAll(ASKING), ...message.matchAll(ASKING_CHINESE)].map(([text]) => text);
	return asked.some((text) => mentionsSecret(text));
}

/** Indexes of the fields that seem to ask for a secret. */
export function sensitiveFields(fields: readonly Field[]): number[] {
	return fields.flatMap(({ secret }, index) => (secret ? [index] : []));
}

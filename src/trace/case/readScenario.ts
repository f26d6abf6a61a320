import { isObject, type Json, type JsonObject, own } from '../../elicitation/json.ts';
import { parseJson } from '../../elicitation/jsonText.ts';
import {
	type CaseElicitation,
	type CaseOutcome,
	type CaseServer,
	type CaseVariable,
	COMPARED,
	type RecordedCase,
	type Role,
} from './recordedCase.ts';
import { FORMAT, type Scenario, VERSION } from './scenario.ts';

/** Why a text is no scenario: where and what, as a complete sentence. */
export class ScenarioError extends Error {}

const METHODS = Object.keys(COMPARED) as RecordedCase['method'][];
const TYPES: readonly CaseVariable['type'][] = ['string', 'number', 'boolean'];
const ROLES: readonly Role[] = ['answer', 'argument', 'environment', 'header', 'definition'];

/**
 * Reads a scenario. Checks every member, because the file may come from anywhere.
 * @throws ScenarioError
 */
export function readScenario(text: string): Scenario {
	const file = parse(text);
	if (own(file, 'format') !== FORMAT) {
		throw new ScenarioError(`This is no scenario: its "format" is not "${FORMAT}".`);
	}
	const version = own(file, 'version');
	if (version !== VERSION) {
		throw new ScenarioError(`It has version ${JSON.stringify(version)}. This program reads version ${VERSION}.`);
	}
	const members = ['workspaceFolder', 'name', 'server', 'revision', 'capabilities', 'method', 'params', 'isTask'];
	const of = object(file, '', ['format', 'version', ...members, 'elicitations', 'expected', 'variables']);
	const method = oneOf(of('method'), 'method', METHODS);
	return {
		workspaceFolder: string(of('workspaceFolder'), 'workspaceFolder'),
		name: string(of('name'), 'name'),
		server: serverFrom(of('server')),
		revision: string(of('revision'), 'revision'),
		capabilities: anyObject(of('capabilities'), 'capabilities'),
		method,
		params: paramsFrom(of('params'), method),
		isTask: boolean(of('isTask'), 'isTask'),
		elicitations: list(of('elicitations'), 'elicitations', elicitationFrom),
		expected: outcomeFrom(of('expected')),
		variables: list(of('variables'), 'variables', variableFrom),
	};
}

function parse(text: string): Json {
	try {
		return parseJson(text.replace(/^\ufeff/, ''));
	} catch (error) {
		const why = error instanceof Error ? error.message : error;
		throw new ScenarioError(
			`This is not JSON: ${why}. Name a scenario that "Export Call as Test" or "record" has written.`,
		);
	}
}

function serverFrom(value: Json | undefined): CaseServer {
	const type = oneOf(own(value, 'type'), 'server.type', ['stdio', 'http'] as const);
	if (type === 'http') {
		const of = object(value, 'server', ['type', 'url', 'headers']);
		return { type, url: string(of('url'), 'server.url'), headers: map(of('headers'), 'server.headers', string) };
	}
	const of = object(value, 'server', ['type', 'command', 'args', 'cwd', 'env']);
	return {
		type,
		command: string(of('command'), 'server.command'),
		args: list(of('args'), 'server.args', string),
		cwd: string(of('cwd'), 'server.cwd'),
		env: map(of('env'), 'server.env', (item, at) => (item === null ? null : string(item, at))),
	};
}

function paramsFrom(value: Json | undefined, method: RecordedCase['method']): JsonObject {
	const params = anyObject(value, 'params');
	if (method === 'resources/read') {
		string(own(params, 'uri'), 'params.uri');
	} else {
		string(own(params, 'name'), 'params.name');
		anyObject(own(params, 'arguments'), 'params.arguments');
	}
	return params;
}

function elicitationFrom(value: Json, at: string): CaseElicitation {
	const of = object(value, at, ['turn', 'asked', 'answer']);
	return {
		turn: integer(of('turn'), `${at}.turn`),
		asked: requestFrom(of('asked'), `${at}.asked`),
		answer: responseFrom(of('answer'), `${at}.answer`),
	};
}

function requestFrom(value: Json | undefined, at: string): JsonObject {
	const mode = oneOf(own(value, 'mode'), `${at}.mode`, ['form', 'url'] as const);
	const of = object(value, at, ['mode', 'message', mode === 'form' ? 'requestedSchema' : 'url']);
	const message = string(of('message'), `${at}.message`);
	return mode === 'form'
		? { mode, message, requestedSchema: anyObject(of('requestedSchema'), `${at}.requestedSchema`) }
		: { mode, message, url: string(of('url'), `${at}.url`) };
}

function responseFrom(value: Json | undefined, at: string): JsonObject {
	if (own(value, 'error') !== undefined) {
		const error = object(object(value, at, ['error'])('error'), `${at}.error`, ['code', 'message']);
		return {
			error: {
				code: integer(error('code'), `${at}.error.code`),
				message: string(error('message'), `${at}.error.message`),
			},
		};
	}
	const action = oneOf(own(value, 'action'), `${at}.action`, ['accept', 'decline', 'cancel'] as const);
	const of = object(value, at, action === 'accept' ? ['action', 'content'] : ['action']);
	const content = of('content');
	return { action, ...(content !== undefined && { content: anyObject(content, `${at}.content`) }) };
}

function outcomeFrom(value: Json | undefined): CaseOutcome {
	if (own(value, 'error') === undefined) {
		return { result: anyObject(object(value, 'expected', ['result'])('result'), 'expected.result') };
	}
	const of = object(object(value, 'expected', ['error'])('error'), 'expected.error', ['code', 'pages']);
	const code = integer(of('code'), 'expected.error.code');
	const pages = of('pages');
	return {
		error: {
			code,
			...(pages !== undefined && { pages: list(pages, 'expected.error.pages', (page, at) => anyObject(page, at)) }),
		},
	};
}

function variableFrom(value: Json, at: string): CaseVariable {
	const of = object(value, at, ['name', 'type', 'role']);
	return {
		name: string(of('name'), `${at}.name`),
		type: oneOf(of('type'), `${at}.type`, TYPES),
		role: oneOf(of('role'), `${at}.role`, ROLES),
	};
}

/** Returns a reader of the object's own members. Other members than these are an error. */
function object(value: unknown, at: string, members: readonly string[]): (name: string) => Json | undefined {
	const checked = anyObject(value, at);
	const unknown = Object.keys(checked).find((name) => !members.includes(name));
	if (unknown !== undefined) {
		throw wrong(at === '' ? unknown : `${at}.${unknown}`, 'is unknown');
	}
	return (name) => own(checked, name);
}

function anyObject(value: unknown, at: string): JsonObject {
	if (!isObject(value)) {
		throw wrong(at, 'must be an object');
	}
	return value;
}

function map<T>(value: unknown, at: string, read: (item: Json, at: string) => T): Readonly<Record<string, T>> {
	const entries = Object.entries(anyObject(value, at)).map(([name, item]) => [name, read(item, `${at}.${name}`)]);
	return Object.fromEntries(entries);
}

function list<T>(value: unknown, at: string, read: (item: Json, at: string) => T): readonly T[] {
	if (!Array.isArray(value)) {
		throw wrong(at, 'must be a list');
	}
	return value.map((item, index) => read(item, `${at}.${index}`));
}

function string(value: unknown, at: string): string {
	if (typeof value !== 'string') {
		throw wrong(at, 'must be a string');
	}
	return value;
}

function boolean(value: unknown, at: string): boolean {
	if (typeof value !== 'boolean') {
		throw wrong(at, 'must be true or false');
	}
	return value;
}

function integer(value: unknown, at: string): number {
	if (!Number.isSafeInteger(value)) {
		throw wrong(at, 'must be a whole number');
	}
	return Number(value);
}

function oneOf<T extends string>(value: unknown, at: string, allowed: readonly T[]): T {
	const found = allowed.find((each) => each === value);
	if (found === undefined) {
		throw wrong(at, `must be one of ${allowed.map((each) => `"${each}"`).join(', ')}`);
	}
	return found;
}

function wrong(at: string, what: string): ScenarioError {
	return new ScenarioError(`"${at}" ${what}.`);
}

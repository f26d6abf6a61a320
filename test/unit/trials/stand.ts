import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { english, render, type Sentence } from '../../../src/elicitation/sentence.ts';
import { actionMatrix } from '../../../src/trials/actionMatrix.ts';
import { type Observation, observe, type RunContext, type TrialRun } from '../../../src/trials/observe.ts';
import type { RawServer } from '../../rawServer/rawServer.ts';
import { define, type Listening, listening, type TestClient, testServer } from '../mcp/testClient.ts';

/** The servers on the official SDKs, each in one process for all tests of a file: their definitions, by name. */
export function sdkServers() {
	const started = new Map<string, Listening>();
	beforeAll(async () => {
		for (const name of ['sdk1', 'sdk2']) {
			started.set(name, await listening(testServer(`${name}.mjs`), '--http', '0'));
		}
	});
	afterAll(() => {
		for (const { stop } of started.values()) stop();
	});
	return (name: 'sdk1' | 'sdk2', more: object = {}) => define(name, { url: started.get(name)?.url, ...more });
}

/** A server whose tools are tried out. */
export async function stand(here: TestClient, definition: ServerDefinition) {
	const connection = await here.connect(definition);
	const context: RunContext = {
		registry: here.registry,
		begin: (spec, options) => connection.begin(spec, options),
	};
	/** Makes a call as a trial. */
	const seen = (trial: TrialRun, name = 'act', args: JsonObject = {}, signal = new AbortController().signal) =>
		observe(context, { server: definition.name, kind: 'tool', name, args }, trial, signal) as Promise<Observation>;
	const matrix = actionMatrix(here.registry.validator, []);
	return { here, connection, context, seen, matrix, accept: matrix[0] as TrialRun };
}

/** The same for a server whose messages the test sends, until the test ends. */
export async function rawStand<S extends RawServer>(here: TestClient, opening: Promise<S>) {
	const server = await opening;
	onTestFinished(() => server.close());
	return { server, ...(await stand(here, define('raw-server', server.definition))) };
}

/** Sentences as they are shown; of remarks, with a sign before those that warn. */
export const textsOf = (said: readonly (Sentence | { readonly text: Sentence; readonly warning: boolean })[]) =>
	said.map((each) =>
		'warning' in each ? `${each.warning ? '⚠ ' : ''}${render(each.text, english)}` : render(each, english),
	);

import { basename } from 'node:path';
import * as vscode from 'vscode';
import { MAX_REQUESTS } from '../../../config/schemaText.ts';
import { LIBRARIES } from '../../../elicitation/check/libraries.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { isObject, type Json, type JsonObject, own } from '../../../elicitation/json.ts';
import { type Persona, titleOf as personaTitle } from '../../../elicitation/personas/persona.ts';
import { factsOf, provenanceOf } from '../../../elicitation/personas/problemsAs.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { schemaMember } from '../../../elicitation/request.ts';
import { ELICITATION_REVISIONS } from '../../../elicitation/revisions.ts';
import { render, type Sentence } from '../../../elicitation/sentence.ts';
import type { TraceLog } from '../../../trace/log.ts';
import type { Commands } from '../../common/commands.ts';
import type { JsonDocuments } from '../../common/jsonDocuments.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify, showError } from '../../common/notifications.ts';
import type { CheckedRequest, SchemaDiagnostics } from './diagnostics.ts';
import { howFor, type SchemaSubject, subjectOf } from './schemaSubject.ts';

export interface SchemaContext {
	readonly registry: Registry;
	readonly trace: TraceLog;
	readonly documents: JsonDocuments;
	readonly commands: Commands;
}

/**
 * The command `checkSchema`: checks a request against all revisions and libraries, or what another client does with it.
 * Resolves to the report, or to undefined if there was nothing to check.
 */
export async function checkSchema(
	context: SchemaContext,
	diagnostics: SchemaDiagnostics,
	argument: unknown,
): Promise<Json | undefined> {
	const subject = await subjectOf('checkSchema', context.commands, argument);
	const how = subject && (await howFor(argument, localize('Against All Revisions and Libraries')));
	return how && checkSubject(context, diagnostics, subject, how.persona);
}

async function checkSubject(
	context: SchemaContext,
	diagnostics: SchemaDiagnostics,
	subject: SchemaSubject,
	persona?: Persona,
): Promise<Json> {
	const checked =
		subject.kind === 'document'
			? await diagnostics.check(subject.document, { kind: subject.text, persona })
			: await diagnostics.check(await open(context, subject.elicitation), { kind: 'request', persona });
	const reports = checked.map((each) => (persona ? reportAs(persona, each) : reportOf(each)));
	const report = reports.length === 1 ? (reports[0] ?? {}) : reports;
	showSummary(
		titleOf(subject),
		persona
			? localize('{0} is not known to do anything unusual with this request.', personaTitle(persona))
			: localize('Every protocol revision and every library that is checked here supports this schema.'),
		checked.flatMap(({ problems }) => problems.map(({ severity }) => severity)),
		checked.length < MAX_REQUESTS ? '' : localize('No more than {0} requests of a file are checked.', MAX_REQUESTS),
		() => context.documents.open(localize('Schema report'), report),
	);
	return report;
}

/** Opens the request as received, read-only. */
function open({ trace, documents }: SchemaContext, { origin }: Elicitation): Promise<vscode.TextDocument> {
	return documents.open(localize('Request from {0}', origin.server), trace.privacy.configured.hideIn(origin.params));
}

function titleOf(subject: SchemaSubject): string {
	return subject.kind === 'document'
		? basename(subject.document.fileName)
		: localize('Request from {0}', subject.elicitation.origin.server);
}

/**
 * Reports how many problems were found and offers to show them.
 * @param flawless what it means if there are none
 * @param more said after either
 */
function showSummary(
	title: string,
	flawless: string,
	severities: readonly string[],
	more: string,
	showReport: () => Promise<unknown>,
): void {
	const warnings = severities.filter((severity) => severity === 'warning').length;
	const problems = localize('Show Problems');
	const report = localize('Show Report');
	const found =
		severities.length === 0 ? flawless : localize('Warnings: {0}. Notes: {1}.', warnings, severities.length - warnings);
	const shown = notify(
		'information',
		localizeNative('{0}: {1}', title, `${found} ${more}`.trimEnd()),
		...(severities.length === 0 ? [] : [problems]),
		report,
	);
	Promise.resolve(shown)
		.then((choice): unknown => {
			if (choice === report) {
				return showReport();
			}
			return choice === problems ? vscode.commands.executeCommand('workbench.actions.view.problems') : undefined;
		})
		.catch(showError);
}

/** Reports as JSON what each revision and each SDK makes of a request. */
function reportOf({ request: { at, params, bare }, problems }: CheckedRequest): JsonObject {
	const name = schemaMember(params);
	const schema = own(params, name);
	const base = `/${name}`;
	const shown = (pointer: string) => (bare ? pointer.slice(base.length) : pointer);
	const revisions = ELICITATION_REVISIONS.map((revision) => [
		revision,
		problems
			.filter((problem) => problem.revisions.includes(revision))
			.map(({ pointer, message }) => `${shown(pointer)}: ${render(message, localize)}`),
	]);
	const libraries = LIBRARIES.map((library) => {
		const { refused, dropped } = library.read(isObject(schema) ? schema : {});
		const places = (pointers: readonly string[]) => pointers.map((pointer) => shown(`${base}${pointer}`));
		return [
			`${library.name} ${library.version} (${library.side})`,
			{
				...(refused.length > 0 && { [library.side === 'client' ? 'refuses' : 'cannotSend']: places(refused) }),
				...(dropped.length > 0 && { drops: places(dropped) }),
			},
		];
	});
	return {
		...(at.length > 0 && { request: at.join('.') }),
		revisions: Object.fromEntries(revisions),
		...(isObject(schema) && { libraries: Object.fromEntries(libraries) }),
	};
}

/** Reports as JSON what another client does with a request. */
function reportAs(persona: Persona, { request: { at }, problems }: CheckedRequest): JsonObject {
	const text = (sentence: Sentence) => render(sentence, localize);
	return {
		...(at.length > 0 && { request: at.join('.') }),
		client: personaTitle(persona),
		source: text(provenanceOf(persona)),
		...(persona.declares && { declares: persona.declares as JsonObject }),
		problems: problems.map(({ pointer, message }) => `${pointer}: ${text(message)}`),
		facts: factsOf(persona).map(text),
	};
}

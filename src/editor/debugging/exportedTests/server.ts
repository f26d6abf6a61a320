import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import * as vscode from 'vscode';
import { hasUrl, isProgram, type ServerDefinition, type StdioDefinition } from '../../../config/definition.ts';
import { effectiveDefinition } from '../../../config/launch.ts';
import type { CaseSecrets } from '../../../trace/case/caseSecrets.ts';
import type { CaseServer } from '../../../trace/case/recordedCase.ts';
import { caseServer } from '../../../trials/caseServer.ts';
import { readText } from '../../common/readText.ts';
import type { ConfiguredServer, Source } from '../../common/serverEntry.ts';
import { folderOf } from '../../servers/configSource.ts';
import { inFolder, variablesOf } from '../../servers/variables.ts';

/**
 * Describes how a test starts or reaches the server, see `caseServer`.
 * @param signedIn the server needs an access token from a sign-in
 */
export async function exportedServer(
	{ source, definition }: ConfiguredServer & { readonly definition: ServerDefinition },
	signedIn: boolean,
): Promise<(secrets: CaseSecrets) => CaseServer> {
	const stdio = isProgram(definition) ? definition : undefined;
	const fromFile = stdio ? await namesInFile(stdio, source) : [];
	const inWorkspace = folderOf(source)?.uri.scheme === 'file' && (stdio?.cwd !== undefined || source.kind !== 'user');
	const base = inWorkspace ? 'workspaceFolder' : 'userHome';
	return (secrets) => caseServer({ definition, variables: variablesOf(source), base, fromFile, signedIn }, secrets);
}

/** Names of the variables in `envFile`; none if it cannot be read. */
async function namesInFile(definition: StdioDefinition, source: Source): Promise<string[]> {
	const effective = inFolder(effectiveDefinition(definition, variablesOf(source)).definition, source);
	if (hasUrl(effective) || effective.envFile === undefined) {
		return [];
	}
	const { envFile, cwd = '' } = effective;
	const { text = '' } = await readText(vscode.Uri.file(isAbsolute(envFile) ? envFile : join(cwd, envFile)));
	return Object.keys(parseEnv(text));
}

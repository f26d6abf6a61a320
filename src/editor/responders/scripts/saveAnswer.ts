import * as vscode from 'vscode';
import { PLACEHOLDER } from '../../../config/answers.ts';
import { shorten } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { sameJson } from '../../../elicitation/form/flatten.ts';
import { globOf } from '../../../elicitation/glob.ts';
import { type Json, own, plainObject } from '../../../elicitation/json.ts';
import { writeJson } from '../../../elicitation/jsonText.ts';
import { Redactor } from '../../../privacy/redactor.ts';
import { REDACTED } from '../../../privacy/secrets.ts';
import type { TraceLog } from '../../../trace/log.ts';
import { exists, refuseLinks } from '../../common/files.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify, showModal } from '../../common/notifications.ts';
import type { ScriptConsent } from './scriptConsent.ts';
import { FOLDER, fileName, type ScriptSources } from './sources.ts';

/** Max length of the part of a message that must match exactly (characters). What follows is likely to change. */
const MAX_EXACT_MESSAGE = 200;

/**
 * The command `saveAnswerAsScript`: saves a response as a scripted answer for future elicitations.
 * @param stopped whether the user has stopped all scripts
 */
export async function saveAnswer(
	trace: TraceLog,
	sources: ScriptSources,
	consent: ScriptConsent,
	stopped: boolean,
	elicitation: Elicitation,
): Promise<void> {
	if (!(await isMeant(elicitation))) {
		return;
	}
	const folder = await chooseFolder();
	const file = folder && (await chooseFile(folder.uri, elicitation));
	if (!file) {
		return;
	}
	const { script, left } = scriptOf(elicitation, new Redactor(trace), PLACEHOLDER);
	await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(`${writeJson(script, '\t')}\n`));
	await sources.reload();
	const source = sources.all.find(({ uri }) => uri === String(file));
	if (source) {
		// Saving the script counts as consent.
		await consent.give(source);
	}
	await vscode.window.showTextDocument(file);
	void notify(
		'information',
		left.length > 0
			? localizeNative(
					'{0} was saved without the values of {1}. Enter them, or the script cannot respond. Until then, the request is left to you.',
					fileName(file),
					left.join(', '),
				)
			: stopped
				? localizeNative('{0} was saved. Scripts are stopped: it responds only once you resume them.', fileName(file))
				: localizeNative('{0} was saved; from now on it responds to this request on your behalf.', fileName(file)),
	);
}

/** Whether the user wants to save it. A response other than an accept does the same for every request, also for those that they would want to see. */
async function isMeant({ request, origin, response }: Elicitation): Promise<boolean> {
	const what = {
		accept: undefined,
		decline: localize('Decline every request like this from now on?'),
		cancel: localize('Cancel every request like this from now on?'),
		error: localize('Respond with this error to every request like this from now on?'),
		malformed: undefined,
	}[response?.action ?? 'malformed'];
	const save = localize('Save Script');
	const detail = localize(
		'{0}: "{1}" You are not asked again while the script is there.',
		origin.server,
		shorten(request.message, MAX_EXACT_MESSAGE),
	);
	return what === undefined || (await showModal('warning', what, detail, save)) === save;
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
	const { workspaceFolders: [first, ...others] = [] } = vscode.workspace;
	if (!first) {
		void notify('error', localizeNative('Scripts are saved in a folder of the workspace. Open a folder first.'));
	}
	return others.length === 0 ? first : vscode.window.showWorkspaceFolderPick();
}

/** A file in a workspace folder. The user decides whether to overwrite an existing one. */
async function chooseFile(workspaceFolder: vscode.Uri, elicitation: Elicitation): Promise<vscode.Uri | undefined> {
	const name = nameOf(elicitation);
	const folder = vscode.Uri.joinPath(workspaceFolder, FOLDER);
	const file = vscode.Uri.joinPath(folder, `${name}.json`);
	await refuseLinks(vscode.Uri.joinPath(folder, '..'), folder, file);
	if (!(await exists(file))) {
		return file;
	}
	const overwrite = localize('Overwrite');
	const keepBoth = localize('Keep Both');
	const choice = await showModal(
		'warning',
		localizeNative('{0} exists.', fileName(file)),
		localize('It contains scripted answers. If two match a request, the first file by name takes precedence.'),
		overwrite,
		keepBoth,
	);
	if (choice !== keepBoth) {
		return choice === overwrite ? file : undefined;
	}
	for (let number = 2; ; number++) {
		const other = vscode.Uri.joinPath(folder, `${name}-${number}.json`);
		if (!(await exists(other))) {
			return other;
		}
	}
}

/** Server text becomes part of a path, so only plain characters are kept. */
function nameOf(elicitation: Elicitation): string {
	const { origin } = elicitation;
	const tool = toolOf(elicitation);
	const parts = tool === undefined ? [origin.server] : [origin.server, tool];
	const plain = parts.map((part) => part.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, ''));
	return shorten(plain.filter(Boolean).join('-'), 80) || 'answer';
}

/** The tool, if the protocol says which call caused the elicitation. */
function toolOf({ cause }: Elicitation): string | undefined {
	return cause?.kind === 'tool' ? cause.name : undefined;
}

interface Saved {
	readonly script: object;
	/** Fields whose values must not be stored in a file. Server text. */
	readonly left: readonly string[];
}

function scriptOf(elicitation: Elicitation, redactor: Redactor, placeholder: string): Saved {
	const { request, origin, response } = elicitation;
	const tool = toolOf(elicitation);
	const base = {
		server: globOf(origin.server),
		...(tool !== undefined && { tool: globOf(tool) }),
		...(request.message !== '' && { message: patternOf(redactor.text(request.message)) }),
		mode: request.mode,
	};
	switch (response?.action) {
		case 'accept': {
			if (request.mode === 'url') {
				return { script: { ...base, action: 'accept' }, left: [] };
			}
			const left = secretsIn(elicitation, redactor);
			const content = plainObject(
				Object.entries(response.content ?? {}).map(([name, value]): [string, Json] => [
					name,
					left.includes(name) ? placeholder : value,
				]),
			);
			return { script: { ...base, action: 'accept', content }, left };
		}
		case 'error':
			return {
				script: { ...base, action: 'error', error: { code: response.code, message: redactor.text(response.message) } },
				left: [],
			};
		default:
			return { script: { ...base, action: response?.action }, left: [] };
	}
}

/** Stands for a secret as one character, so that none is cut. In a message of its own, it becomes a wildcard, too. */
const SECRET = '\0';

/** A glob for a message, with wildcards in place of secrets. */
function patternOf(message: string): string {
	const characters = [...message.replaceAll(REDACTED, SECRET)];
	const kept = characters.slice(0, MAX_EXACT_MESSAGE).join('');
	return `${kept.split(SECRET).map(globOf).join('*')}${characters.length > MAX_EXACT_MESSAGE ? '*' : ''}`;
}

/** Names of fields that the form masks, that look like secrets, or that repeat a secret. */
function secretsIn(elicitation: Elicitation, redactor: Redactor): string[] {
	const content = own(elicitation.response, 'content') ?? {};
	const told = own(redactor.response(elicitation), 'content');
	return Object.entries(content).flatMap(([name, value]) => (sameJson(own(told, name) ?? null, value) ? [] : [name]));
}

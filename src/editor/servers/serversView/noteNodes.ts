import * as vscode from 'vscode';
import type { ConfigProblem } from '../../../config/problem.ts';
import { generalSentence, type Position, placeOf } from '../../../config/text.ts';
import { type NativeText, native, together } from '../../../elicitation/display.ts';
import { keyOf } from '../../../elicitation/json.ts';
import { render } from '../../../elicitation/sentence.ts';
import { fullId } from '../../common/contributions.ts';
import { problemText } from '../../common/descriptions.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import { remediesFor } from '../../common/notifications.ts';
import { type ConfigSource, isDisabled, type ServerEntry, type UserError } from '../../common/serverEntry.ts';
import { type NativeTreeItem, treeItem } from '../../common/surfaces.ts';
import { sourceText } from '../configSource.ts';
import { isAlsoInEditor, type SourceState } from '../configuration.ts';

/**
 * Nodes above a server's features: problems, what a server that does not run offers instead of features, and definitions
 * of the same name that are not in effect.
 */
export function noteNodes({ configured, connection, state, failure }: ServerEntry): NativeTreeItem[] {
	const { name, problems, others, source, editor, definition } = configured;
	const notes = problems.map((problem) => {
		const item = note(native(problemText(problem)), problem.severity);
		item.command = showDefinition({ server: name, path: problem.path });
		return item;
	});
	const shown = failure ?? connection?.lost;
	if (shown && !problems.some((problem) => problemText(problem) === render(shown.what, localize))) {
		// A server that restarts automatically, or looks for its stream, needs no action yet.
		notes.push(failureNote(shown, failure && state !== 'restarting' ? 'error' : 'warning'));
	}
	if (isDisabled(configured)) {
		const item = note(localize('Turned off in its definition'), 'info');
		item.command = showDefinition({ server: name, path: ['disabled'] });
		notes.push(item);
	} else if (definition && (state === 'stopped' || state === 'failed')) {
		const title = localize('Start Server');
		const item = treeItem(title);
		item.iconPath = new vscode.ThemeIcon('play');
		item.command = { command: fullId('startServer'), title, arguments: [name] };
		notes.push(item);
	}
	const extensions = connection?.unsupportedExtensions ?? [];
	if (extensions.length > 0) {
		notes.push(note(localizeNative('Extensions that are not supported here: {0}', extensions.join(', ')), 'info'));
	}
	for (const other of others) {
		const item = note(
			localizeNative(
				'Also defined in {0}; the definition in {1} takes precedence.',
				sourceText(other),
				sourceText(source),
			),
			'info',
		);
		item.command = showDefinition({ server: name, place: other.uri });
		notes.push(item);
	}
	if (editor?.file && isAlsoInEditor(configured)) {
		const text = editorText(editor);
		const item = note(text, 'info');
		const advice = localize(
			'The editor also runs it for its chats, so it may run twice. To run it once, remove it there and offer it to agent mode with "mcpElicitation.agentBridge".',
		);
		item.tooltip = together([text, advice], '\n');
		item.command = { command: 'vscode.open', title: localize('Show Definition'), arguments: [editor.file] };
		notes.push(item);
	}
	return notes;
}

/** Files of which servers are missing, because the file or where they stand cannot be read: nothing else would say why. */
export function unreadableNodes(sources: readonly SourceState[]): NativeTreeItem[] {
	return sources.flatMap((state) => {
		const { source } = state;
		return source.file ? faultsOf(state).map((fault) => unreadableNode(source, source.file as vscode.Uri, fault)) : [];
	});
}

interface ShownFault {
	readonly why: string;
	/** Absent if there is no text to look at. */
	readonly at?: Position | undefined;
}

function faultsOf({ source, text, failure, fault, content }: SourceState): readonly ShownFault[] {
	if (failure !== undefined) {
		return [{ why: failure }];
	}
	if (fault) {
		return [{ why: render(fault.message, localize), at: fault.at }];
	}
	return content.general
		.filter((problem) => losesServers(problem, source))
		.map((problem) => ({
			why: render(generalSentence(problem), localize),
			at: text === undefined ? undefined : placeOf(text, problem.path).start,
		}));
}

/** True if no servers are read from the document, or if they stand where nobody looks for them. */
function losesServers({ path, severity, inName, meant, fix }: ConfigProblem, { shape }: ConfigSource): boolean {
	const isAll = path.length === 0 || keyOf(path) === keyOf(shape.servers);
	const isElsewhere = inName === true && (fix !== undefined || meant === shape.servers.at(-1));
	return (isAll && severity === 'error') || (isElsewhere && path.length === 1);
}

function unreadableNode(source: ConfigSource, file: vscode.Uri, { why, at }: ShownFault): NativeTreeItem {
	const name = sourceText(source);
	const item = note(
		at ? localizeNative('Cannot read {0}: line {1}', name, at.line + 1) : localizeNative('Cannot read {0}', name),
		'error',
	);
	item.description = native(why, 200);
	item.tooltip = native(why, 1000);
	const { line = 0, character = 0 } = at ?? {};
	const selection = new vscode.Range(line, character, line, character);
	item.command = { command: 'vscode.open', title: localize('Show Definition'), arguments: [file, { selection }] };
	return item;
}

/** Says that VS Code runs the server, too. */
export function editorText(source: ConfigSource): NativeText {
	return localizeNative('Also run by the editor: {0}', sourceText(source));
}

function failureNote(failure: UserError, icon: 'error' | 'warning'): NativeTreeItem {
	const [what, fix] = [nativeText(failure.what), nativeText(failure.fix)];
	const item = note(what, icon);
	item.tooltip = together([what, fix], '\n');
	const [first, ...others] = remediesFor(failure);
	item.command = (icon === 'warning' && others.at(-1)) || first;
	return item;
}

function showDefinition(target: object): vscode.Command {
	return { command: fullId('showDefinition'), title: localize('Show Definition'), arguments: [target] };
}

function note(text: NativeText, icon: 'error' | 'warning' | 'info'): NativeTreeItem {
	const item = treeItem(text);
	const color = icon === 'info' ? undefined : new vscode.ThemeColor(`list.${icon}Foreground`);
	item.iconPath = new vscode.ThemeIcon(icon, color);
	item.tooltip = text;
	return item;
}

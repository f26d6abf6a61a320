import * as vscode from 'vscode';
import { shorten, withIcon } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { initialInputs, toContent } from '../../../elicitation/form/inputs.ts';
import { readJson } from '../../../elicitation/form/literals.ts';
import { fieldsOf } from '../../../elicitation/form/readFields.ts';
import { isObject, type JsonObject } from '../../../elicitation/json.ts';
import { writeJson } from '../../../elicitation/jsonText.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { localizable, render } from '../../../elicitation/sentence.ts';
import { fullId, RESPONSE_SCHEME } from '../../common/contributions.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import { notify, showModal } from '../../common/notifications.ts';
import { codeLens } from '../../common/surfaces.ts';
import { EXTENSION, MemoryFiles } from './memoryFiles.ts';

/** A response that is being edited. */
interface Draft {
	readonly elicitation: Elicitation;
	/** Resolves to false if it was too late. */
	send(content: JsonObject): Promise<boolean>;
}

/** Editable JSON documents for responses, each with a code lens that sends it. */
export class Drafts implements vscode.CodeLensProvider, vscode.Disposable {
	readonly #drafts = new Map<string, Draft>();
	readonly #files = new MemoryFiles();
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposable: vscode.Disposable;
	readonly onDidChangeCodeLenses = this.#changed.event;
	#next = 1;

	constructor(private readonly registry: Registry) {
		this.#disposable = vscode.Disposable.from(
			this.#files,
			this.#changed,
			vscode.languages.registerCodeLensProvider({ scheme: RESPONSE_SCHEME }, this),
			registry.onDidChange(() => this.#changed.fire()),
			vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
				for (const tab of closed) {
					this.#forget(tab);
				}
			}),
		);
	}

	/** Opens a document with the content that the form would send initially. */
	async open(elicitation: Elicitation, send: Draft['send']): Promise<void> {
		const { request, origin } = elicitation;
		const fields = request.mode === 'form' ? fieldsOf(request.requestedSchema) : [];
		const { content } = toContent(fields, initialInputs(fields));
		// The server's name becomes part of a path, so only plain characters are kept.
		const name = localize('response to {0}', origin.server).replace(/[^\p{L}\p{N} ._-]+/gu, '_');
		const uri = vscode.Uri.from({
			scheme: RESPONSE_SCHEME,
			authority: String(this.#next++),
			path: `/${shorten(name, 80)}${EXTENSION}`,
		});
		this.#files.put(uri, `${writeJson(content, 2)}\n`);
		this.#drafts.set(String(uri), { elicitation, send });
		await vscode.window.showTextDocument(uri, { preview: false });
	}

	/** Sends a document's content. If it violates the schema, the user must confirm. */
	async send(uri: vscode.Uri): Promise<void> {
		const draft = this.#drafts.get(String(uri));
		if (!draft || hasEnded(draft)) {
			return;
		}
		const document = await vscode.workspace.openTextDocument(uri);
		const read = readJson(document.getText());
		const content = 'value' in read ? read.value : undefined;
		if (!isObject(content)) {
			const problem = 'problem' in read ? read.problem : localizable('A JSON object is required, in braces.');
			void notify('error', nativeText(problem));
			return;
		}
		if ((await this.#confirmViolation(draft, content)) && !hasEnded(draft) && (await draft.send(content))) {
			await document.save();
			await vscode.window.tabGroups.close(tabsOf(uri));
		}
	}

	provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
		const draft = this.#drafts.get(String(uri));
		if (!draft) {
			return [];
		}
		const { undecided, origin } = draft.elicitation;
		const command = undecided
			? {
					command: fullId('forceAnswer'),
					title: withIcon('send', localizeNative('Send to {0}', origin.server)),
					tooltip: localize('It does not have to match the schema.'),
					arguments: [uri],
				}
			: { command: '', title: localize('The request has ended: this can no longer be sent.') };
		return [codeLens(new vscode.Range(0, 0, 0, 0), command)];
	}

	dispose(): void {
		this.#disposable.dispose();
	}

	async #confirmViolation({ elicitation }: Draft, content: JsonObject): Promise<boolean> {
		const schemaViolation = await this.registry.autoResponders.schemaViolationOf(elicitation, {
			action: 'accept',
			content,
		});
		if (!schemaViolation) {
			return true;
		}
		const anyway = localize('Send Anyway');
		const question = localizeNative('Send {0} a response that its schema does not allow?', elicitation.origin.server);
		return (await showModal('warning', question, render(schemaViolation, localize), anyway)) === anyway;
	}

	/** A document that was moved to another group, or split, has another tab. */
	#forget({ input }: vscode.Tab): void {
		if (
			input instanceof vscode.TabInputText &&
			tabsOf(input.uri).length === 0 &&
			this.#drafts.delete(String(input.uri))
		) {
			this.#files.delete(input.uri);
		}
	}
}

/** Tells the user if it is too late. The document stays open then, because its content may be useful for the next request. */
function hasEnded({ elicitation }: Draft): boolean {
	if (!elicitation.undecided) {
		void notify('information', localizeNative('The request has ended: this can no longer be sent.'));
	}
	return !elicitation.undecided;
}

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
	const isOf = ({ input }: vscode.Tab) => input instanceof vscode.TabInputText && String(input.uri) === String(uri);
	return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isOf));
}

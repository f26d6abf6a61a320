import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { type NativeText, native } from '../../elicitation/display.ts';
import type { Sentence } from '../../elicitation/sentence.ts';
import {
	applies,
	COMMANDS,
	type Command,
	type CommandId,
	type SubjectKind,
	type SubjectOf,
	type Subjects,
} from './commandTable.ts';
import { fullId } from './contributions.ts';
import { nativeText } from './localize.ts';
import { notify, showError } from './notifications.ts';
import { type NativeItem, showQuickPick } from './surfaces.ts';

/** How things of a kind are found, and how a list shows them. */
export interface Kind<T> {
	readonly placeHolder: NativeText;
	/** Resolves when all of them are known. */
	readonly settled?: Promise<unknown>;
	/** The things of this window, in the order in which lists show them. */
	all(): readonly T[];
	/** What an argument names: a row of a view, an id, or the thing itself. */
	named(argument: unknown): readonly T[];
	item(subject: T): NativeItem;
	/** Tells why nothing is done with what was named, if that is known. True if it did. */
	explain?(subject: T): boolean;
	/** Tells that there is nothing of the kind at all. Without it, the command says what it lacks. */
	offer?(): Promise<void>;
}

/** The kinds from which a command that was run on nothing lets the user choose. */
export type Kinds = {
	readonly [K in Exclude<SubjectKind, 'trusted' | 'tool' | 'prompt' | 'resource' | 'text'>]: Kind<Subjects[K]>;
};

type Chosen = {
	[Id in CommandId]: (typeof COMMANDS)[Id] extends Command<keyof Kinds> ? Id : never;
}[CommandId];

/** Registers a command that takes one argument, such as a row of a view. Shows its failures to the user. */
export function registerCommand(id: CommandId, run: (argument: unknown) => Promise<unknown>): vscode.Disposable {
	return vscode.commands.registerCommand(fullId(id), (argument: unknown) => run(argument).catch(showError));
}

/** A command of the manifest. Where the editor has translated its title, it keeps the original as well. */
interface ContributedCommand {
	readonly command: string;
	readonly title: string | { readonly value: string };
}

/** The commands that act on something. */
export class Commands {
	/** @param contributed the commands of the manifest, as the editor gives it */
	constructor(
		private readonly kinds: Kinds,
		private readonly contributed: readonly ContributedCommand[],
	) {}

	/** The title of a command in the language of the editor. */
	title(id: CommandId): NativeText {
		const title = this.contributed.find(({ command }) => command === fullId(id))?.title ?? id;
		return native(typeof title === 'string' ? title : title.value);
	}

	/** Registers a command that is run on what its argument names, or on what the user chooses. */
	register<Id extends Chosen>(
		id: Id,
		run: (subject: SubjectOf<Id>, argument: unknown) => Promise<unknown>,
	): vscode.Disposable {
		return registerCommand(id, async (argument) => {
			const subject = await this.choose(id, argument);
			return subject && run(subject, argument);
		});
	}

	/** What a command is to act on; undefined if there is nothing, of which the user is told, or nothing was chosen. */
	async choose<Id extends Chosen>(id: Id, argument: unknown): Promise<SubjectOf<Id> | undefined> {
		const { on, nothing, first }: Command = COMMANDS[id];
		const kind = this.kinds[on as keyof Kinds] as Kind<SubjectOf<Id>>;
		const rank = (each: SubjectOf<Id>) => Number(first?.(each as never) ?? false);
		const all = () => kind.all().toSorted((one, other) => rank(other) - rank(one));
		return chooseAmong(first ? { ...kind, all } : kind, argument, (each) => applies(id, each), nothing);
	}

	/** A server that fits. */
	chooseServer(
		argument: unknown,
		fits: (entry: Subjects['server']) => boolean,
	): Promise<Subjects['server'] | undefined> {
		return chooseAmong(this.kinds.server, argument, fits, COMMANDS.startServer.nothing);
	}

	/** One of some calls. */
	chooseCall(calls: readonly Call[], placeHolder: NativeText, nothing: Sentence): Promise<Call | undefined> {
		const kind = { ...this.kinds.call, placeHolder, all: () => calls.toReversed() };
		return chooseAmong(kind, undefined, () => true, nothing);
	}

	/** Whether there is anything that a command applies to. */
	canRun(id: CommandId): boolean {
		const { on }: Command = COMMANDS[id];
		const kind = this.kinds[on as keyof Kinds] as Kind<Subjects[SubjectKind]> | undefined;
		return kind?.all().some((each) => applies(id, each)) ?? false;
	}
}

async function chooseAmong<T>(
	kind: Kind<T>,
	argument: unknown,
	fits: (subject: T) => boolean,
	nothing: Sentence | undefined,
): Promise<T | undefined> {
	await kind.settled;
	const known = argument === undefined ? kind.all() : kind.named(argument);
	const candidates = known.filter(fits);
	if (candidates.length === 0) {
		const [named] = argument === undefined ? [] : known;
		if (named !== undefined && kind.explain?.(named)) {
			return undefined;
		}
		if (kind.offer && kind.all().length === 0) {
			await kind.offer();
		} else if (nothing) {
			void notify('information', nativeText(nothing));
		}
		return undefined;
	}
	if (candidates.length === 1) {
		return candidates[0];
	}
	const items = candidates.map((subject) => ({ ...kind.item(subject), subject }));
	const options = { placeHolder: kind.placeHolder, matchOnDescription: true, matchOnDetail: true };
	return (await showQuickPick(items, options))?.subject;
}

/** Max time between the two clicks of a double click (ms). */
const DOUBLE_CLICK = 500;

/**
 * Recognizes the second click of a double click on what the key identifies: VS Code and pages run a command for each.
 * Never for an empty key.
 */
export function doubleClicks(): (key: string) => boolean {
	let last = { key: '', time: 0 };
	return (key) => {
		const time = performance.now();
		const isSecond = key !== '' && key === last.key && time - last.time < DOUBLE_CLICK;
		last = { key, time };
		return isSecond;
	};
}

import * as vscode from 'vscode';
import type { Addition } from '../../../config/addition.ts';
import type { Snippet } from '../../../config/foreignDocument.ts';
import { proposedName } from '../../../config/proposedName.ts';
import { native, together, visibleOnOneLine } from '../../../elicitation/display.ts';
import { fullId, REVEAL_SERVER } from '../../common/contributions.ts';
import { problemText } from '../../common/descriptions.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify, showModal } from '../../common/notifications.ts';
import type { ConfigSource } from '../../common/serverEntry.ts';
import { sourceText } from '../configSource.ts';
import type { Configuration } from '../configuration.ts';
import { askServer, MAX_DETAIL, whatRuns } from './askServer.ts';
import { type Answer, askText, BACK, pickMany, pickOne } from './boxes.ts';
import { save, targets } from './save.ts';

/** The command `addServer`: asks for a server, a name and a config source, and saves the definition there. */
export async function addServer(configuration: Configuration): Promise<void> {
	const asked = await ask(configuration);
	if (!asked) {
		return;
	}
	const { addition, source } = asked;
	if (!(await isSeen(addition))) {
		return;
	}
	await save(source, addition);
	await configuration.reload();
	const [{ name }] = addition.servers;
	const start = localize('Start Server');
	const show = localize('Show Definition');
	const others = addition.servers.length - 1;
	const text =
		others > 0
			? localizeNative('"{0}" and {1} more were added to {2}.', name, others, sourceText(source))
			: localizeNative('"{0}" was added to {1}.', name, sourceText(source));
	// The inputs and variables of the server are known only now.
	const problem = configuration.servers
		.filter((server) => addition.servers.some((added) => added.name === server.name))
		.flatMap(({ problems }) => problems)
		.find(({ severity }) => severity === 'error');
	await vscode.commands.executeCommand(REVEAL_SERVER, name);
	const choice = await (problem
		? notify(
				'warning',
				together([text, localizeNative('It cannot be started yet: {0}', problemText(problem))], ' '),
				show,
			)
		: notify('information', text, ...(vscode.workspace.isTrusted ? [start] : []), show));
	if (choice !== undefined) {
		await vscode.commands.executeCommand(fullId(choice === start ? 'startServer' : 'showDefinition'), name);
	}
}

/** Max characters of what is run in a dialog. Nobody reads more. */
const MAX_IN_DIALOG = 10_000;

/** Shows what is run whole if the rows could not: what a link defines runs without another question. */
async function isSeen(addition: Addition): Promise<boolean> {
	const runs = addition.servers.map((server) => ({ name: server.name, what: whatRuns(addition, server) }));
	const long = runs.filter(({ what }) => native(what).length > MAX_DETAIL);
	const shown = long.map(({ name, what }) => `${visibleOnOneLine(name)}: ${what}`);
	const detail = native(shown.join('\n\n'));
	if (detail.length > MAX_IN_DIALOG) {
		throw new Error(localize('What it would run is too long to be shown. Write the definition into a file yourself.'));
	}
	const add = localize('Add');
	const question = localizeNative('Add "{0}"? Read what it would run.', long.map(({ name }) => name).join(', '));
	return long.length === 0 || (await showModal('warning', question, detail, add)) === add;
}

interface Asked {
	readonly addition: Addition;
	readonly source: ConfigSource;
}

/** Asks step by step, and again from the step before where the user goes back; undefined if the user cancelled. */
async function ask(configuration: Configuration): Promise<Asked | undefined> {
	let text = '';
	for (;;) {
		const entered = await askServer(text);
		if (entered === undefined || entered === BACK) {
			return undefined;
		}
		text = entered.text;
		const asked = await askRest(configuration, entered.snippet);
		if (asked !== BACK) {
			return asked;
		}
	}
}

async function askRest(configuration: Configuration, snippet: Snippet): Promise<Answer<Asked>> {
	const [first, ...more] = snippet.servers;
	// Nothing is left to ask about a single server that has a name.
	const isSettled = first?.name !== undefined && more.length === 0;
	let name = first && freeName(configuration, proposedName(first.definition));
	for (;;) {
		const addition = isSettled ? (snippet as Addition) : await askNames(configuration, snippet, name ?? '');
		if (addition === undefined || addition === BACK) {
			return addition;
		}
		name = addition.servers[0].name;
		const source = await askTarget(configuration, addition);
		if (source !== BACK || isSettled) {
			return source && source !== BACK ? { addition, source } : source;
		}
	}
}

/** Asks which of several servers to add, or for the name of one that has none. */
async function askNames(configuration: Configuration, snippet: Snippet, proposed: string): Promise<Answer<Addition>> {
	const { servers, inputs } = snippet;
	const [first] = servers;
	if (first?.name === undefined) {
		const name = await askName(configuration, proposed);
		return first && typeof name === 'string' ? { servers: [{ ...first, name }], inputs } : (name as Answer<never>);
	}
	const items = (snippet as Addition).servers.map((server) => ({
		label: native(server.name),
		detail: native(whatRuns(snippet, server), MAX_DETAIL),
		server,
	}));
	const chosen = await pickMany(items, localize('Which servers should be added?'));
	if (chosen === undefined || chosen === BACK) {
		return chosen;
	}
	const [one, ...others] = chosen.map(({ server }) => server);
	return one && { servers: [one, ...others], inputs };
}

/** The name, with a number if there is a server of this name. */
function freeName({ servers }: Configuration, name: string): string {
	const isTaken = (candidate: string) => servers.some((server) => server.name === candidate);
	let free = name;
	for (let number = 2; name !== '' && isTaken(free); number++) {
		free = `${name}-${number}`;
	}
	return free;
}

function askName(configuration: Configuration, proposed: string): Promise<Answer<string>> {
	return askText(localize('The name under which its requests are shown'), proposed, (text) => {
		if (text.trim() === '') {
			return localize('Enter a name.');
		}
		const taken = configuration.servers.find((server) => server.name === text);
		return taken && localizeNative('A server with this name already exists in {0}.', sourceText(taken.source));
	});
}

async function askTarget(configuration: Configuration, { servers }: Addition): Promise<Answer<ConfigSource>> {
	const items = targets(
		configuration.sources,
		servers.map(({ name }) => name),
	);
	const [first, ...others] = items;
	// What is replaced is said in the list, and gone for good afterwards.
	const isClear = others.length === 0 && first?.detail === undefined;
	const chosen = isClear ? first : await pickOne(items, localize('Where should the definition be stored?'));
	return typeof chosen === 'object' ? chosen.source : chosen;
}

import { isFilledText, isObject, type Json, own } from '../elicitation/json.ts';
import { localizable } from '../elicitation/sentence.ts';
import { type ConfigProblem, error } from './problem.ts';

/** The debugger that attaches to a server: `node`, `debugpy`, or any other type that attaches to a process by its id. */
export interface DebuggerDefinition {
	readonly type: string;
	/** For `debugpy`: the folder of the Python package, if neither the editor nor Python has it. */
	readonly debugpyPath?: string;
}

/** `dev`: what its author wants of a server. The shape of `mcp.json`; `replay` is this client's own. */
export interface Development {
	/** Globs of the files that restart the server when they change, relative to the workspace folder; `!` excludes. */
	readonly watch: readonly string[];
	/** Whether the last call is replayed after such a restart, with its recorded responses. */
	readonly replay: boolean;
	readonly debug?: DebuggerDefinition;
}

/** True if anything is turned on: a debugger, restarts, or replays. */
export function turnsOn(dev: Development | undefined): dev is Development {
	return dev !== undefined && (dev.debug !== undefined || dev.watch.length > 0 || dev.replay);
}

/** Reads the member `dev`. Problems are warnings: the server itself can be used. */
export function readDevelopment(value: Json): { development: Development; problems: ConfigProblem[] } {
	const [watch, debug, replay] = ['watch', 'debug', 'replay'].map((name) => own(value, name));
	const listed = watch === undefined ? [] : [watch].flat();
	const globs = listed.filter(isFilledText);
	const isList = globs.length === listed.length;
	const type = own(debug, 'type');
	const path = own(debug, 'debugpyPath');
	const problems = [
		...(isObject(value) ? [] : [error(['dev'], localizable('must be an object.'))]),
		...(isList ? [] : [error(['dev', 'watch'], localizable('must be a glob or a list of globs.'))]),
		...(replay === undefined || typeof replay === 'boolean'
			? []
			: [error(['dev', 'replay'], localizable('must be true or false.'))]),
		...(debug === undefined || isFilledText(type)
			? []
			: [error(['dev', 'debug'], localizable('must be an object with the "type" of a debugger, for example "node".'))]),
	];
	return {
		development: {
			watch: isList ? globs : [],
			replay: replay === true,
			...(isFilledText(type) && { debug: { type, ...(isFilledText(path) && { debugpyPath: path }) } }),
		},
		problems: problems.map((problem) => ({ ...problem, severity: 'warning' })),
	};
}

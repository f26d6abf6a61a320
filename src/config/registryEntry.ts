import { sameJson } from '../elicitation/form/flatten.ts';
import { isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import { textOf } from '../elicitation/jsonText.ts';

/** A server as written to `mcp.json`, with the inputs that it uses. */
interface Written {
	readonly definition: JsonObject;
	readonly inputs: readonly Json[];
}

/** How packages of each registry are run, without being installed first. */
const RUNNERS: Readonly<Record<string, { command: string; before: string[]; separator: string; after: string[] }>> = {
	npm: { command: 'npx', before: ['-y'], separator: '@', after: [] },
	pypi: { command: 'uvx', before: [], separator: '@', after: [] },
	nuget: { command: 'dnx', before: [], separator: '@', after: ['--yes', '--'] },
	oci: { command: 'docker', before: ['run', '-i', '--rm'], separator: ':', after: [] },
};

/** True for an entry of an MCP registry (`server.json`), alone or as a registry sends it. */
export function isRegistryEntry(value: Json): boolean {
	const entry = own(value, 'server') ?? value;
	return typeof own(entry, 'name') === 'string' && [own(entry, 'packages'), own(entry, 'remotes')].some(Array.isArray);
}

/**
 * Translates an entry of an MCP registry: its first remote server, else its first package that can be run. What the
 * user has to provide becomes an input. Undefined if there is neither.
 * @see https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md
 */
export function readRegistryEntry(value: Json): (Written & { readonly name: string }) | undefined {
	const entry = own(value, 'server') ?? value;
	const found = first(own(entry, 'remotes'), remote) ?? first(own(entry, 'packages'), program);
	return found && { ...found, name: textOf(own(entry, 'name')) };
}

function first(list: Json | undefined, read: (value: Json) => Written | undefined): Written | undefined {
	return (Array.isArray(list) ? list : []).map(read).find((found) => found !== undefined);
}

function remote(value: Json): Written | undefined {
	const inputs = new Inputs();
	const url = own(value, 'url');
	const type = own(value, 'type') === 'sse' ? 'sse' : 'http';
	return typeof url === 'string'
		? {
				definition: {
					type,
					url: inputs.fill(url, own(value, 'variables')),
					...pairs('headers', inputs, own(value, 'headers')),
				},
				inputs: inputs.all,
			}
		: undefined;
}

function program(value: Json): Written | undefined {
	const [registry, id, version] = ['registryType', 'identifier', 'version'].map((name) => own(value, name));
	const runner = typeof registry === 'string' && Object.hasOwn(RUNNERS, registry) ? RUNNERS[registry] : undefined;
	if (!runner || typeof id !== 'string' || (own(own(value, 'transport'), 'type') ?? 'stdio') !== 'stdio') {
		return undefined;
	}
	const inputs = new Inputs();
	const { command, before, separator, after } = runner;
	const variables = pairs('env', inputs, own(value, 'environmentVariables'));
	// A container gets only the variables that are named.
	const passed = registry === 'oci' ? Object.keys(variables.env ?? {}).flatMap((name) => ['-e', name]) : [];
	const args = [
		...before,
		...inputs.arguments(own(value, 'runtimeArguments')),
		...passed,
		typeof version === 'string' ? `${id}${separator}${version}` : id,
		...after,
		...inputs.arguments(own(value, 'packageArguments')),
	];
	return { definition: { type: 'stdio', command, args, ...variables }, inputs: inputs.all };
}

/** Named values as a member of the definition; absent if there are none. */
function pairs(member: 'env' | 'headers', inputs: Inputs, list: Json | undefined): Record<string, JsonObject> {
	const entries = (Array.isArray(list) ? list : []).flatMap((each) => {
		const name = own(each, 'name');
		const text = typeof name === 'string' ? inputs.value(each, name) : undefined;
		return text === undefined ? [] : [[name, text] as const];
	});
	return entries.length > 0 ? { [member]: Object.fromEntries(entries) as JsonObject } : {};
}

/** Collects what the user has to provide. */
class Inputs {
	readonly #inputs = new Map<string, Json>();
	/** How many arguments have been read. */
	#arguments = 0;

	get all(): readonly Json[] {
		return [...this.#inputs.values()];
	}

	/** `{name}` in a text refers to one of its variables. */
	fill(text: string, variables: Json | undefined): string {
		return text.replace(/\{([\w-]+)\}/g, (whole, name: string) => {
			const variable = own(variables, name);
			return isObject(variable) ? (this.value(variable, name) ?? this.#input(variable, name)) : whole;
		});
	}

	/** A value as given, or an input for it; undefined for an optional one without a default. */
	value(described: Json, name: string): string | undefined {
		const fixed = own(described, 'value');
		if (typeof fixed === 'string') {
			return this.fill(fixed, own(described, 'variables'));
		}
		if (own(described, 'isRequired') === true || own(described, 'isSecret') === true) {
			return this.#input(described, name);
		}
		const fallback = own(described, 'default');
		return fallback === undefined ? undefined : textOf(fallback);
	}

	arguments(list: Json | undefined): string[] {
		return (Array.isArray(list) ? list : []).flatMap((each) => {
			this.#arguments++;
			const flag = own(each, 'type') === 'named' ? own(each, 'name') : undefined;
			const hint = own(each, 'valueHint') ?? own(each, 'name') ?? `argument ${this.#arguments}`;
			const value = this.value(each, textOf(hint).replace(/^-+/, ''));
			const isSwitch = typeof flag === 'string' && value === undefined && own(each, 'isRequired') === true;
			return isSwitch || value !== undefined ? [flag, value].filter((word) => typeof word === 'string') : [];
		});
	}

	/** Values of one name that are described differently are several inputs. */
	#input(described: Json, name: string): string {
		const [description, fallback, choices] = ['description', 'default', 'choices'].map((name) => own(described, name));
		const isMasked = own(described, 'isSecret') === true;
		const input = {
			type: Array.isArray(choices) ? 'pickString' : 'promptString',
			...(typeof description === 'string' && { description }),
			// What an entry proposes for a secret is none.
			...(fallback !== undefined && (!isMasked || Array.isArray(choices)) && { default: fallback }),
			...(Array.isArray(choices) ? { options: choices } : isMasked && { password: true }),
		};
		const isTaken = (id: string) => {
			const other = this.#inputs.get(id);
			return other !== undefined && !sameJson(other, { id, ...input });
		};
		let id = name;
		for (let number = 2; isTaken(id); number++) {
			id = `${name}-${number}`;
		}
		this.#inputs.set(id, { id, ...input });
		return `\${input:${id}}`;
	}
}

// @ts-check
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * @typedef {object} Module a source file of the SDK
 * @property {string} text
 * @property {string} code the text without comments
 * @property {ReadonlySet<string>} declared the names at its top
 * @property {ReadonlySet<string>} mentioned every word in it: what it needs, and more
 *
 * @typedef {object} Bundle a file of a package
 * @property {readonly Module[]} modules
 * @property {ReadonlyMap<string, { from: string, clause: string }>} imports by the name that they have in it
 * @property {readonly (readonly [local: string, exported: string])[]} exports
 */

const PACKAGES = ['client', 'server'].map((name) =>
	join(dirname(import.meta.dirname), 'node_modules/@modelcontextprotocol', name, 'dist'),
);
const MODULE = /^\/\/#region .*\n([\s\S]*?)^\/\/#endregion\n?/gm;
const IMPORT = /^import (.+?) from "([^"]+)";\n?/gm;
const EXPORT = /^export \{(.*)\};\n?/m;
const DECLARATION = /^(?:async )?(?:const|let|var|function\*?|class) ([A-Za-z_$][\w$]*)/gm;
const ACTION = /^(?!(?:async |const|let|var|function|class)\b)[A-Za-z_$([]/m;
const COMMENT = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;

/**
 * The SDK's packages for clients and for servers are bundles that each hold a copy of what both share. This takes them apart
 * into the modules that they were made of (they say where each begins), so that what is the same is shipped once, and what
 * nobody uses is left out: a seventh of the whole package. A bundle of another form stays as it is.
 * @type {import('esbuild').Plugin}
 */
export const sdkModules = {
	name: 'sdk-modules',
	setup({ onStart, onResolve, onLoad }) {
		/** @type {Awaited<ReturnType<typeof readSdk>>} */
		let sdk;
		onStart(async () => {
			sdk = await readSdk();
		});
		onResolve({ filter: /^sdk-module:/ }, ({ path: name }) => {
			const { file, acts } = /** @type {Placed} */ (sdk.modules.get(name));
			return { path: file, suffix: `?${name}`, sideEffects: acts };
		});
		onLoad({ filter: /[\\/]@modelcontextprotocol[\\/](?:client|server)[\\/]dist[\\/]/ }, ({ path, suffix }) => {
			const contents = suffix ? sdk.modules.get(suffix.slice(1))?.contents : sdk.files.get(path);
			return contents === undefined ? undefined : { contents };
		});
	},
};

/**
 * @typedef {object} Placed a module in the first file that has it
 * @property {string} file absolute
 * @property {string} contents
 * @property {boolean} acts does more than to declare something
 */

async function readSdk() {
	/** @type {Map<string, string>} */
	const texts = new Map();
	for (const folder of PACKAGES) {
		for (const file of (await readdir(folder)).sort()) {
			if (file.endsWith('.mjs')) {
				texts.set(join(folder, file), await readFile(join(folder, file), 'utf8'));
			}
		}
	}
	/** @type {Map<string, string>} */
	const files = new Map();
	/** @type {Map<string, Placed>} */
	const modules = new Map();
	for (const [file, text] of texts) {
		const bundle = takeApart(text, file);
		if (bundle) {
			const names = nameModules(bundle, texts);
			for (const [module, name] of names) {
				if (!modules.has(name)) {
					modules.set(name, { file, contents: moduleText(module, bundle, names), acts: ACTION.test(module.code) });
				}
			}
			files.set(file, exportsText(bundle, names));
		}
	}
	return { files, modules };
}

/**
 * @param {string} text
 * @param {string} path
 * @returns {Bundle | undefined} undefined where there is more in it than modules between imports and exports
 */
function takeApart(text, path) {
	const rest = text.replace(MODULE, '').replace(IMPORT, '').replace(EXPORT, '').replace(COMMENT, '');
	if (rest.trim() !== '') {
		return undefined;
	}
	const modules = [...text.matchAll(MODULE)].map(([, body = '']) => ({
		text: body,
		code: body.replace(COMMENT, ''),
		declared: new Set([...body.matchAll(DECLARATION)].map(([, name = '']) => name)),
		mentioned: new Set(body.replace(COMMENT, '').match(/[A-Za-z_$][\w$]*/g)),
	}));
	const imports = new Map();
	for (const [, clause = '', from = ''] of text.replace(MODULE, '').matchAll(IMPORT)) {
		const absolute = from.startsWith('.') ? resolve(dirname(path), from) : from;
		const members = /^\{(.*)\}$/
			.exec(clause)?.[1]
			?.split(',')
			.map((member) => `{ ${member.trim()} }`);
		for (const each of members ?? [clause]) {
			const [local = ''] = /[\w$]+(?= \}$|$)/.exec(each) ?? [];
			imports.set(local, { from: absolute, clause: each });
		}
	}
	const exports = (EXPORT.exec(text)?.[1] ?? '').split(',').map((each) => {
		const [local = '', exported = local] = each.trim().split(' as ');
		return /** @type {const} */ ([local, exported]);
	});
	return { modules, imports, exports };
}

/**
 * The same name where the text is the same and all that it needs, however far away.
 * @param {Bundle} bundle
 * @param {ReadonlyMap<string, string>} texts of all files
 * @returns {ReadonlyMap<Module, string>}
 */
function nameModules(bundle, texts) {
	const names = new Map();
	const needs = new Map(bundle.modules.map((module) => [module, neededBy(module, bundle).map(([other]) => other)]));
	for (const module of bundle.modules) {
		const reached = new Set([module]);
		for (const each of reached) {
			for (const other of needs.get(each) ?? []) {
				reached.add(other);
			}
		}
		const files = new Set(
			[...reached].flatMap((each) => importsOf(each, bundle)).map(({ from }) => texts.get(from) ?? ''),
		);
		const rest = [...[...reached].map(({ text }) => text), ...files].sort();
		const hash = createHash('sha256').update([module.text, ...rest].join('\0'));
		names.set(module, `sdk-module:${hash.digest('hex').slice(0, 16)}`);
	}
	return names;
}

/**
 * The other modules of the bundle that a module needs, with the names that it needs of them.
 * @param {Module} module
 * @param {Bundle} bundle
 */
function neededBy(module, { modules }) {
	return modules
		.filter((other) => other !== module)
		.map((other) => /** @type {const} */ ([other, [...other.declared].filter((name) => module.mentioned.has(name))]))
		.filter(([, names]) => names.length > 0);
}

/**
 * @param {Module} module
 * @param {Bundle} bundle
 */
function importsOf({ mentioned }, { imports }) {
	return [...imports].filter(([local]) => mentioned.has(local)).map(([, { from, clause }]) => ({ from, clause }));
}

/**
 * @param {Module} module
 * @param {Bundle} bundle
 * @param {ReadonlyMap<Module, string>} names
 */
function moduleText(module, bundle, names) {
	return [
		...importsOf(module, bundle).map(({ from, clause }) => `import ${clause} from ${JSON.stringify(from)};`),
		...neededBy(module, bundle).map(([other, needed]) => `import { ${needed} } from '${names.get(other)}';`),
		module.text,
		`export { ${[...module.declared]} };`,
	].join('\n');
}

/**
 * @param {Bundle} bundle
 * @param {ReadonlyMap<Module, string>} names
 */
function exportsText({ modules, imports, exports }, names) {
	return exports
		.map(([local, exported]) => {
			const module = modules.find(({ declared }) => declared.has(local));
			if (module) {
				return `export { ${local} as ${exported} } from '${names.get(module)}';`;
			}
			const { from, clause } = imports.get(local) ?? { from: '', clause: local };
			return `import ${clause} from ${JSON.stringify(from)};\nexport { ${local} as ${exported} };`;
		})
		.join('\n');
}

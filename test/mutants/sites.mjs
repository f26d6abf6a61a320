// @ts-check
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { root } from '../harness/paths.mjs';

/** @typedef {{ id: number, file: string, line: number, start: number, end: number, from: string, to: string }} Mutant */
/** @typedef {Omit<Mutant, 'id'>} Site A place that can be mutated, and how. */
/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node */

/** Max length of what a report shows (characters). */
const SHOWN = 60;

/** @type {Readonly<Record<string, string>>} */
const OPERATORS = {
	'<': '<=',
	'<=': '<',
	'>': '>=',
	'>=': '>',
	'===': '!==',
	'!==': '===',
	'-': '+',
	'*': '/',
	'&&': '||',
	'||': '&&',
};

/**
 * Mutants that are spread evenly over everything that can be mutated; the same ones for the same source.
 * @param {readonly string[]} prefixes of the files, such as `src/config/`
 * @param {number} count
 * @returns {Promise<readonly Mutant[]>}
 */
export async function chooseMutants(prefixes, count) {
	const sources = (await readdir(join(root, 'src'), { recursive: true })).map(
		(name) => `src/${name.replaceAll('\\', '/')}`,
	);
	const files = sources.filter((file) => file.endsWith('.ts') && prefixes.some((prefix) => file.startsWith(prefix)));
	const sites = (await Promise.all(files.map(sitesOf))).flat();
	const chance = new Map(sites.map((site) => [site, hash(`${site.file}:${site.start}:${site.to}`)]));
	/** @type {Site[]} */
	const chosen = [];
	for (const site of [...sites].sort((one, other) => ((chance.get(one) ?? '') < (chance.get(other) ?? '') ? -1 : 1))) {
		const overlaps = chosen.some(
			(other) => other.file === site.file && other.start < site.end && site.start < other.end,
		);
		if (!overlaps && chosen.length < count) {
			chosen.push(site);
		}
	}
	return chosen.map((site, id) => ({ id, ...site }));
}

/** @param {string} text */
const hash = (text) => createHash('sha256').update(text).digest('hex');

/**
 * @param {string} file
 * @returns {Promise<readonly Site[]>}
 */
async function sitesOf(file) {
	const source = await readFile(join(root, file), 'utf8');
	/** @type {Site[]} */
	const sites = [];
	const add = (/** @type {Node} */ { start, end }, /** @type {string} */ to) => {
		const line = source.slice(0, start).split('\n').length;
		sites.push({ file, line, start, end, from: source.slice(start, end).slice(0, SHOWN), to });
	};
	const text = (/** @type {Node} */ { start, end }) => source.slice(start, end);
	walk(parseSync(file, source, { lang: 'ts' }).program, (node, parent) => {
		const to = mutationOf(node, parent, text);
		if (to !== undefined) {
			add(node.type === 'IfStatement' ? node['test'] : node, to);
		}
	});
	return sites;
}

/**
 * What replaces a node; undefined if nothing does.
 * @param {Node} node
 * @param {Node} parent
 * @param {(node: Node) => string} text
 * @returns {string | undefined}
 */
function mutationOf(node, parent, text) {
	switch (node.type) {
		case 'BinaryExpression':
		case 'LogicalExpression': {
			const operator = OPERATORS[node['operator']];
			return operator && `(${text(node['left'])}) ${operator} (${text(node['right'])})`;
		}
		case 'UnaryExpression':
			return node['operator'] === '!' ? text(node['argument']) : undefined;
		case 'ConditionalExpression':
			return `(${text(node['test'])}) ? (${text(node['alternate'])}) : (${text(node['consequent'])})`;
		case 'IfStatement':
			return 'false';
		case 'ExpressionStatement': {
			const { expression } = node;
			const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
			return call.type === 'CallExpression' && call.callee.type !== 'Super' ? '' : undefined;
		}
		case 'Literal':
			return literal(node, parent);
		default:
			return undefined;
	}
}

/**
 * @param {Node} node
 * @param {Node} parent
 */
function literal({ value }, parent) {
	const isName = (parent.type === 'Property' || parent.type === 'MemberExpression') && !Array.isArray(parent['value']);
	if (typeof value === 'boolean') {
		return String(!value);
	}
	if (typeof value === 'number') {
		return String(value + 1);
	}
	return typeof value === 'string' && value !== '' && !isName && parent.type !== 'ImportExpression' ? "''" : undefined;
}

/**
 * Visits what runs when a function does: what runs as a module loads cannot be switched.
 * @param {Node} node
 * @param {(node: Node, parent: Node) => void} visit
 * @param {Node} [parent]
 * @param {boolean} [inFunction]
 */
function walk(node, visit, parent = node, inFunction = false) {
	if (
		node.type.startsWith('TS') &&
		!['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(node.type)
	) {
		return;
	}
	if (inFunction) {
		visit(node, parent);
	}
	const inside = inFunction || node.type.includes('Function');
	for (const [key, child] of Object.entries(node)) {
		// The name of a property is no text that anybody decides by.
		const isType = key === 'typeAnnotation' || key === 'typeArguments' || key === 'returnType';
		for (const each of isType ? [] : Array.isArray(child) ? child : [child]) {
			if (typeof each === 'object' && each !== null && typeof each.type === 'string') {
				walk(each, visit, node, inside);
			}
		}
	}
}

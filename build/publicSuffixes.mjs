// @ts-check
/**
 * The list of public suffixes, as compact as text can be: tldts carries it as arrays sorted by hashes, of which little is left
 * to compress. Its search, which is not touched, gets arrays of the same kind.
 */

/**
 * What tldts searches in: nodes, whose edges stand together, sorted by the hash of their labels.
 * @typedef {object} Trie
 * @property {ArrayLike<number>} nodeFlags of each node: 1 for a suffix of ICANN's, 2 for a private one
 * @property {ArrayLike<number>} edgeStart of each node, and one more
 * @property {ArrayLike<number>} edgeChild of each edge
 * @property {ArrayLike<number>} edgeLength of each edge: of its label
 * @property {string} labelText all labels, one after the other
 * @property {number} rulesRoot
 * @property {number} exceptionsRoot
 */

/** @typedef {{ label: string, flags: number, edges: Edge[] }} Edge */
/** @typedef {{ label: string, hash: number, flags: number, edges: HashedEdge[] }} HashedEdge */

/** Say the flags of the labels that follow. */
const FLAGS = '!+=&';
/** Begin a label: by how many characters it shares with the one before. No label has capitals. */
const SHARED = 'ABCDEFGHIJ';
/** Below the label before. */
const [DOWN, UP] = ['(', ')'];
/** A host that has been parsed as a part of a URL is always written with these. */
const ASCII = /^[\w*-]+$/;

/**
 * @param {Trie} trie
 * @returns {string} each root's labels in alphabetical order, each with what is below it
 */
export function pack(trie) {
	const { rulesRoot, exceptionsRoot } = trie;
	let flags = -1;
	const write = (/** @type {Edge[]} */ edges) => {
		let before = '';
		let text = '';
		for (const { label, flags: own, edges: below } of edges.sort((a, b) => (a.label < b.label ? -1 : 1))) {
			text += own === flags ? '' : FLAGS.charAt(own);
			flags = own;
			const same = shared(before, label);
			text += SHARED.charAt(same) + label.slice(same);
			before = label;
			text += below.length === 0 ? '' : `${DOWN}${write(below)}${UP}`;
		}
		return text;
	};
	const offsets = offsetsOf(trie);
	return write(
		[rulesRoot, exceptionsRoot].map((root, at) => ({
			label: String(at),
			flags: 0,
			edges: edgesOf(trie, offsets, root),
		})),
	);
}

/**
 * @param {Trie} trie
 * @param {readonly number[]} offsets
 * @param {number} node
 * @returns {Edge[]}
 */
function edgesOf(trie, offsets, node) {
	const edges = [];
	for (let edge = Number(trie.edgeStart[node]); edge < Number(trie.edgeStart[node + 1]); edge++) {
		const label = trie.labelText.substr(Number(offsets[edge]), Number(trie.edgeLength[edge]));
		const child = Number(trie.edgeChild[edge]);
		if (ASCII.test(label)) {
			edges.push({ label, flags: Number(trie.nodeFlags[child]), edges: edgesOf(trie, offsets, child) });
		}
	}
	return edges;
}

/** @param {Trie} trie */
function offsetsOf({ edgeLength }) {
	let offset = 0;
	return Array.from(edgeLength, (length) => {
		offset += length;
		return offset - length;
	});
}

/**
 * @param {string} one
 * @param {string} other
 */
function shared(one, other) {
	let length = 0;
	while (length < SHARED.length - 1 && length < one.length && one[length] === other[length]) {
		length++;
	}
	return length;
}

/**
 * Runs in the product, when the list is used for the first time.
 * @param {string} text
 * @returns {Trie}
 */
export function unpack(text) {
	const nodeFlags = [0];
	const edgeStart = [0];
	/** @type {number[]} */
	const edgeChild = [];
	/** @type {number[]} */
	const edgeLength = [];
	let labelText = '';
	const nodes = [read(text)];
	for (let node = 0; node < nodes.length; node++) {
		for (const { label, flags, edges } of (nodes[node] ?? []).sort((a, b) => a.hash - b.hash)) {
			edgeChild.push(nodes.push(edges) - 1);
			nodeFlags.push(flags);
			edgeLength.push(label.length);
			labelText += label;
		}
		edgeStart.push(edgeChild.length);
	}
	const rootNamed = (/** @type {string} */ name) => Number(edgeChild[labelText.slice(0, 2).indexOf(name)]);
	return {
		...{ edgeChild, edgeLength, labelText },
		nodeFlags: Uint8Array.from(nodeFlags),
		edgeStart: Uint16Array.from(edgeStart),
		rulesRoot: rootNamed('0'),
		exceptionsRoot: rootNamed('1'),
	};
}

/**
 * @param {string} text
 * @returns {HashedEdge[]}
 */
function read(text) {
	/** @type {HashedEdge[]} */
	let edges = [];
	const above = [];
	let flags = 0;
	for (const [, mark, count = '', rest = '', move] of text.matchAll(/([!+=&]?)([A-J])([^!+=&A-J()]*)|([()])/g)) {
		if (move === DOWN) {
			above.push(edges);
			edges = edges.at(-1)?.edges ?? [];
		} else if (move === UP) {
			edges = above.pop() ?? [];
		} else {
			flags = mark ? FLAGS.indexOf(mark) : flags;
			const label = (edges.at(-1)?.label ?? '').slice(0, SHARED.indexOf(count)) + rest;
			edges.push({ label, hash: hash(label), flags, edges: [] });
		}
	}
	return edges;
}

/**
 * As tldts computes it.
 * @param {string} label
 */
function hash(label) {
	let value = 5381;
	for (let at = label.length - 1; at >= 0; at--) {
		value = (value * 33) ^ label.charCodeAt(at);
	}
	return value >>> 0;
}

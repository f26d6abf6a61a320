import { useState } from 'preact/hooks';
import { shorten } from '../../elicitation/display.ts';
import { embeddedJson, writeJson } from '../../elicitation/jsonText.ts';
import { Bdi, useT } from '../common/text.tsx';

const MOST_CHILDREN = 200;
const DEEPEST = 32;
const LONGEST_VALUE = 10_000;
/** A branch is open to begin with among so few others, if there is no more than this in it. */
const FEW_BRANCHES = 10;
const FEW_NODES = 20;

/** JSON as a tree, what is large in it folded. Branches are drawn when they are first opened, and are bounded in width and depth. */
export function Tree({ value }: { readonly value: unknown }) {
	return (
		<div class="tree">
			<Node value={value} depth={0} isAmongFew />
		</div>
	);
}

interface NodeProps {
	readonly name?: string;
	readonly value: unknown;
	readonly depth: number;
	readonly isAmongFew: boolean;
}

/** A value; a text that is JSON is shown as what it holds. */
function Node({ name, value: sent, depth, isAmongFew }: NodeProps) {
	const t = useT();
	const embedded = embeddedJson(sent);
	const value = embedded ?? sent;
	const isOpen = depth === 0 || (isAmongFew && sizeOf(value, FEW_NODES) <= FEW_NODES);
	const [isDrawn, setDrawn] = useState(isOpen);
	const label =
		name === undefined ? null : (
			<>
				<Bdi in="span" class="code name" text={name} />:{' '}
			</>
		);
	const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
	const brackets = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
	if (entries.length === 0) {
		return (
			<div class="leaf">
				{label}
				{typeof value === 'object' && value !== null ? brackets : <Leaf value={value} />}
			</div>
		);
	}
	return (
		<details open={isOpen} onToggle={() => setDrawn(true)}>
			<summary>
				{label}
				<span class="note">{embedded ? t('text, as JSON: {0}', brackets) : brackets}</span>
			</summary>
			{isDrawn ? <Children entries={entries} depth={depth + 1} /> : null}
		</details>
	);
}

function Children({ entries, depth }: { readonly entries: readonly [string, unknown][]; readonly depth: number }) {
	const t = useT();
	if (depth > DEEPEST) {
		return <p class="note">{t('Nested too deeply to be shown. The raw JSON has all of it.')}</p>;
	}
	const hidden = entries.length - MOST_CHILDREN;
	return (
		<div class="children">
			{entries.slice(0, MOST_CHILDREN).map(([name, value]) => (
				<Node name={name} value={value} depth={depth} isAmongFew={entries.length <= FEW_BRANCHES} />
			))}
			{hidden > 0 ? <p class="note">{t('Not shown: {0} more. The raw JSON has all of it.', hidden)}</p> : null}
		</div>
	);
}

/** How many values there are in a value; the count ends beyond a limit. */
function sizeOf(value: unknown, limit: number): number {
	let size = 0;
	for (const inner of typeof value === 'object' && value !== null ? Object.values(value) : []) {
		size += 1 + sizeOf(inner, limit - size - 1);
		if (size > limit) {
			break;
		}
	}
	return size;
}

function Leaf({ value }: { readonly value: unknown }) {
	const text = typeof value === 'string' ? writeJson(shorten(value, LONGEST_VALUE)) : String(value);
	return (
		<code class="plain">
			<Bdi text={text} />
		</code>
	);
}

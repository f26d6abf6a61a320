import { useState } from 'preact/hooks';
import { shorten } from '../../elicitation/display.ts';
import { writeJson } from '../../elicitation/jsonText.ts';
import { Bdi, useT } from '../common/text.tsx';

const MOST_CHILDREN = 200;
const DEEPEST = 32;
const LONGEST_VALUE = 10_000;

/** JSON as a folded tree. Branches are drawn when they are first opened, and are bounded in width and depth. */
export function Tree({ value }: { readonly value: unknown }) {
	return (
		<div class="tree">
			<Node value={value} depth={0} />
		</div>
	);
}

interface NodeProps {
	readonly name?: string;
	readonly value: unknown;
	readonly depth: number;
}

function Node({ name, value, depth }: NodeProps) {
	const [isDrawn, setDrawn] = useState(depth === 0);
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
		<details open={depth === 0} onToggle={() => setDrawn(true)}>
			<summary>
				{label}
				<span class="note">{brackets}</span>
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
				<Node name={name} value={value} depth={depth} />
			))}
			{hidden > 0 ? <p class="note">{t('Not shown: {0} more. The raw JSON has all of it.', hidden)}</p> : null}
		</div>
	);
}

function Leaf({ value }: { readonly value: unknown }) {
	const text = typeof value === 'string' ? writeJson(shorten(value, LONGEST_VALUE)) : String(value);
	return (
		<code class="plain">
			<Bdi text={text} />
		</code>
	);
}

import type { ComponentChild } from 'preact';
import { visible } from '../../elicitation/display.ts';
import type { ShownJson } from '../../timelineProtocol.ts';
import { Button } from '../common/button.tsx';
import { memo } from '../common/memo.ts';
import { useT } from '../common/text.tsx';

/** More than this is not colored: it would be more elements than a page can bear (characters). */
const MOST_COLORED = 30_000;

/** Names and texts of JSON that the host has printed. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

interface JsonBlockProps {
	readonly title: string;
	readonly json: ShownJson;
	readonly copy: () => void;
}

/** JSON to be read and selected, under a heading, with what copies it; hidden characters are visible in it. */
export function JsonBlock({ title, json: { text, cut }, copy }: JsonBlockProps) {
	const t = useT();
	const box = (
		<pre class="json" tabIndex={0} role="region" aria-label={title}>
			<Code text={text} />
		</pre>
	);
	return (
		<section class="block">
			<div class="block-head">
				<h2>{title}</h2>
				<Button class="link" aria-label={t('Copy: {0}', title)} onClick={copy}>
					{t('Copy')}
				</Button>
			</div>
			{cut === 0 ? (
				box
			) : (
				<div>
					{box}
					<p class="note">{t('Not shown: {0} characters. Open it as JSON to see all of it.', cut)}</p>
				</div>
			)}
		</section>
	);
}

/** Code keeps its direction. */
const Code = memo(({ text }: { readonly text: string }) => (
	<bdo dir="ltr">{text.length > MOST_COLORED ? visible(text) : colored(visible(text))}</bdo>
));

function colored(text: string): ComponentChild[] {
	const parts: ComponentChild[] = [];
	let end = 0;
	for (const match of text.matchAll(TOKEN)) {
		const [whole, quoted, colon] = match;
		const kind = colon === undefined ? 'json-text' : 'json-name';
		parts.push(text.slice(end, match.index), <span class={kind}>{quoted}</span>, colon);
		end = match.index + whole.length;
	}
	return [...parts, text.slice(end)].filter((part) => part !== '');
}

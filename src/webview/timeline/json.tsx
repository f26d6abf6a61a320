import type { ComponentChild } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import type { ShownJson } from '../../timelineProtocol.ts';
import { Button, ShowButton } from '../common/button.tsx';
import { memo } from '../common/memo.ts';
import { marked, Searched, useT } from '../common/text.tsx';

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
export function JsonBlock({ title, json, copy }: JsonBlockProps) {
	const t = useT();
	const searched = useContext(Searched);
	const [isShown, setShown] = useState(false);
	const { text, cut } = isShown ? json : (json.masked ?? json);
	const box = (
		<pre class="json" tabIndex={0} role="region" aria-label={title}>
			<Code text={text} searched={searched} />
		</pre>
	);
	return (
		<section class="block">
			<div class="texts apart">
				<h2>{title}</h2>
				<div class="bar buttons">
					{json.masked && (
						<ShowButton
							class="link inline"
							aria-label={t('Show: {0}', title)}
							isShown={isShown}
							onClick={() => setShown(!isShown)}
						/>
					)}
					<Button class="link inline" aria-label={t('Copy: {0}', title)} onClick={copy}>
						{t('Copy')}
					</Button>
				</div>
			</div>
			{cut === 0 ? (
				box
			) : (
				<div>
					{box}
					<p class="note">
						{cut === 1
							? t('Not shown: 1 character. Open it as JSON to see all of it.')
							: t('Not shown: {0} characters. Open it as JSON to see all of it.', cut)}
					</p>
				</div>
			)}
		</section>
	);
}

/** Code keeps its direction. */
const Code = memo(({ text, searched }: { readonly text: string; readonly searched: RegExp | undefined }) => {
	const shown = visible(text);
	return <bdo dir="ltr">{text.length > MOST_COLORED ? marked(shown, searched) : colored(shown, searched)}</bdo>;
});

function colored(text: string, searched: RegExp | undefined): ComponentChild[] {
	const parts: ComponentChild[] = [];
	let end = 0;
	for (const match of text.matchAll(TOKEN)) {
		const [whole, quoted, colon] = match;
		const kind = colon === undefined ? 'json-text' : 'json-name';
		const before = marked(text.slice(end, match.index), searched);
		parts.push(before, <span class={kind}>{marked(quoted ?? '', searched)}</span>, colon);
		end = match.index + whole.length;
	}
	return [...parts, marked(text.slice(end), searched)].filter((part) => part !== '');
}

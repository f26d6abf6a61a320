import { english, render, type Sentence } from '../../elicitation/sentence.ts';
import { Bdi, fill, gap, joined, useT } from './text.tsx';

/** What the schema demands of a field, translated, with the server's part of a sentence set apart. */
export function Constraint({ sentences }: { readonly sentences: readonly Sentence[] }) {
	const t = useT();
	const shown = sentences.map((sentence) => {
		const [first] = sentence.args ?? [];
		return typeof first === 'string' ? fill(sentence.text, <Bdi in="code" text={first} />) : render(sentence, english);
	});
	return <>{joined(gap(t), shown)}</>;
}

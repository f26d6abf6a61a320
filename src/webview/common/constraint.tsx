import { render, type Sentence } from '../../elicitation/sentence.ts';
import { Bdi, fill, gap, joined, useT, useTranslate } from './text.tsx';

/** What the schema demands of a field, with the server's part of a sentence set apart. */
export function Constraint({ sentences }: { readonly sentences: readonly Sentence[] }) {
	const t = useT();
	const translate = useTranslate();
	const shown = sentences.map((sentence) => {
		const [first] = sentence.args ?? [];
		return typeof first === 'string'
			? fill(translate(sentence.text), <Bdi in="code" text={first} />)
			: render(sentence, translate);
	});
	return <>{joined(gap(t), shown)}</>;
}

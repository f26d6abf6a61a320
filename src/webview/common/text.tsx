import { type ComponentChild, createContext, createElement, render } from 'preact';
import { useContext } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import { english, type Translate } from '../../elicitation/sentence.ts';

export const Translation = createContext<Translate>(english);

/** Draws a page in its language, in the place of what has stood for it while it was loaded. */
export function drawPage(root: HTMLElement, t: Translate, page: ComponentChild): void {
	root.querySelector(':scope > .skeleton')?.remove();
	render(<Translation.Provider value={t}>{page}</Translation.Provider>, root);
}

/** The translator of the page. */
export function useT(): Translate {
	return useContext(Translation);
}

/** What is searched for in the page; undefined if nothing is. Memoized components need it as a property, too, to render anew. */
export const Searched = createContext<RegExp | undefined>(undefined);

/** More matches are not marked in one text: they would be more elements than a page can bear. */
const MOST_MARKS = 200;

/** A text, with what is searched for marked in it. */
export function marked(text: string, searched: RegExp | undefined): ComponentChild {
	const parts: ComponentChild[] = [];
	let end = 0;
	for (const { 0: match, index } of searched ? text.matchAll(searched) : []) {
		if (parts.length < 2 * MOST_MARKS) {
			parts.push(text.slice(end, index), <mark>{match}</mark>);
			end = index + match.length;
		}
	}
	return parts.length === 0 ? text : [...parts, text.slice(end)];
}

interface BdiProps {
	readonly text: string;
	/** An element around it, if there is to be one. */
	readonly in?: keyof HTMLElementTagNameMap;
	/** Of the outer element. */
	readonly class?: string | undefined;
	readonly id?: string | undefined;
}

/** Server text: hidden characters visible, what is searched for marked, and its direction kept to itself. */
export function Bdi({ text, in: outer, ...attributes }: BdiProps) {
	const shown = marked(visible(text), useContext(Searched));
	return outer ? createElement(outer, attributes, <bdi>{shown}</bdi>) : <bdi {...attributes}>{shown}</bdi>;
}

/** A translated text whose `{0}`, `{1}`, … become nodes, so that server text in it stays isolated. */
export function fill(template: string, ...nodes: readonly ComponentChild[]): ComponentChild[] {
	return template
		.split(/\{(\d+)\}/)
		.map((part, at) => (at % 2 === 1 ? (nodes[Number(part)] ?? `{${part}}`) : part))
		.filter((part) => part !== '');
}

/** The nodes with a separator between each two. */
export function joined(separator: string, nodes: readonly ComponentChild[]): ComponentChild[] {
	return nodes.flatMap((node, at) => (at === 0 ? [node] : [separator, node]));
}

/** What separates two sentences: a space, or in Chinese nothing. */
export function gap(t: Translate): string {
	return t('{0} {1}', '', '');
}

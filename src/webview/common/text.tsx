import { type ComponentChild, createContext, createElement } from 'preact';
import { useContext } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import { type T, translator } from './strings.ts';

export const Translation = createContext<T>(translator({}));

/** The translator of the page. */
export function useT(): T {
	return useContext(Translation);
}

interface BdiProps {
	readonly text: string;
	/** An element around it, if there is to be one. */
	readonly in?: keyof HTMLElementTagNameMap;
	/** Of the outer element. */
	readonly class?: string | undefined;
	readonly id?: string | undefined;
}

/** Server text: hidden characters visible, and its direction kept to itself. */
export function Bdi({ text, in: outer, ...attributes }: BdiProps) {
	const shown = visible(text);
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
export function gap(t: T): string {
	return t('{0} {1}', '', '');
}

import { Component, type ComponentChild, createElement, type FunctionComponent } from 'preact';

/** A component that renders again only if one of its properties is another. (`preact/compat` would double the size of the script.) */
export function memo<P extends object>(render: FunctionComponent<P>): new () => Component<P> {
	return class extends Component<P> {
		override shouldComponentUpdate(next: Readonly<P>): boolean {
			const before: Readonly<P> = this.props;
			return (Object.keys({ ...before, ...next }) as (keyof P)[]).some((name) => before[name] !== next[name]);
		}

		override render(): ComponentChild {
			return createElement(render, this.props as P);
		}
	};
}

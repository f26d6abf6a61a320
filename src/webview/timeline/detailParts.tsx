import { type ComponentChild, type ComponentChildren, createContext } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { KEY_GUARD } from '../../elicitation/keyGuard.ts';
import type { CopyPart, FromTimeline, ShownDetail, ShownJson, ShownLink } from '../../timelineProtocol.ts';
import { Button } from '../common/button.tsx';
import { Menu, type MenuItem } from '../common/menu.tsx';
import { Bdi, useT } from '../common/text.tsx';
import { JsonBlock } from './json.tsx';

/** Sends a message to the host. */
export const Send = createContext<(message: FromTimeline) => void>(() => {});

interface HeadProps {
	readonly detail: ShownDetail;
	readonly title: ComponentChild;
	readonly class?: string;
	/** What can be done with it besides. */
	readonly more?: readonly MenuItem[];
}

/** What the line is, and what can be done with it: what is most likely as a button, the rest in a menu. What ends it is never the primary one. */
export function Head({ detail: { key, actions }, title, class: name = '', more = [] }: HeadProps) {
	const t = useT();
	const send = useContext(Send);
	const items: readonly MenuItem[] = [
		...actions.map(({ id, text, group }) => ({ text, group, act: () => send({ type: 'act', key, action: id }) })),
		{ text: t('Open as JSON'), group: '', act: () => send({ type: 'open', key }) },
		...more,
	];
	const [primary, ...others] = items as readonly [MenuItem, ...MenuItem[]];
	const isPrimary = actions[0] !== undefined && !actions[0].ends;
	// A click may be meant for what stood there a moment before: a call ends while the user cancels it.
	const shown = useRef({ text: primary.text, since: Number.NEGATIVE_INFINITY });
	if (shown.current.text !== primary.text) {
		shown.current = { text: primary.text, since: performance.now() };
	}
	const act = () => performance.now() - shown.current.since >= KEY_GUARD && primary.act();
	return (
		<div class="bar apart head">
			<h1 class={name}>{title}</h1>
			<div class="bar buttons">
				<Button class={isPrimary ? 'primary' : 'secondary'} onClick={act}>
					{primary.text}
				</Button>
				{others.length > 0 ? <Menu items={others} /> : null}
			</div>
		</div>
	);
}

/** Leads to another line. */
export function Link({ to: { key, text } }: { readonly to: ShownLink }) {
	const send = useContext(Send);
	return (
		<Button class="link inline" onClick={() => send({ type: 'go', key })}>
			<Bdi text={text} />
		</Button>
	);
}

interface JsonProps {
	readonly title: string;
	readonly json: ShownJson | undefined;
	readonly of: ShownDetail;
	readonly part: CopyPart;
}

export function Json({ title, json, of: { key }, part }: JsonProps) {
	const send = useContext(Send);
	return json ? <JsonBlock title={title} json={json} copy={() => send({ type: 'copy', key, part })} /> : null;
}

export function Links({ title, links }: { readonly title: string; readonly links: readonly ShownLink[] }) {
	return links.length === 0 ? null : (
		<Block title={title}>
			<ul class="points links">
				{links.map((link) => (
					<li>
						<Link to={link} />
					</li>
				))}
			</ul>
		</Block>
	);
}

export function Block({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
	return (
		<section class="block">
			<h2>{title}</h2>
			{children}
		</section>
	);
}

import { type ComponentChild, type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { CopyPart, FromTimeline, ShownDetail, ShownJson, ShownLink } from '../../timelineProtocol.ts';
import { Button } from '../common/button.tsx';
import { Bdi, useT } from '../common/text.tsx';
import { JsonBlock } from './json.tsx';

/** Sends a message to the host. */
export const Send = createContext<(message: FromTimeline) => void>(() => {});

interface HeadProps {
	readonly detail: ShownDetail;
	readonly title: ComponentChild;
	readonly class?: string;
	readonly action?: ComponentChild;
}

/** What the line is, and what can be done with it. */
export function Head({ detail: { key, actions }, title, class: name = '', action }: HeadProps) {
	const t = useT();
	const send = useContext(Send);
	return (
		<div class="head">
			<h1 class={name}>{title}</h1>
			<div class="buttons">
				{actions.map(({ id, text }) => (
					<Button key={id} class="secondary" onClick={() => send({ type: 'act', key, action: id })}>
						{text}
					</Button>
				))}
				<Button class="secondary" onClick={() => send({ type: 'open', key })}>
					{t('Open as JSON')}
				</Button>
				{action}
			</div>
		</div>
	);
}

/** Leads to another line. */
export function Link({ to: { key, text } }: { readonly to: ShownLink }) {
	const send = useContext(Send);
	return (
		<Button class="link" onClick={() => send({ type: 'go', key })}>
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

export function Links({ links }: { readonly links: readonly ShownLink[] }) {
	const t = useT();
	return links.length === 0 ? null : (
		<Block title={t('Asked in it')}>
			<ul class="links">
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

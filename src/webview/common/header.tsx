import type { ComponentChild, ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ageOf } from '../../elicitation/age.ts';
import { shorten } from '../../elicitation/display.ts';
import { localizable, render } from '../../elicitation/sentence.ts';
import type { FormModel } from '../../protocol.ts';
import { Button } from './button.tsx';
import { useReachable } from './focus.ts';
import { memo } from './memo.ts';
import { Bdi, fill, joined, useT } from './text.tsx';

/** Milliseconds between two looks at the clock. */
const TICK = 10_000;

const askedBy = {
	tool: localizable('requested by tool {0}'),
	prompt: localizable('requested by prompt {0}'),
	resource: localizable('requested by resource {0}'),
};

export interface HeaderProps extends Pick<FormModel, 'server' | 'message'> {
	/** What the server calls itself. */
	readonly serverTitle?: string | undefined;
	readonly title: ComponentChild;
	/** Who made the request, and when, or what it is instead. */
	readonly origin: ComponentChild;
	/** What has to be known before everything else. */
	readonly banner?: string | undefined;
	/** What else there is beside the origin. */
	readonly children?: ComponentChildren;
}

/** The part of a request that is always in view. Its heading can take the focus. */
export const Header = memo(({ server, serverTitle, message, title, origin, banner, children }: HeaderProps) => {
	const t = useT();
	return (
		<header>
			{banner === undefined ? null : (
				<p class="banner" role="note">
					{banner}
				</p>
			)}
			<div class="texts apart">
				<div class="texts">
					<h1 tabIndex={-1}>{title}</h1>
					{serverTitle && serverTitle !== server ? (
						<span class="note own">{fill(t('calls itself {0}'), <Bdi text={shorten(serverTitle, 64)} />)}</span>
					) : null}
				</div>
				<div class="texts note origin">
					<p>{origin}</p>
					{children}
				</div>
			</div>
			{message === '' ? null : <Message text={message} />}
		</header>
	);
});

/** The id of the message, if there is one. */
export function messageId({ message }: Pick<FormModel, 'message'>): string | undefined {
	return message === '' ? undefined : 'message';
}

/** A message that is higher than its share of the page scrolls, or is shown whole: then the page scrolls. */
function Message({ text }: { readonly text: string }) {
	const t = useT();
	const element = useRef<HTMLQuoteElement>(null);
	const [isWhole, setWhole] = useState(false);
	const [isCut, setCut] = useState(false);
	const isHigher = useReachable(element);
	const look = () => {
		const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = element.current ?? {};
		setCut(scrollTop + clientHeight < scrollHeight - 1);
	};
	useLayoutEffect(look, [isHigher, isWhole]);
	return (
		<>
			<blockquote id="message" ref={element} class={isWhole ? 'whole' : isCut ? 'cut' : undefined} onScroll={look}>
				<Bdi text={text} />
			</blockquote>
			{isHigher || isWhole ? (
				<Button
					class="link inline more"
					aria-controls="message"
					aria-expanded={isWhole}
					onClick={() => setWhole(!isWhole)}
				>
					{t(isWhole ? 'Show Less' : 'Show All')}
				</Button>
			) : null}
		</>
	);
}

/** The call that caused a request, and the age of the request. */
export function Origin({ calls, receivedAt }: Pick<FormModel, 'calls' | 'receivedAt'>) {
	const t = useT();
	const [call, ...others] = calls;
	const age = <Age since={receivedAt} />;
	if (call === undefined) {
		return (
			<>
				{t('requested by the server itself')} · {age}
			</>
		);
	}
	const names = calls.map(({ name }) => <Bdi in="strong" text={name} />);
	return (
		<>
			{fill(
				others.length > 0 ? t('requested by one of {0}') : render(askedBy[call.kind], t),
				<span>{joined(', ', names)}</span>,
			)}
			{others.length === 0 && call.via !== undefined ? `, ${call.via}` : ''} · {age}
		</>
	);
}

/**
 * How long ago that was. No clock runs while the page is hidden.
 * @param since milliseconds since the epoch
 */
function Age({ since }: { readonly since: number }) {
	const t = useT();
	const [now, setNow] = useState(Date.now);
	useLayoutEffect(() => {
		let timer: ReturnType<typeof setInterval> | undefined;
		const tickWhileVisible = () => {
			clearInterval(timer);
			if (document.visibilityState !== 'hidden') {
				setNow(Date.now());
				timer = setInterval(() => setNow(Date.now()), TICK);
			}
		};
		tickWhileVisible();
		document.addEventListener('visibilitychange', tickWhileVisible);
		return () => {
			clearInterval(timer);
			document.removeEventListener('visibilitychange', tickWhileVisible);
		};
	}, []);
	return <span class="age">{render(ageOf(since, now), t)}</span>;
}

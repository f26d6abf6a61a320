import error from '@vscode/codicons/src/icons/error.svg';
import { useRef } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import type { UrlModel } from '../../protocol.ts';
import { Button, Ignored } from '../common/button.tsx';
import { useReachable } from '../common/focus.ts';
import { Header, messageId, Origin } from '../common/header.tsx';
import { Icon } from '../common/icon.tsx';
import { memo } from '../common/memo.ts';
import { Bdi, fill, useT } from '../common/text.tsx';
import type { Press, UrlState } from './state.ts';
import { ParameterList, PartsList, RawUrl, WholeUrl } from './urlParts.tsx';

/** The length of a URL is shown from this many characters on, because such a URL may scroll. */
const LONG = 300;

interface UrlPageProps {
	readonly model: UrlModel;
	readonly state: UrlState;
	readonly press: (button: Press) => void;
}

/** The consent to one URL, or a look at one that was refused: who asks, the URL whole and in its parts, and what is wrong. */
export function UrlPage({ model, state, press }: UrlPageProps) {
	const t = useT();
	const said = { opening: t('Opening…'), copied: t('Copied.') };
	return (
		<section class="elicitation" aria-label={visible(model.server)} aria-describedby={messageId(model)}>
			<UrlHeader model={model} />
			<Body model={model} />
			<footer>
				<p class={state.reason === undefined ? 'status' : 'status over'} role="status" tabIndex={-1}>
					{state.reason === undefined ? state.said && said[state.said] : <Bdi text={state.reason} />}
				</p>
				<Ignored />
				<Buttons model={model} state={state} press={press} />
			</footer>
		</section>
	);
}

const UrlHeader = memo(({ model }: Pick<UrlPageProps, 'model'>) => {
	const { server, serverTitle, message, asked } = model;
	return (
		<Header
			server={server}
			serverTitle={serverTitle}
			message={message}
			title={<Bdi text={server} />}
			origin={asked ? <Origin {...asked} /> : null}
		/>
	);
});

const Body = memo(({ model }: Pick<UrlPageProps, 'model'>) => {
	const t = useT();
	const element = useRef<HTMLDivElement>(null);
	useReachable(element);
	const { parts, raw, alarms, warnings, notes, refused } = model;
	const { length } = parts.href;
	return (
		<div class="body" ref={element}>
			{refused === undefined ? null : <Bdi in="p" class="blocked" text={refused} />}
			{alarms.length + warnings.length === 0 ? null : (
				<ul class="stack" id="warnings">
					{alarms.map((text) => (
						<li class="blocked alarm">
							<Icon name="failed" svg={error} />
							{fill(t('This URL is suspicious. {0}'), <Bdi text={text} />)}
						</li>
					))}
					{warnings.map((text) => (
						<Bdi in="li" class="warning" text={text} />
					))}
				</ul>
			)}
			<section>
				<h2 class="texts">
					{refused === undefined ? t('This exact URL is opened if you agree') : t('This URL was refused')}
					{length > LONG ? <span class="note">{t('{0} characters', length)}</span> : null}
				</h2>
				<WholeUrl {...parts} />
				{notes.map((text) => (
					<Bdi in="p" class="note" text={text} />
				))}
			</section>
			{raw === undefined ? null : (
				<section>
					<h2>{t('As the server wrote it')}</h2>
					<RawUrl text={raw} />
				</section>
			)}
			<section>
				<h2>{t('Parts')}</h2>
				<PartsList {...parts} />
			</section>
			{parts.parameters.length === 0 ? null : (
				<section>
					<h2>{t('Parameters')}</h2>
					<ParameterList parameters={parts.parameters} />
				</section>
			)}
		</div>
	);
});

function Buttons({ model, state, press }: UrlPageProps) {
	const t = useT();
	const disabled = state.isOver;
	if (model.refused !== undefined) {
		return (
			<div class="bar even buttons">
				<Button class="secondary" disabled={disabled} onClick={() => press('cancel')}>
					{t('Close')}
				</Button>
			</div>
		);
	}
	const { alarms, warnings } = model;
	return (
		<div class="bar even buttons">
			<Button
				// What is suspicious is not what we suggest.
				class={alarms.length > 0 ? 'secondary' : 'primary'}
				aria-describedby={alarms.length + warnings.length > 0 ? 'warnings' : undefined}
				disabled={disabled}
				onClick={() => press('open')}
			>
				{t('Open URL')}
			</Button>
			<Button class="secondary" disabled={disabled} onClick={() => press('copy')}>
				{t('Copy URL')}
			</Button>
			{model.accepted ? null : (
				<Button class="secondary" disabled={disabled} onClick={() => press('decline')}>
					{t('Decline')}
				</Button>
			)}
			<Button class="link" disabled={disabled} onClick={() => press('cancel')}>
				{t(model.accepted ? 'Close' : 'Cancel')}
			</Button>
			{state.reason === undefined ? <span class="note recipient">{t('Opens in your own browser')}</span> : null}
		</div>
	);
}

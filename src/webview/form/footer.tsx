import type { ComponentChildren } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { localizable, render, type Translate } from '../../elicitation/sentence.ts';
import type { FormModel } from '../../protocol.ts';
import { Button, Ignored } from '../common/button.tsx';
import { useReachable } from '../common/focus.ts';
import { memo } from '../common/memo.ts';
import { Bdi, fill, gap, useT } from '../common/text.tsx';
import { Dispatch } from './field.tsx';
import type { Withdrawal } from './state.ts';

const isMac = navigator.userAgent.includes('Mac');
const SUBMIT_KEYS = isMac ? '⌘Enter' : 'Ctrl+Enter';

const call = { tool: localizable('Call'), prompt: localizable('Get'), resource: localizable('Read') };

interface FooterProps {
	readonly model: FormModel;
	readonly problems: readonly string[];
	/** How many fields are marked as wrong. */
	readonly invalid: number;
	/** While an answer is on its way nothing can be pressed twice. */
	readonly isBusy: boolean;
	/** See `FormState`. */
	readonly refusals: number;
	readonly isConfirming: boolean;
	readonly unchecked: string;
	readonly withdrawal: Withdrawal | undefined;
}

/** Warnings, what is wrong as a whole, and the buttons: always in view. */
export const Footer = memo((props: FooterProps) => {
	const { model, problems } = props;
	return (
		<footer>
			<Notices>
				{model.warnings.map((text) => (
					<Bdi in="p" class="warning" text={text} />
				))}
				{model.blocked === undefined ? null : (
					<p class="blocked" id="blocked" tabIndex={-1}>
						<Bdi text={model.blocked} />
					</p>
				)}
				<div class="stack problems" tabIndex={-1}>
					{problems.map((text) => (
						<p class="blocked" role="alert">
							<Bdi text={text} />
						</p>
					))}
				</div>
			</Notices>
			<Status {...props} />
			<Ignored />
			<div class="either">
				<Buttons {...props} />
				<Confirmation {...props} />
			</div>
		</footer>
	);
});

function Notices({ children }: { readonly children: ComponentChildren }) {
	const element = useRef<HTMLDivElement>(null);
	useReachable(element);
	return (
		<div class="stack notices" ref={element}>
			{children}
		</div>
	);
}

/** Says how things stand: unchecked or, in the end, why it is over and what the server was told. */
function Status({ unchecked, withdrawal }: FooterProps) {
	const t = useT();
	const text = withdrawal?.reason ?? unchecked;
	return (
		<p class={withdrawal ? 'status over' : 'status'} role="status" tabIndex={-1}>
			{text === '' ? null : <Bdi text={text} />}
			{withdrawal && gap(t)}
			{withdrawal && (withdrawal.cancelled ? t('"cancel" was sent to the server.') : t('Nothing was sent.'))}
		</p>
	);
}

/** Asks before Escape throws away what was entered, and says what the server learns of that. The safe way comes first. */
function Confirmation({ model, isConfirming, withdrawal }: FooterProps) {
	const t = useT();
	const dispatch = useContext(Dispatch);
	const disabled = withdrawal !== undefined;
	const isAnswer = model.purpose === 'elicitation' || model.purpose === 'sampling';
	return (
		<div class="bar" role="group" aria-labelledby="discard-prompt" inert={!isConfirming}>
			<p id="discard-prompt">
				{isAnswer && !model.templates
					? t('Discard what you entered? The server is told that you cancelled.')
					: t('Discard what you entered?')}
			</p>
			<Button id="keep-editing" class="primary" disabled={disabled} onClick={() => dispatch({ type: 'keepEditing' })}>
				{t('Keep Editing')}
			</Button>
			<Button class="secondary" disabled={disabled} onClick={() => dispatch({ type: 'cancel' })}>
				{t('Discard')}
			</Button>
		</div>
	);
}

/** What the button says that sends. */
function submitText({ purpose, templates, calls }: FormModel, t: Translate): string {
	switch (purpose) {
		case 'arguments':
			return render(call[calls[0]?.kind ?? 'tool'], t);
		case 'preview':
			return t('Check Response');
		default:
			return templates ? t('Send Anyway') : t('Accept');
	}
}

function Buttons(props: FooterProps) {
	const { model, isBusy, isConfirming, withdrawal } = props;
	const t = useT();
	const dispatch = useContext(Dispatch);
	const isElicitation = model.purpose !== 'arguments';
	const isBlocked = model.blocked !== undefined;
	const disabled = isBusy || withdrawal !== undefined;
	const label = submitText(model, t);
	return (
		<div class="bar buttons" inert={isConfirming}>
			<Button
				class="primary"
				title={SUBMIT_KEYS}
				disabled={disabled || isBlocked}
				aria-describedby={isBlocked ? 'blocked' : undefined}
				onClick={() => dispatch({ type: 'submit' })}
			>
				{label}
			</Button>
			{model.templates ? (
				<Postponing disabled={disabled} />
			) : isElicitation && model.declines !== false ? (
				<Button class="secondary" disabled={disabled} onClick={() => dispatch({ type: 'decline' })}>
					{t('Decline')}
				</Button>
			) : null}
			<Button class="link" disabled={disabled} onClick={() => dispatch({ type: 'cancel' })}>
				{model.templates ? t('Close') : t('Cancel')}
			</Button>
			{withdrawal ? null : <Progress {...props} label={label} />}
			{withdrawal ? null : (
				<span class="note recipient">
					{model.purpose === 'preview'
						? t('Nothing is sent')
						: fill(t('Sent to {0} only'), <Bdi text={model.server} />)}
				</span>
			)}
		</div>
	);
}

/** Beside the buttons: that it is being sent, how many problems there are or, if neither, the keys that send it. */
function Progress({ model, invalid, isBusy, refusals, label }: FooterProps & { readonly label: string }) {
	const t = useT();
	const dispatch = useContext(Dispatch);
	if (isBusy) {
		return (
			<span class="note" role="status">
				{t('Sending…')}
			</span>
		);
	}
	if (invalid > 0) {
		return (
			// It is drawn anew each time that nothing was sent.
			<span class={refusals > 0 ? 'heard invalid' : 'invalid'} key={refusals}>
				{invalid === 1 ? t('1 problem') : t('{0} problems', invalid)} ·{' '}
				<Button class="link inline" onClick={() => dispatch({ type: 'nextProblem' })}>
					{t('Next')}
				</Button>
			</span>
		);
	}
	return model.templates ? null : (
		<span class="note shortcut" aria-hidden="true">
			{t('{0}: {1}', label, SUBMIT_KEYS)}
		</span>
	);
}

/** What can be done with a whole response instead of sending it now. */
function Postponing({ disabled }: { readonly disabled: boolean }) {
	const t = useT();
	const dispatch = useContext(Dispatch);
	return (
		<>
			<Button class="secondary" disabled={disabled} onClick={() => dispatch({ type: 'later' })}>
				{t('Send Later…')}
			</Button>
			<Button class="secondary" disabled={disabled} onClick={() => dispatch({ type: 'never' })}>
				{t('Never Respond')}
			</Button>
		</>
	);
}

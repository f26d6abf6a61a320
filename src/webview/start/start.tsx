import { useRef } from 'preact/hooks';
import type { FromStart, ShownStartRow, ShownStartSection, StartModel, ToStart } from '../../protocol.ts';
import { Button, Ignored } from '../common/button.tsx';
import { useReachable } from '../common/focus.ts';
import { connect } from '../common/host.ts';
import { guardConsent } from '../common/keys.ts';
import { Store } from '../common/store.ts';
import { Bdi, drawPage, fill, useT } from '../common/text.tsx';

type Decision = FromStart['type'];

/** Starts the page that asks for consent to start a server. */
export function startStart(root: HTMLElement): void {
	let store: Store<Decision | undefined, Decision, Decision> | undefined;
	const appeared = guardConsent(root, () => store?.dispatch('cancel'));
	connect<ToStart, FromStart>(({ model }, { t, send }) => {
		store = new Store<Decision | undefined, Decision, Decision>(
			[undefined],
			// The first decision counts.
			(decided, decision) => (decided ? [decided] : [decision, decision]),
			({ state, dispatch }) =>
				drawPage(root, t, <StartPage model={model} isDecided={state !== undefined} decide={dispatch} />),
			(decision) => send({ type: decision }),
		);
		appeared();
		return () => {};
	});
}

interface StartPageProps {
	readonly model: StartModel;
	readonly isDecided: boolean;
	readonly decide: (decision: Decision) => void;
}

/** The consent to start a server: everything that influences what is run or sent, each on a line of its own. */
function StartPage({ model, isDecided, decide }: StartPageProps) {
	const t = useT();
	const body = useRef<HTMLDivElement>(null);
	useReachable(body);
	const isAlarming = model.sections.some(({ level }) => level !== undefined);
	return (
		<section class="elicitation" aria-label={model.server}>
			<header>
				<h1 tabIndex={-1}>{fill(t('Start the MCP server "{0}"?'), <Bdi text={model.server} />)}</h1>
				<Bdi in="p" text={model.reason} />
				<Bdi in="p" class="note" text={model.place} />
			</header>
			<div class="body" ref={body}>
				{model.sections.map((section) => (
					<Section {...section} />
				))}
			</div>
			<footer>
				<Ignored />
				<div class="bar buttons">
					<Button
						// What is suspicious is not what we suggest.
						class={isAlarming ? 'secondary' : 'primary'}
						disabled={isDecided}
						onClick={() => decide('start')}
					>
						{t('Start Server')}
					</Button>
					<Button class="link" disabled={isDecided} onClick={() => decide('cancel')}>
						{t('Cancel')}
					</Button>
				</div>
			</footer>
		</section>
	);
}

const LEVELS = { alarm: 'blocked', warning: 'warning' } as const;

function Section({ title, level, rows }: ShownStartSection) {
	return (
		<section>
			{title === undefined ? null : <h2 class={level && LEVELS[level]}>{title}</h2>}
			<ul class="stack rows">
				{rows.map((row) => (
					<Row {...row} />
				))}
			</ul>
		</section>
	);
}

/** Its characters stand in the order in which they were written, whatever script they are of. */
function Row({ label, text, notes }: ShownStartRow) {
	return (
		<li class={label === undefined ? undefined : 'pairs'}>
			{label === undefined ? null : <span class="label">{label}</span>}
			<div>
				<code class="exact">
					<bdo dir="ltr">{text}</bdo>
				</code>
				{notes.map((note) => (
					<Bdi in="p" class="note" text={note} />
				))}
			</div>
		</li>
	);
}

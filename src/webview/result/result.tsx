import { type ComponentChildren, Fragment } from 'preact';
import { shorten } from '../../elicitation/display.ts';
import { sameJson } from '../../elicitation/form/flatten.ts';
import { type Json, own } from '../../elicitation/json.ts';
import { embeddedJson, textOf, writeJson } from '../../elicitation/jsonText.ts';
import { localizable, render } from '../../elicitation/sentence.ts';
import type { FromResult, ResultModel, ShownFailure, ToResult } from '../../protocol.ts';
import { Button } from '../common/button.tsx';
import { Refusals } from '../common/findings.tsx';
import { connect } from '../common/host.ts';
import { Moment } from '../common/moment.tsx';
import { Bdi, drawPage, fill, joined, useT } from '../common/text.tsx';
import { timesText } from '../common/times.tsx';
import { ContentBlock, ResourceContents, UnknownContent } from './content.tsx';
import { Tree } from './tree.tsx';

const MOST_BLOCKS = 200;
/** Max length of the beginning of arguments (characters). */
const MOST_PREVIEWED = 300;

/** Starts the page of a result, in the place of which the next one may come. */
export function startResult(root: HTMLElement): void {
	connect<ToResult, FromResult>((first, { t, send }) => {
		let run = 0;
		const draw = ({ model }: ToResult) => drawPage(root, t, <ResultPage model={model} run={run++} send={send} />);
		draw(first);
		return draw;
	});
}

interface ResultProps {
	readonly model: ResultModel;
	readonly send: (message: FromResult) => void;
}

const finished = {
	tool: localizable('The tool finished.'),
	prompt: localizable('The server sent the prompt.'),
	resource: localizable('The resource was read.'),
};

/**
 * The result of a call: what was called, how it ended, and what came of it.
 * @param run another one for every result: what was unfolded in one stays folded in the next
 */
function ResultPage({ model, run, send }: ResultProps & { readonly run: number }) {
	const t = useT();
	const { call, server, isError, failure, at, args, refusals, answeredBy } = model;
	const facts = [
		<Moment at={at} isCoarse />,
		timesText(model.times, t),
		...(answeredBy === undefined ? [] : [answeredBy]),
	];
	return (
		<>
			<header>
				<div class="texts apart">
					<h1>{fill(t('{0} on {1}'), <Bdi text={call.name} />, <Bdi text={server} />)}</h1>
					<p class="note origin">{joined(' · ', facts)}</p>
				</div>
				<Actions model={model} send={send} />
				{args === undefined ? null : <Arguments args={args} />}
			</header>
			<div class="body">
				<p class={isError || failure ? 'blocked' : 'finished'} role="status">
					{failure
						? t('The call failed.')
						: isError
							? t('The tool reported an error.')
							: render(finished[call.kind], t)}
				</p>
				<Fragment key={run}>{failure ? <Failure {...failure} /> : <Body model={model} send={send} />}</Fragment>
				<Refusals reasons={refusals} />
			</div>
		</>
	);
}

/** What can be done next: always in the same place and order, first what helps against a failure. */
function Actions({ model: { isError, failure, takesArguments }, send }: ResultProps) {
	const t = useT();
	const button = (text: string, type: Exclude<FromResult['type'], 'save'>, isPrimary = false) => (
		<Button class={isPrimary ? 'primary' : 'secondary'} onClick={() => send({ type })}>
			{text}
		</Button>
	);
	const again = failure?.signIn ? t('Sign In') : t('Call Again');
	return (
		<div class="bar even actions">
			{failure?.restart ? button(t('Restart Server'), 'restart', true) : null}
			{button(again, 'callAgain', failure !== undefined && !failure.restart)}
			{takesArguments ? button(t('Edit Arguments…'), 'editArguments') : null}
			{button(t('Show Timeline'), 'timeline')}
			{failure ? null : button(t('Open as JSON'), 'openJson')}
			{isError || failure ? button(t('Show Log'), 'log') : null}
		</div>
	);
}

/** Folded, with their beginning in sight: results of the same tool differ by them. */
function Arguments({ args }: { readonly args: unknown }) {
	const t = useT();
	return (
		<details class="arguments">
			<summary class="clipped">
				{t('Arguments')}{' '}
				<code class="plain note">
					<Bdi text={shorten(writeJson(args), MOST_PREVIEWED)} />
				</code>
			</summary>
			<Tree value={args} />
		</details>
	);
}

function Failure({ what, fix }: ShownFailure) {
	return (
		<>
			<Bdi in="p" class="text" text={what} />
			<Bdi in="p" class="text" text={fix} />
		</>
	);
}

function Body({ model: { call, result }, send }: ResultProps) {
	const t = useT();
	const empty = <p class="note">{t('The result is empty.')}</p>;
	switch (call.kind) {
		case 'tool': {
			const content = own(result, 'content');
			const structured = own(result, 'structuredContent');
			const isRepeated = structured !== undefined && repeats(content, structured);
			return (
				<>
					{isEmpty(content) && structured === undefined ? empty : null}
					{isRepeated ? null : <List entries={content} draw={(block) => <ContentBlock block={block} />} />}
					{structured === undefined ? null : (
						<Block>
							<h2>{isRepeated ? t('Structured content, also sent as text') : t('Structured content')}</h2>
							<Tree value={structured} />
						</Block>
					)}
				</>
			);
		}
		case 'prompt': {
			const description = own(result, 'description');
			const messages = own(result, 'messages');
			const isDescribed = typeof description === 'string' && description !== '';
			return (
				<>
					{isEmpty(messages) && !isDescribed ? empty : null}
					{isDescribed ? <Bdi in="p" class="text" text={description} /> : null}
					<List entries={messages} draw={(message) => <PromptMessage message={message} />} />
				</>
			);
		}
		case 'resource': {
			const contents = own(result, 'contents');
			const draw = (content: unknown, index: number) => (
				<>
					<ResourceContents value={content} />
					<Button class="secondary" onClick={() => send({ type: 'save', index })}>
						{t('Save As…')}
					</Button>
				</>
			);
			return isEmpty(contents) ? empty : <List entries={contents} draw={draw} />;
		}
	}
}

/** True if all of the content is the structured content as text, which the protocol advises for older clients. */
function repeats(content: unknown, structured: Json): boolean {
	const [block, ...others] = Array.isArray(content) ? content : [];
	const text = own(block, 'type') === 'text' ? embeddedJson(own(block, 'text')) : undefined;
	return others.length === 0 && text !== undefined && sameJson(text, structured);
}

function PromptMessage({ message }: { readonly message: unknown }) {
	return (
		<>
			<Bdi in="h2" class="note" text={textOf(own(message, 'role') ?? '?')} />
			<ContentBlock block={own(message, 'content')} />
		</>
	);
}

function isEmpty(entries: unknown): boolean {
	return entries === undefined || (Array.isArray(entries) && entries.length === 0);
}

interface ListProps {
	readonly entries: unknown;
	readonly draw: (entry: unknown, at: number) => ComponentChildren;
}

/** The entries of a result, as many as a page can bear; they should be a list, and may be any JSON. */
function List({ entries, draw }: ListProps) {
	const t = useT();
	if (!Array.isArray(entries)) {
		return entries === undefined ? null : (
			<Block>
				<UnknownContent value={entries} />
			</Block>
		);
	}
	const hidden = entries.length - MOST_BLOCKS;
	return (
		<>
			{entries.slice(0, MOST_BLOCKS).map((entry, at) => (
				<Block>{draw(entry, at)}</Block>
			))}
			{hidden > 0 ? <p class="note">{t('Not shown: {0} more. The raw JSON has all of it.', hidden)}</p> : null}
		</>
	);
}

function Block({ children }: { readonly children: ComponentChildren }) {
	return <section class="block">{children}</section>;
}

import type { ComponentChildren } from 'preact';
import { own } from '../../elicitation/json.ts';
import { textOf } from '../../elicitation/jsonText.ts';
import { localizable, render } from '../../elicitation/sentence.ts';
import type { FromResult, ResultModel, ShownFailure, ToResult } from '../../protocol.ts';
import { Button } from '../common/button.tsx';
import { connect } from '../common/host.ts';
import { Bdi, drawPage, fill, useT } from '../common/text.tsx';
import { timesText } from '../common/times.tsx';
import { ContentBlock, ResourceContents, UnknownContent } from './content.tsx';
import { Tree } from './tree.tsx';

const MOST_BLOCKS = 200;

/** Starts the page of a result. */
export function startResult(root: HTMLElement): void {
	connect<ToResult, FromResult>(({ model }, { t, send }) => {
		drawPage(root, t, <ResultPage model={model} send={send} />);
		return () => {};
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

/** The result of a call. */
function ResultPage({ model, send }: ResultProps) {
	const t = useT();
	const { call, server, isError, failure, takesArguments, answeredBy } = model;
	const failed = isError || failure !== undefined;
	const times = timesText(model.times, t);
	return (
		<>
			<header>
				<div class="texts apart">
					<h1>{fill(t('{0} on {1}'), <Bdi text={call.name} />, <Bdi text={server} />)}</h1>
					<p class="note origin">{answeredBy === undefined ? times : `${times} · ${answeredBy}`}</p>
				</div>
				<div class="bar apart outcome">
					<p class={failed ? 'blocked' : 'finished'} role="status">
						{failure
							? t('The call failed.')
							: isError
								? t('The tool reported an error.')
								: render(finished[call.kind], t)}
					</p>
					<div class="bar even">
						<Button
							class={failed && !failure?.restart ? 'primary' : 'secondary'}
							onClick={() => send({ type: 'callAgain' })}
						>
							{failure?.signIn ? t('Sign In') : t('Call Again')}
						</Button>
						{failure?.restart ? (
							<Button class="primary" onClick={() => send({ type: 'restart' })}>
								{t('Restart Server')}
							</Button>
						) : null}
						{takesArguments ? (
							<Button class="secondary" onClick={() => send({ type: 'editArguments' })}>
								{t('Edit Arguments')}
							</Button>
						) : null}
						<Button class="secondary" onClick={() => send({ type: 'timeline' })}>
							{t('Show Timeline')}
						</Button>
						{failed ? (
							<Button class="secondary" onClick={() => send({ type: 'log' })}>
								{t('Show Log')}
							</Button>
						) : null}
						{failure ? null : (
							<Button class="secondary" onClick={() => send({ type: 'openJson' })}>
								{t('Open Raw JSON')}
							</Button>
						)}
					</div>
				</div>
			</header>
			<div class="body">
				{isError ? <p class="note next">{t('See below what the tool says about it, then call it again.')}</p> : null}
				{failure ? <Failure {...failure} /> : <Body model={model} send={send} />}
			</div>
		</>
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
			return (
				<>
					{isEmpty(content) && structured === undefined ? empty : null}
					<List entries={content} draw={(block) => <ContentBlock block={block} />} />
					{structured === undefined ? null : (
						<Block>
							<h2>{t('Structured content')}</h2>
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

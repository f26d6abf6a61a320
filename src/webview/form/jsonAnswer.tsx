import { useContext, useState } from 'preact/hooks';
import type { Field } from '../../elicitation/form/fields.ts';
import type { Translate } from '../../elicitation/sentence.ts';
import type { FormModel, ShownProblem } from '../../protocol.ts';
import { Button, ShowButton } from '../common/button.tsx';
import { showUnfolded } from '../common/focus.ts';
import { memo } from '../common/memo.ts';
import { Bdi, fill, useT } from '../common/text.tsx';
import { Dispatch, fieldName } from './field.tsx';
import type { JsonState } from './jsonState.ts';

type Templates = NonNullable<FormModel['templates']>;

interface JsonAnswerProps extends Pick<FormModel, 'purpose' | 'fields'> {
	/** Of a whole response. */
	readonly templates: Templates | undefined;
	readonly json: JsonState;
	/** When all is over the text can still be read and copied. */
	readonly isOver: boolean;
	/** What another client would send: shown from the start, and not edited. */
	readonly isFixed: boolean;
}

/** The exact JSON that will be sent; see `JsonState`. */
export const JsonAnswer = memo(({ purpose, fields, templates, json, isOver, isFixed }: JsonAnswerProps) => {
	const t = useT();
	const isArguments = purpose === 'arguments';
	const dispatch = useContext(Dispatch);
	const isActive = json.original !== undefined;
	const holdsSecrets = fields.some(({ secret }) => secret);
	const [isShown, setShown] = useState(!holdsSecrets);
	const isShowable = json.isShownShowable || templates !== undefined;
	const error = json.shownProblems.length > 0 ? 'json-error' : undefined;
	return (
		<details class="json" open={json.isOpened || isFixed || undefined} onToggle={isFixed ? undefined : showUnfolded}>
			<summary hidden={isActive}>{t(isFixed ? 'Response as JSON' : 'Edit as JSON')}</summary>
			<div class="bar apart" hidden={!isActive}>
				<p>
					<strong>{modeText(purpose, templates, t)}</strong>
				</p>
				{templates ? (
					<TemplateButtons templates={templates} disabled={isOver} />
				) : (
					<Button
						class="secondary"
						disabled={isOver || !isShowable}
						aria-describedby={isShowable ? undefined : 'json-reason'}
						onClick={() => dispatch({ type: 'toForm' })}
					>
						{t('Back to Form')}
					</Button>
				)}
			</div>
			<textarea
				id="json-answer"
				class={isShown ? 'code' : 'code masked'}
				rows={6}
				readonly={json.isReadOnly || isFixed}
				spellcheck={false}
				autocapitalize="off"
				dir="ltr"
				aria-label={t(isArguments ? 'Arguments as JSON' : 'Response as JSON')}
				aria-invalid={error && true}
				aria-errormessage={error}
				aria-describedby={error}
				value={json.text}
				onInput={(event) => dispatch({ type: 'jsonInput', text: event.currentTarget.value })}
				onBlur={() => dispatch({ type: 'jsonVisited' })}
			/>
			{holdsSecrets && (
				<ShowButton isShown={isShown} aria-controls="json-answer" onClick={() => setShown(!isShown)}>
					{t('Show JSON')}
				</ShowButton>
			)}
			{error === undefined ? null : (
				<div role="alert" id={error}>
					{json.shownProblems.map((problem) => (
						<Line {...problem} fields={fields} />
					))}
				</div>
			)}
			<div class="bar" hidden={isShowable}>
				<p class="note" id="json-reason">
					{t('Correct the JSON to go back to the form.')}
				</p>
				<Button class="link inline" disabled={isOver} onClick={() => dispatch({ type: 'discardJson' })}>
					{t('Discard JSON Changes')}
				</Button>
			</div>
		</details>
	);
});

/** Says what the text is. */
export function modeText(purpose: FormModel['purpose'], templates: Templates | undefined, t: Translate): string {
	if (templates) {
		return t('You are writing the whole response. It is sent as it is, unchecked.');
	}
	return t(
		purpose === 'arguments' ? 'You are editing the arguments as JSON.' : 'You are editing the response as JSON.',
	);
}

/** Other responses to begin with. */
function TemplateButtons({ templates, disabled }: { readonly templates: Templates; readonly disabled: boolean }) {
	const t = useT();
	const dispatch = useContext(Dispatch);
	return (
		<p class="bar" role="group" aria-labelledby="templates-label">
			<span id="templates-label">{t('Begin with:')}</span>
			{templates.map(({ name, text }) => (
				<Button class="link" disabled={disabled} onClick={() => dispatch({ type: 'template', text })}>
					<code class="plain">{name}</code>
				</Button>
			))}
		</p>
	);
}

function Line({ field: index, text, fields }: ShownProblem & { readonly fields: readonly Field[] }) {
	const t = useT();
	const field = index === undefined ? undefined : fields[index];
	return (
		<p class="problem">
			{field ? fill(t('{0}: {1}'), <bdi>{fieldName(field, t)}</bdi>, <Bdi text={text} />) : <Bdi text={text} />}
		</p>
	);
}

import type { TargetedEvent } from 'preact';
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

interface JsonProps extends Pick<FormModel, 'purpose' | 'fields'> {
	readonly json: JsonState;
	readonly disabled: boolean;
}

interface JsonPreviewProps extends JsonProps {
	/** What another client would send: shown from the start. */
	readonly isFixed: boolean;
}

/** The exact JSON that will be sent, folded below the form that it follows. */
export const JsonPreview = memo(({ isFixed, ...props }: JsonPreviewProps) => {
	const t = useT();
	return (
		<details class="json" open={isFixed || undefined} onToggle={isFixed ? undefined : showUnfolded}>
			<summary>{nameOf(props.purpose, t)}</summary>
			<JsonArea {...props} readonly />
		</details>
	);
});

interface JsonEditorProps extends JsonProps {
	/** Of a whole response. */
	readonly templates: Templates | undefined;
}

/** The same as the answer, instead of the form: where it stands, nothing moves while it is typed. See `JsonState`. */
export const JsonEditor = memo(({ templates, ...props }: JsonEditorProps) => {
	const t = useT();
	const dispatch = useContext(Dispatch);
	const { purpose, fields, json, disabled } = props;
	const isShowable = json.isShownShowable || templates !== undefined;
	const error = json.shownProblems.length > 0 ? 'json-error' : undefined;
	return (
		<section class="json editing">
			<div class="bar apart">
				<p>
					<strong>{modeText(purpose, templates, t)}</strong>
				</p>
				{templates ? (
					<TemplateButtons templates={templates} disabled={disabled} />
				) : (
					<div class="bar">
						<Button
							class="secondary"
							disabled={disabled || !isShowable}
							aria-describedby={isShowable ? undefined : 'json-reason'}
							onClick={() => dispatch({ type: 'toForm' })}
						>
							{t('Back to Form')}
						</Button>
						<Button class="link" disabled={disabled} onClick={() => dispatch({ type: 'discardJson' })}>
							{t('Discard JSON Changes')}
						</Button>
					</div>
				)}
			</div>
			<JsonArea
				{...props}
				// When all is over the text can still be read and copied.
				readonly={disabled}
				error={error}
				onInput={(event) => dispatch({ type: 'jsonInput', text: event.currentTarget.value })}
				onBlur={() => dispatch({ type: 'jsonVisited' })}
			/>
			<div class="wrong">
				{error === undefined ? null : (
					<div role="alert" id={error}>
						{json.shownProblems.map((problem) => (
							<Line {...problem} fields={fields} />
						))}
					</div>
				)}
				<p class="note" id="json-reason" hidden={isShowable}>
					{t('Correct the JSON to go back to the form.')}
				</p>
			</div>
		</section>
	);
});

interface JsonAreaProps extends JsonProps {
	readonly readonly: boolean;
	readonly error?: string | undefined;
	readonly onInput?: (event: TargetedEvent<HTMLTextAreaElement>) => void;
	readonly onBlur?: () => void;
}

/** The text, masked until it is shown where the form asks for secrets. */
function JsonArea({ purpose, fields, json, disabled: _, error, ...attributes }: JsonAreaProps) {
	const t = useT();
	const holdsSecrets = fields.some(({ secret }) => secret);
	const [isShown, setShown] = useState(!holdsSecrets);
	return (
		<>
			<textarea
				{...attributes}
				id="json-answer"
				class={isShown ? 'code' : 'code masked'}
				rows={6}
				spellcheck={false}
				autocapitalize="off"
				dir="ltr"
				aria-label={nameOf(purpose, t)}
				aria-invalid={error === undefined ? undefined : true}
				aria-describedby={error}
				value={json.text}
			/>
			{holdsSecrets && (
				<ShowButton isShown={isShown} aria-controls="json-answer" onClick={() => setShown(!isShown)}>
					{t('Show JSON')}
				</ShowButton>
			)}
		</>
	);
}

function nameOf(purpose: FormModel['purpose'], t: Translate): string {
	return purpose === 'arguments' ? t('Arguments as JSON') : t('Response as JSON');
}

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

import { useContext } from 'preact/hooks';
import { shorten, visible } from '../../elicitation/display.ts';
import { type Input, isActive } from '../../elicitation/form/inputs.ts';
import type { Translate } from '../../elicitation/sentence.ts';
import type { FormModel } from '../../protocol.ts';
import { Button } from '../common/button.tsx';
import { Findings } from '../common/findings.tsx';
import { showUnfolded } from '../common/focus.ts';
import { Header, messageId, Origin } from '../common/header.tsx';
import { memo } from '../common/memo.ts';
import { Bdi, fill, joined, useT } from '../common/text.tsx';
import { Dispatch, FormField, fieldName } from './field.tsx';
import { Footer } from './footer.tsx';
import { JsonEditor, JsonPreview, modeText } from './jsonAnswer.tsx';
import { type FormAction, type FormState, isJsonActive, type Suggestions, unshownKeys } from './state.ts';

/** Keys that move the focus, or what is selected in a field. */
const MOVES = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']);

interface FormPageProps {
	readonly state: FormState;
	readonly dispatch: (action: FormAction) => void;
	/** Ends all typing, then goes on in pickers. */
	readonly toPickers: () => void;
}

export function FormPage({ state, dispatch, toPickers }: FormPageProps) {
	const t = useT();
	const { model, withdrawal } = state;
	const isJson = isJsonActive(state);
	const isWithdrawn = withdrawal !== undefined;
	const engage = () => dispatch({ type: 'engaged' });
	return (
		<Dispatch.Provider value={dispatch}>
			<form
				class="elicitation"
				role="form"
				novalidate
				aria-label={visible(model.server)}
				aria-describedby={messageId(model)}
				onSubmit={(event) => event.preventDefault()}
				onInputCapture={engage}
				onChangeCapture={engage}
				onPointerDownCapture={engage}
				onKeyDownCapture={({ key }) => MOVES.has(key) && engage()}
			>
				<FormHeader model={model} hasPickers={!isJson} disabled={isWithdrawn} toPickers={toPickers} />
				<Body state={state} />
				<Footer
					model={model}
					problems={state.formErrors}
					invalid={
						isJson ? state.json.shownProblems.length : state.errors.filter((error) => error !== undefined).length
					}
					isBusy={state.isSubmitting || (state.isOver && !isWithdrawn)}
					refusals={state.refusals}
					isConfirming={state.isConfirming}
					unchecked={state.unchecked}
					withdrawal={withdrawal}
				/>
				<p class="spoken" role="status">
					{announced(state, t)}
				</p>
			</form>
		</Dispatch.Provider>
	);
}

/** What scrolls: the fields or, instead of them, the JSON. */
function Body({ state }: Pick<FormPageProps, 'state'>) {
	const t = useT();
	const dispatch = useContext(Dispatch);
	const { model } = state;
	const { purpose, fields, findings, notice, templates, title, description } = model;
	const isJson = isJsonActive(state);
	const disabled = state.withdrawal !== undefined;
	const json = { purpose, fields, json: state.json, disabled };
	// What another client would send is not edited.
	const isFixed = notice !== undefined;
	return (
		<div class="body">
			{notice ? <Notice lines={notice} /> : null}
			{title ? <Bdi in="h2" text={title} /> : null}
			{description ? <Bdi in="p" class="about" text={description} /> : null}
			{purpose === 'sampling' && !templates ? (
				<Button class="secondary" hidden={isJson} disabled={disabled} onClick={() => dispatch({ type: 'draft' })}>
					{t('Draft with Language Model…')}
				</Button>
			) : null}
			<Fields
				fields={fields}
				constraints={model.constraints}
				inputs={state.inputs}
				errors={state.errors}
				notes={state.notes}
				spelled={state.spelled}
				suggestions={state.suggestions}
				generations={state.generations}
				purpose={purpose}
				hidden={isJson}
				disabled={disabled}
			/>
			<Rest keys={isJson ? [] : unshownKeys(state)} />
			{isJson ? <JsonEditor {...json} templates={templates} /> : null}
			<div class="bar folded">
				{isJson ? null : <JsonPreview {...json} isFixed={isFixed} />}
				<Findings findings={findings} onToggle={showUnfolded} />
				<Button
					class="link inline"
					hidden={isJson || isFixed}
					disabled={disabled}
					onClick={() => dispatch({ type: 'editJson' })}
				>
					{t('Edit as JSON')}
				</Button>
			</div>
		</div>
	);
}

interface FormHeaderProps {
	readonly model: FormModel;
	readonly hasPickers: boolean;
	readonly disabled: boolean;
	readonly toPickers: () => void;
}

/** The header of a form, which names the call as well where the form is for its arguments. */
const FormHeader = memo(({ model, hasPickers, disabled, toPickers }: FormHeaderProps) => {
	const t = useT();
	const { purpose, server, calls } = model;
	const [call] = calls;
	const name = <Bdi text={server} />;
	const title = purpose === 'arguments' && call ? fill(t('{0} on {1}'), <Bdi text={call.name} />, name) : name;
	const origins = {
		elicitation: <Origin {...model} />,
		sampling: <Origin {...model} />,
		arguments: null,
		preview: null,
	};
	return (
		<Header
			{...model}
			title={title}
			origin={origins[purpose]}
			banner={purpose === 'preview' ? t('This is a preview. Nothing is sent to a server.') : undefined}
		>
			{model.pickers ? (
				<Button class="link inline" hidden={!hasPickers} disabled={disabled} onClick={toPickers}>
					{t('Use Pickers')}
				</Button>
			) : null}
		</Header>
	);
});

/** What another client does with the request, whose name comes first. */
function Notice({ lines: [first = '', ...others] }: { readonly lines: readonly string[] }) {
	return (
		<div class="notice" role="note">
			<Bdi in="strong" text={first} />
			{others.map((text) => (
				<Bdi in="p" text={text} />
			))}
		</div>
	);
}

interface FieldsProps extends Pick<FormModel, 'fields' | 'constraints' | 'purpose'> {
	readonly inputs: readonly Input[];
	readonly errors: readonly (string | undefined)[];
	readonly notes: FormState['notes'];
	readonly spelled: FormState['spelled'];
	readonly suggestions: Suggestions | undefined;
	readonly generations: readonly number[];
	readonly hidden: boolean;
	readonly disabled: boolean;
}

const NONE: readonly never[] = [];

const Fields = memo(
	({
		fields,
		constraints,
		inputs,
		errors,
		notes,
		spelled,
		suggestions,
		generations,
		purpose,
		hidden,
		disabled,
	}: FieldsProps) => (
		<div class="fields" hidden={hidden || fields.length === 0}>
			{fields.map((field, at) =>
				isActive(field, inputs) ? (
					<FormField
						key={`${generations[at]} ${at}`}
						field={field}
						constraint={constraints[at] ?? NONE}
						index={at}
						input={inputs[at] as Input}
						error={errors[at]}
						notes={notes[at] ?? NONE}
						spelled={spelled[at]}
						suggestions={suggestions?.field === at ? suggestions.values : NONE}
						purpose={purpose}
						disabled={disabled}
					/>
				) : (
					<div key={`no ${at}`} hidden />
				),
			)}
		</div>
	),
);

/** Names what is sent although no field shows it: it came in as JSON. */
function Rest({ keys }: { readonly keys: readonly string[] }) {
	const t = useT();
	const names = keys.map((key) => <Bdi in="code" text={shorten(key, 200)} />);
	return (
		<p class="note" hidden={keys.length === 0}>
			{fill(t('Also sent: {0} — no field shows them.'), <span>{joined(', ', names)}</span>)}
		</p>
	);
}

function announced({ model, announcement, errors }: FormState, t: Translate): string {
	switch (announcement) {
		case undefined:
			return '';
		case 'json':
			return modeText(model.purpose, model.templates, t);
		case 1:
			return t('1 problem');
		default:
			return typeof announcement === 'number'
				? t('{0} problems', announcement)
				: errorAt(announcement.field, model.fields, errors, t);
	}
}

/** What is wrong with a field that the focus may have left: its name and its error, until that is mended. */
function errorAt(index: number, fields: FormModel['fields'], errors: FormState['errors'], t: Translate): string {
	const [field, error] = [fields[index], errors[index]];
	return field && error !== undefined ? t('{0}: {1}', fieldName(field, t), visible(error)) : '';
}

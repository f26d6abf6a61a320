import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Finding } from '../../../elicitation/findings/finding.ts';
import { blockedBy, findingsAmong } from '../../../elicitation/findings/findings.ts';
import { handlingOf } from '../../../elicitation/findings/handling.ts';
import { fieldSummary } from '../../../elicitation/form/constraint.ts';
import type { Field, Option } from '../../../elicitation/form/fields.ts';
import { type Form, wholeOf } from '../../../elicitation/form/form.ts';
import { isObject, type JsonObject, own } from '../../../elicitation/json.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import type { ElicitationRequest } from '../../../elicitation/request.ts';
import { render, type Sentence } from '../../../elicitation/sentence.ts';
import type { FormModel } from '../../../protocol.ts';
import { causesOf } from '../../common/descriptions.ts';
import { localize } from '../../common/localize.ts';
import { setting } from '../../common/settings.ts';
import { hasPrompt } from '../../common/surfaces.ts';
import type { Servers } from '../../servers/servers.ts';
import type { FormPanelOptions } from './formPanel.ts';
import { isCutOff } from './pickerText.ts';

/** Longer messages, or ones with several lines, are shown in a panel unless the user prefers pickers (characters). */
const MAX_PICKER_MESSAGE = 200;

/** Longer messages are always shown in a panel, because what is below the box of a picker cannot be scrolled (characters). */
const MAX_PROMPT = 1_000;

/** Longer descriptions of a field would not be shown whole (characters). */
const MAX_PICKER_DESCRIPTION = 400;

/** A form, or what stands in the place of one. */
type Asked = Pick<Form, 'fields' | 'schema'>;

/** Everything in the form of a request except its draft. */
export function modelOf(
	elicitation: Elicitation,
	asked: Asked,
	{ urlIds }: Pick<Registry, 'urlIds'>,
	servers: Pick<Servers, 'get'>,
): FormPanelOptions['model'] {
	const { origin, request, receivedAt } = elicitation;
	const isForm = request.mode === 'form';
	const blocked = isForm && isObject(origin.params) ? blockedBy(origin.params) : undefined;
	const shown = shownRequest(asked, request.message, findingsAmong(elicitation, urlIds), blocked);
	const ownName = servers.get(origin.server)?.connection?.ownName;
	return {
		purpose: request.mode === 'sampling' ? 'sampling' : 'elicitation',
		server: origin.server,
		...(ownName !== undefined && ownName !== origin.server && { serverTitle: ownName }),
		calls: causesOf(elicitation),
		receivedAt,
		...shown,
		// Sampling requests need the panel, which shows them whole.
		pickers: isForm && shown.pickers,
	};
}

/** What a form says about its request, and whether pickers can say it all. */
export function shownRequest(
	asked: Asked,
	message: string,
	found: readonly Finding[],
	blocked: Sentence | undefined,
): Pick<FormModel, 'message' | 'title' | 'description' | 'warnings' | 'findings' | 'blocked' | 'pickers'> {
	const findings = shownFindings(found);
	return {
		...headingOf(message, asked.schema),
		...findings,
		...(blocked && { blocked: render(blocked, localize) }),
		pickers: !blocked && findings.warnings.length === 0 && fitsPickers(asked, message),
	};
}

/** What a form says about its request. A message that asks for a secret is warned of above the buttons, a field at the field (F16). */
export function shownFindings(found: readonly Finding[]): Pick<FormModel, 'warnings' | 'findings'> {
	const findings = found.map(({ message, ...finding }) => ({
		...finding,
		text: render(message, localize),
		handling: render(handlingOf(finding.rule), localize),
	}));
	return {
		warnings: findings
			.filter(({ rule, pointer }) => rule === 'sensitive' && pointer === '/message')
			.map(({ text }) => text),
		findings,
	};
}

/** What stands above the fields of a form. Server text. */
function headingOf(message: string, schema: JsonObject): Pick<FormModel, 'message' | 'title' | 'description'> {
	const [title, description] = [own(schema, 'title'), own(schema, 'description')];
	return {
		message,
		...(typeof title === 'string' && { title }),
		...(typeof description === 'string' && { description }),
	};
}

/** The schema of a form. That of a sampling request has no labels of its own. */
export function schemaOf(request: Exclude<ElicitationRequest, { mode: 'url' }>): JsonObject {
	const { requestedSchema } = request;
	if (request.mode === 'form' || !isObject(requestedSchema['properties'])) {
		return requestedSchema;
	}
	const { text, model } = requestedSchema['properties'];
	return {
		...requestedSchema,
		title: localize('Sampling request'),
		description: localize(
			'The server requests the response of a language model to these messages. Write it, or have a model of this editor draft it. The server gets it when you accept.',
		),
		properties: {
			text: { ...(text as JsonObject), title: localize('Response') },
			model: {
				...(model as JsonObject),
				title: localize('Model'),
				description: localize('Who or what wrote the response; the server is told.'),
			},
		},
	};
}

/** Whether a form that fits pickers is shown there. `auto`: one of up to three simple fields without secrets. */
export function usesPickers({ fields }: Form): boolean {
	const presentation = setting('form.presentation');
	if (presentation !== 'auto') {
		return presentation === 'quickPick';
	}
	const asked = fields.filter(({ kind }) => kind !== 'const');
	return asked.length <= 3 && asked.every(isSimple);
}

function isSimple(field: Field): boolean {
	const isShort = ({ label, description = '' }: Option) => !isCutOff(`${label} ${description}`);
	return (
		!field.secret &&
		(field.description ?? '').length <= MAX_PICKER_DESCRIPTION &&
		(!('options' in field) || field.options.every(isShort)) &&
		(field.kind === 'boolean' ||
			field.kind === 'number' ||
			field.kind === 'choice' ||
			field.kind === 'choices' ||
			(field.kind === 'text' && field.entry !== 'area' && !field.file))
	);
}

/** Whether pickers show all of what is asked: the message with the title and the description of the schema, on one line with `auto`. */
function fitsPickers({ fields, schema }: Asked, message: string): boolean {
	const whole = wholeOf(message, schema);
	const text = whole.join(' ');
	if (
		setting('form.presentation') === 'auto' &&
		(text.length > MAX_PICKER_MESSAGE || /[\r\n\u2028\u2029]/.test(text))
	) {
		return false;
	}
	// Without a prompt, a list has only the placeholder of its box.
	const lists = fields.filter(({ kind }) => kind === 'boolean' || kind === 'choice' || kind === 'choices');
	const lines = [text, ...lists.map((field) => [...whole, fieldSummary(field, localize)].join(' — '))];
	return text.length <= MAX_PROMPT && (hasPrompt() || !lines.some(isCutOff));
}

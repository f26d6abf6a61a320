import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Finding } from '../../../elicitation/findings/finding.ts';
import { blockedBy, findingsAmong } from '../../../elicitation/findings/findings.ts';
import { handlingOf } from '../../../elicitation/findings/handling.ts';
import { type Form, wholeOf } from '../../../elicitation/form/form.ts';
import { isObject, type JsonObject, own } from '../../../elicitation/json.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import type { ElicitationRequest } from '../../../elicitation/request.ts';
import { render } from '../../../elicitation/sentence.ts';
import type { FormModel } from '../../../protocol.ts';
import { causesOf } from '../../common/descriptions.ts';
import { localize } from '../../common/localize.ts';
import { setting } from '../../common/settings.ts';
import type { Servers } from '../../servers/servers.ts';
import type { FormPanelOptions } from './formPanel.ts';
import { isCutOff } from './pickerText.ts';

/** Longer messages, or ones with several lines, need a panel (characters). A picker shows one line. */
const MAX_PICKER_MESSAGE = 200;

/** Longer descriptions of a field would not be shown whole (characters). */
const MAX_PICKER_DESCRIPTION = 400;

/** Everything in the form of a request except its draft. */
export function modelOf(
	elicitation: Elicitation,
	{ urlIds }: Pick<Registry, 'urlIds'>,
	servers: Pick<Servers, 'get'>,
): FormPanelOptions['model'] {
	const { origin, request, receivedAt } = elicitation;
	const schema: JsonObject = request.mode === 'url' ? {} : schemaOf(request);
	const params = isObject(origin.params) ? origin.params : {};
	const blocked = request.mode === 'form' ? blockedBy(params) : undefined;
	const ownName = servers.get(origin.server)?.connection?.ownName;
	return {
		purpose: request.mode === 'sampling' ? 'sampling' : 'elicitation',
		server: origin.server,
		...(ownName !== undefined && ownName !== origin.server && { serverTitle: ownName }),
		calls: causesOf(elicitation),
		receivedAt,
		...headingOf(request.message, schema),
		...shownFindings(findingsAmong(elicitation, urlIds)),
		pickers: request.mode === 'form' && offersPickers(request.message, schema),
		...(blocked && { blocked: render(blocked, localize) }),
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
export function headingOf(message: string, schema: JsonObject): Pick<FormModel, 'message' | 'title' | 'description'> {
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

/** `auto`: use pickers for up to three simple fields without secrets, and a message that fits on one line. */
export function usesPickers({ fields, schema }: Form, message: string): boolean {
	const presentation = setting('form.presentation');
	if (presentation !== 'auto') {
		return presentation === 'quickPick';
	}
	const asked = fields.filter(({ kind }) => kind !== 'const');
	return (
		asked.length <= 3 &&
		fitsPickers(message, schema) &&
		asked.every(
			(field) =>
				!field.secret &&
				(field.description ?? '').length <= MAX_PICKER_DESCRIPTION &&
				!(
					'options' in field && field.options.some(({ label, description = '' }) => isCutOff(`${label} ${description}`))
				) &&
				(field.kind === 'boolean' ||
					field.kind === 'number' ||
					field.kind === 'choice' ||
					field.kind === 'choices' ||
					(field.kind === 'text' && field.entry !== 'area' && !field.file)),
		)
	);
}

/** True if the user may go on in pickers: with `auto`, not if the message needs several lines. */
export function offersPickers(message: string, schema: JsonObject): boolean {
	return setting('form.presentation') !== 'auto' || fitsPickers(message, schema);
}

/** With the title and the description of the schema, which are shown there, too. */
function fitsPickers(message: string, schema: JsonObject): boolean {
	const whole = wholeOf(message, schema).join(' ');
	return whole.length <= MAX_PICKER_MESSAGE && !/[\r\n\u2028\u2029]/.test(whole);
}

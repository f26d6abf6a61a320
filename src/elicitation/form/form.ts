import { isFilledText, isObject, type JsonObject, own, plainObject } from '../json.ts';
import { pointerNames, pointerToken } from '../pointer.ts';
import { localizable, type Sentence } from '../sentence.ts';
import type { Field } from './fields.ts';
import { filledRows, type Input, isActive, isBlank, type Problem, toContent, toInputs } from './inputs.ts';
import { readJson } from './literals.ts';
import { isMoment, spellings } from './moments.ts';
import { fieldsOf } from './readFields.ts';
import { withSamples } from './sample.ts';
import { type Skipped, type Validator, type Verdict, type Violation, violationText } from './validate.ts';

/** The current state of a form: the exact content that would be sent, and its problems. */
export interface Review {
	readonly content: JsonObject;
	readonly problems: readonly Problem[];
	/** Set if something of the schema could not be run here. The user may still send the content; the server validates it. */
	readonly unchecked?: Sentence;
	/** What could not be run of the schema of a field. */
	readonly notes?: readonly Problem[];
	/** Moments that are written otherwise than they were entered, by field. */
	readonly sent?: readonly { readonly field: number; readonly text: string }[];
}

/** Content that was entered as JSON. `content` is absent if the text is not a JSON object. */
export interface JsonReview extends Omit<Review, 'content' | 'sent'> {
	readonly content?: JsonObject;
	/** The same content as inputs of the form; `rest` holds what no field can represent. */
	readonly inputs?: readonly Input[];
	readonly rest?: JsonObject;
}

/** The form of a schema: its fields and the validation of inputs. Used for elicitations and tool arguments. */
export class Form {
	readonly fields: readonly Field[];

	constructor(
		readonly schema: JsonObject,
		protected readonly validator: Validator,
		fields: readonly Field[] = fieldsOf(schema),
	) {
		this.fields = withSamples(fields, schema);
	}

	/**
	 * Converts the inputs and validates the content against the raw schema.
	 * @param rest properties entered as JSON that no field represents; fields take precedence
	 */
	async review(inputs: readonly Input[], rest: JsonObject = {}): Promise<Review> {
		const read = toContent(this.fields, inputs);
		const answered = new Set(
			this.fields.flatMap((field, index) => (isBlank(inputs[index]) || !isActive(field, inputs) ? [] : [field.key])),
		);
		const kept = Object.entries(rest).filter(([key]) => !answered.has(key));
		const keys = new Set(kept.map(([key]) => key));
		const problems = read.problems.filter(
			({ field }) => field === undefined || !keys.has(this.fields[field]?.key ?? ''),
		);
		const content = plainObject([...Object.entries(read.content), ...kept]);
		const { sent, ...spelled } = await this.#spell(await this.#judge(content), inputs);
		return { ...this.#reviewed(spelled, problems, inputs), ...(sent.length > 0 && { sent }) };
	}

	/** Writes each moment in the first of its spellings that the schema accepts. */
	async #spell(
		judged: Judged,
		inputs: readonly Input[],
	): Promise<Judged & { sent: { field: number; text: string }[] }> {
		let best = judged;
		const sent: { field: number; text: string }[] = [];
		for (const [index, field] of this.fields.entries()) {
			const isWritten = field.kind === 'text' && isMoment(field.entry) && isActive(field, inputs);
			const text = isWritten && isRefused(best, field.key) ? own(best.content, field.key) : undefined;
			for (const spelling of typeof text === 'string' ? spellings(text).filter((each) => each !== text) : []) {
				const spelled = await this.#judge(plainObject([...Object.entries(best.content), [field.key, spelling]]));
				if (!isRefused(spelled, field.key)) {
					best = spelled;
					sent.push({ field: index, text: spelling });
					break;
				}
			}
		}
		return { ...best, sent };
	}

	async #judge(content: JsonObject): Promise<Judged> {
		return { content, verdict: await this.validator.validate(this.schema, content) };
	}

	/** Reads and validates content that was entered as JSON. */
	async reviewJson(text: string): Promise<JsonReview> {
		const read = readJson(text);
		if ('problem' in read) {
			return { problems: [{ message: read.problem }] };
		}
		if (!isObject(read.value)) {
			return { problems: [{ message: localizable('A JSON object is required, in braces.') }] };
		}
		const entered = toInputs(this.fields, read.value);
		return { ...this.#reviewed(await this.#judge(read.value), [], entered.inputs), ...entered };
	}

	/** @param inputs what the content was made of */
	#reviewed({ content, verdict }: Judged, problems: readonly Problem[], inputs: readonly Input[]): Review {
		if (verdict.status === 'unchecked') {
			return { content, problems, unchecked: verdict.reason };
		}
		const skipped = this.#skipped(verdict.skipped ?? []);
		if (verdict.status === 'valid') {
			return { content, problems, ...skipped };
		}
		return { content, problems: merge(problems, verdict.violations, this.fields, inputs), ...skipped };
	}

	/** Notes on the fields whose schemas have what cannot be run; the first other one concerns the whole form. */
	#skipped(skipped: readonly Skipped[]): Pick<Review, 'unchecked' | 'notes'> {
		const all = skipped.map(({ pointer, message }) => ({ fields: this.#fieldsAt(pointer), message }));
		const notes = all.flatMap(({ fields, message }) => fields.map((field) => ({ field, message })));
		const unchecked = all.find(({ fields }) => fields.length === 0)?.message;
		return { ...(notes.length > 0 && { notes }), ...(unchecked && { unchecked }) };
	}

	/** The fields that a place in the schema is about, or that refer to it. */
	#fieldsAt(pointer: string): number[] {
		const names = pointerNames(pointer);
		const at = names.indexOf('properties');
		const shared = names[0] === '$defs' || names[0] === 'definitions';
		const reference = shared ? `"#/${names[0]}/${pointerToken(names[1] ?? '')}"` : undefined;
		return this.fields.flatMap(({ key }, index) => {
			const refers =
				reference !== undefined && JSON.stringify(own(own(this.schema, 'properties'), key) ?? null).includes(reference);
			return refers || (!shared && at >= 0 && names[at + 1] === key) ? [index] : [];
		});
	}
}

/** Content, and what the validator says about it. */
interface Judged {
	readonly content: JsonObject;
	readonly verdict: Verdict;
}

/** True if a property breaks a rule of the schema. */
function isRefused({ verdict }: Judged, key: string): boolean {
	return verdict.status === 'invalid' && verdict.violations.some(({ path }) => pointerNames(path)[0] === key);
}

const UNIONS = new Set(['oneOf', 'anyOf']);

/** One message per field. Reading problems take precedence over schema violations. */
function merge(
	problems: readonly Problem[],
	violations: readonly Violation[],
	fields: readonly Field[],
	inputs: readonly Input[],
): Problem[] {
	const merged = [...problems];
	const whole: Violation[] = [];
	const taken = new Set(problems.map((problem) => problem.field));
	const active = [...fields.keys()].filter((index) => isActive(fields[index] as Field, inputs));
	const indexes = new Map(active.map((index) => [fields[index]?.key, index]));
	for (const violation of violations) {
		const [key, ...inner] = pointerNames(violation.path);
		const index = key === undefined ? undefined : indexes.get(key);
		const field = index === undefined ? undefined : fields[index];
		if (index === undefined || field === undefined) {
			whole.push(violation);
		} else if (!taken.has(index)) {
			taken.add(index);
			merged.push({ field: index, message: within(field, inputs[index], inner, violation.message) });
		}
	}
	// What is wrong with a field is why no alternative matches.
	const said = whole.filter(({ path, keyword }) => merged.length === 0 || path !== '' || !UNIONS.has(keyword));
	merged.push(...said.map((violation) => ({ message: violationText(violation) })));
	return merged.sort((a, b) => (a.field ?? Number.MAX_SAFE_INTEGER) - (b.field ?? Number.MAX_SAFE_INTEGER));
}

/** Adds the location inside a field's value to the message. */
function within(field: Field, input: Input | undefined, inner: readonly string[], message: Sentence): Sentence {
	const [entry] = inner;
	if (entry === undefined) {
		return message;
	}
	const rows = field.kind === 'list' && input?.kind === 'list' && input.items ? filledRows(field, input.items) : [];
	return field.kind === 'list' || field.kind === 'choices'
		? localizable('Entry {0}: {1}', (rows[Number(entry)] ?? Number(entry)) + 1, message)
		: localizable('{0}: {1}', inner.join('/'), message);
}

/** What is said about the form as a whole: the message, and the title and description of the schema. Server text. */
export function wholeOf(message: string, schema: JsonObject): readonly string[] {
	const more = [own(schema, 'title'), own(schema, 'description')];
	return [message, ...more.filter(isFilledText).map((text) => text.trim())];
}

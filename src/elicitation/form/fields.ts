import type { Json } from '../json.ts';
import type { Numeric } from '../jsonText.ts';
import type { TextEntry } from './textFormats.ts';

/** An option of a choice. `value` is sent; the label is only displayed. */
export interface Option {
	readonly value: Json;
	readonly label: string;
	readonly description?: string;
}

interface FieldBase {
	/** The property's raw name. Server text; may be any string. */
	readonly key: string;
	/** The schema's `title`, or the key. Server text. */
	readonly label: string;
	/** Server text. */
	readonly description?: string;
	readonly required: boolean;
	/** True if the schema allows `null`. A blank required field is then sent as `null`. */
	readonly nullable: boolean;
	/** True if the schema masks the value, or its name denotes a secret. It is masked wherever it is shown. */
	readonly secret?: true;
	/** The field is part of the form only while one of these options of that choice is chosen; absent: always. */
	readonly variant?: { readonly field: number; readonly options: readonly number[] };
}

/** Which files a text may hold as data URIs. */
export interface AcceptedFile {
	/** Media types (`image/png`, `image/*`) and extensions (`.pdf`); empty: any file. Server text. */
	readonly accept: readonly string[];
	/** Bytes. */
	readonly maxSize: number;
}

export interface TextField extends FieldBase {
	readonly kind: 'text';
	readonly entry: TextEntry;
	readonly format?: string;
	/** Lengths are in code points (JSON Schema validation, section 6.3). */
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly pattern?: string;
	/** The text is a file (draft: SEP-2356). */
	readonly file?: AcceptedFile;
	readonly default?: string;
}

export interface NumberField extends FieldBase {
	readonly kind: 'number';
	readonly integer: boolean;
	readonly minimum?: Numeric;
	readonly maximum?: Numeric;
	readonly exclusiveMinimum?: Numeric;
	readonly exclusiveMaximum?: Numeric;
	readonly multipleOf?: Numeric;
	readonly default?: Numeric;
}

export interface BooleanField extends FieldBase {
	readonly kind: 'boolean';
	readonly default?: boolean;
}

export interface ChoiceField extends FieldBase {
	readonly kind: 'choice';
	readonly options: readonly Option[];
	/** Index into `options`. */
	readonly default?: number;
	/** A choice of the alternatives of a schema that no property tells apart: it decides which fields there are. */
	readonly unsent?: true;
}

export interface ChoicesField extends FieldBase {
	readonly kind: 'choices';
	readonly options: readonly Option[];
	readonly minItems?: number;
	readonly maxItems?: number;
	/** Indexes into `options`. */
	readonly default?: readonly number[];
}

/** A list of free entries. */
export interface ListField extends FieldBase {
	readonly kind: 'list';
	readonly item: 'text' | 'number' | 'integer';
	readonly minItems?: number;
	readonly maxItems?: number;
	readonly default?: readonly (string | number)[];
}

/** A single allowed value. Displayed but not editable; always sent. */
export interface ConstField extends FieldBase {
	readonly kind: 'const';
	readonly value: Json;
}

/** A property without a suitable control. Entered as JSON. */
export interface JsonField extends FieldBase {
	readonly kind: 'json';
	readonly default?: Json;
	/** A value to begin with. */
	readonly example?: Json;
	/** The properties of an object. */
	readonly shape?: readonly Property[];
	/** The whole content, of a schema that no fields can show. Its key is empty. */
	readonly whole?: true;
}

/** A property of an object in a `JsonField`. */
export interface Property {
	/** Server text. */
	readonly name: string;
	/** In JSON Schema's words, such as `string`, `number[]` or `string | null`. Server text. */
	readonly type: string;
	readonly required: boolean;
}

/** True if a response may leave the field out, or hold `null` for it. */
export function isOptional({ required, nullable }: Field): boolean {
	return !required || nullable;
}

/** How one property of a `requestedSchema` is presented. */
export type Field =
	| TextField
	| NumberField
	| BooleanField
	| ChoiceField
	| ChoicesField
	| ListField
	| ConstField
	| JsonField;

/** True if the server lists what can be chosen: none of that is a secret of the user, nor is a boolean. */
export function isListed({ kind }: Field): boolean {
	return kind === 'choice' || kind === 'choices' || kind === 'const' || kind === 'boolean';
}

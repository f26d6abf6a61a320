/**
 * Native date and time controls know no offset from UTC, and the formats `date-time` and `time` demand one. Here the
 * offset of this window's zone is found for the very date that was entered (daylight saving changes it).
 */

export interface LocalMoment {
	/** RFC 3339 texts that the local time may stand for: one, or two around a change of the clock. */
	readonly texts: readonly string[];
	/** Offsets to read, `+02:00`, in the order of `texts`. */
	readonly offsets: readonly string[];
	/** `twice`: the clock shows this time twice that day. `never`: it skips this time. */
	readonly oddity?: 'twice' | 'never';
}

const localPattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?$/;
const dateTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
const minute = 60_000;
const day = 1440 * minute;

/** The value of a `datetime-local` control with seconds and its offset; `undefined` when it is no local time. */
export function momentOf(local: string): LocalMoment | undefined {
	const match = localPattern.exec(local);
	if (match === null) {
		return undefined;
	}
	const [, year, month, date, hour, min, second = '00', part = ''] = match;
	const fraction = /[1-9]/.test(part) ? part : '';
	const asUtc = new Date(0);
	asUtc.setUTCFullYear(Number(year), Number(month) - 1, Number(date));
	asUtc.setUTCHours(Number(hour), Number(min), Number(second));
	const time = asUtc.getTime();
	const around = [...new Set([offsetAt(time - day), offsetAt(time + day)])];
	const valid = around.filter((offset) => offsetAt(time - offset * minute) === offset);
	const offsets = (valid.length > 0 ? valid : around).map(offsetText);
	const base = `${year}-${month}-${date}T${hour}:${min}:${second}${fraction}`;
	const oddity = valid.length === 0 ? 'never' : valid.length > 1 ? 'twice' : undefined;
	const texts = offsets.map((offset) => base + offset);
	return oddity === undefined ? { texts, offsets } : { texts, offsets, oddity };
}

/** The value for a `datetime-local` control that shows this moment, in RFC 3339 or without offset; `undefined` when it cannot. */
export function localOf(text: string): string | undefined {
	const local = text.replace(' ', 'T');
	if (localPattern.test(local)) {
		return dateOf(text.slice(0, 10)) === undefined || text.slice(11, 13) > '23' ? undefined : local;
	}
	// `Date` takes February 30 for March 1, and 24:00 for the next day.
	if (!dateTimePattern.test(text) || dateOf(text.slice(0, 10)) === undefined || text.slice(11, 13) === '24') {
		return undefined;
	}
	const moment = new Date(text);
	const year = moment.getFullYear();
	if (Number.isNaN(moment.getTime()) || year < 1 || year > 9999) {
		return undefined;
	}
	const fraction = moment.getMilliseconds() === 0 ? '' : `.${String(moment.getMilliseconds()).padStart(3, '0')}`;
	return (
		`${String(year).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}` +
		`T${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}${fraction}`
	);
}

/** The offset of the local time that `localOf` gives for a moment. */
export function localOffsetOf(text: string): string | undefined {
	const time = new Date(text).getTime();
	return dateTimePattern.test(text) && !Number.isNaN(time) ? offsetText(offsetAt(time)) : undefined;
}

/** The value for a `date` control, which has no year 0 and no February 30. */
export function dateOf(text: string): string | undefined {
	const time = /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined;
}

/** The value of a `time` control with seconds and today's offset. */
export function timeOf(local: string, today: Date): { text: string; offset: string } | undefined {
	const match = /^(\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(local);
	if (match === null) {
		return undefined;
	}
	const offset = offsetText(offsetAt(today.getTime()));
	return { text: `${match[1]}${match[2] ?? ':00'}${offset}`, offset };
}

/** The value for a `time` control, which has no 24:00 and no leap second, if the text has today's offset or none. */
export function localTimeOf(text: string, today: Date): string | undefined {
	const match = /^((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text);
	return match !== null && [undefined, offsetText(offsetAt(today.getTime()))].includes(match[2]) ? match[1] : undefined;
}

function offsetAt(time: number): number {
	return Math.round(-new Date(time).getTimezoneOffset());
}

function offsetText(minutes: number): string {
	if (minutes === 0) {
		return 'Z';
	}
	const size = Math.abs(minutes);
	return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function two(value: number): string {
	return String(value).padStart(2, '0');
}

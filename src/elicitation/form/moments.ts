import type { TextField } from './fields.ts';

const MOMENT = /^(\d{4}-\d\d-\d\d)?[Tt ]?(\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(?:([Zz])|([+-]\d\d):?(\d\d))?$/;

/** True for the text of a date with a time, or of a time, of which there is more than one spelling. */
export function isMoment(entry: TextField['entry']): boolean {
	return entry === 'date-time' || entry === 'time';
}

/**
 * The ways to write a moment, in order of preference: with its offset from UTC, as `Z`, without an offset; each with
 * seconds, with milliseconds, and without seconds where they are 0. Empty for another text.
 */
export function spellings(text: string): string[] {
	const match = MOMENT.exec(text);
	if (match === null) {
		return [];
	}
	const [, date, minutes = '', seconds = '00', fraction = '', zulu, hours, more] = match;
	const offset = zulu ? 'Z' : hours === undefined ? '' : `${hours}:${more}`;
	const at = Date.parse(`${date ?? '2000-01-01'}T${minutes}:${seconds}${offset || 'Z'}`);
	if (Number.isNaN(at)) {
		return [];
	}
	const written = (day: string | undefined, time: string, zone: string, between: string) =>
		clocks(time, seconds, fraction).map((clock) => `${day === undefined ? '' : day + between}${clock}${zone}`);
	const utc = new Date(at).toISOString();
	const day = date && utc.slice(0, 10);
	return [
		...new Set(
			(date === undefined ? [''] : ['T', ' ']).flatMap((between) => [
				...(offset === '' ? [] : written(date, minutes, offset, between)),
				...(offset === '' ? [] : ['Z', '+00:00'].flatMap((zone) => written(day, utc.slice(11, 16), zone, between))),
				...written(date, minutes, '', between),
			]),
		),
	];
}

/** The seconds of a time stay the same in each zone, and so does what they are a fraction of. */
function clocks(minutes: string, seconds: string, fraction: string): string[] {
	const exact = `${minutes}:${seconds}${fraction}`;
	const digits = fraction.slice(1);
	const isWhole = /^0*$/.test(digits);
	return [
		exact,
		...(isWhole ? [`${minutes}:${seconds}`] : []),
		...(/^0*$/.test(digits.slice(3)) ? [`${minutes}:${seconds}.${digits.slice(0, 3).padEnd(3, '0')}`] : []),
		...(isWhole && seconds === '00' ? [minutes] : []),
	];
}

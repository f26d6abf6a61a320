/** Decoding of internationalised host names (RFC 3492), to show what an `xn--` label looks like. */

const BASE = 36;
const TMIN = 1;
const TMAX = 26;
const SKEW = 38;
const DAMP = 700;
const PREFIX = 'xn--';

/** The host with every `xn--` label decoded; a label that cannot be decoded stays as it is. */
export function unicodeHost(host: string): string {
	return host.split('.').map(unicodeLabel).join('.');
}

export function isEncodedLabel(label: string): boolean {
	return label.startsWith(PREFIX);
}

export function unicodeLabel(label: string): string {
	return isEncodedLabel(label) ? (decode(label.slice(PREFIX.length)) ?? label) : label;
}

function decode(encoded: string): string | undefined {
	const delimiter = encoded.lastIndexOf('-');
	const output = delimiter > 0 ? Array.from(encoded.slice(0, delimiter), (letter) => letter.codePointAt(0) ?? 0) : [];
	let position = delimiter > 0 ? delimiter + 1 : 0;
	let code = 128;
	let index = 0;
	let bias = 72;
	while (position < encoded.length) {
		const start = index;
		let weight = 1;
		for (let k = BASE; ; k += BASE) {
			const digit = digitOf(encoded.charCodeAt(position++));
			if (digit === undefined) {
				return undefined;
			}
			index += digit * weight;
			const threshold = Math.min(Math.max(k - bias, TMIN), TMAX);
			if (digit < threshold) {
				break;
			}
			weight *= BASE - threshold;
		}
		const length = output.length + 1;
		bias = adapt(index - start, length, start === 0);
		code += Math.floor(index / length);
		index %= length;
		if (code > 0x10ffff) {
			return undefined;
		}
		output.splice(index++, 0, code);
	}
	return String.fromCodePoint(...output);
}

function digitOf(unit: number): number | undefined {
	if (unit >= 0x30 && unit <= 0x39) {
		return unit - 0x30 + 26;
	}
	return unit >= 0x61 && unit <= 0x7a ? unit - 0x61 : undefined;
}

function adapt(delta: number, length: number, first: boolean): number {
	let rest = first ? Math.floor(delta / DAMP) : delta >> 1;
	rest += Math.floor(rest / length);
	let k = 0;
	for (; rest > ((BASE - TMIN) * TMAX) >> 1; k += BASE) {
		rest = Math.floor(rest / (BASE - TMIN));
	}
	return k + Math.floor(((BASE - TMIN + 1) * rest) / (rest + SKEW));
}

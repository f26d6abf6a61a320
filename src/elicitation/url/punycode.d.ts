declare module 'punycode/punycode.js' {
	const punycode: {
		/** Throws a `RangeError` for what is not Punycode. */
		decode(encoded: string): string;
	};
	export default punycode;
}

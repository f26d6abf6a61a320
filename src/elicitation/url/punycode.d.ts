declare module 'punycode/punycode.js' {
	const punycode: {
		/** @throws RangeError if the input is not Punycode */
		decode(encoded: string): string;
	};
	export default punycode;
}

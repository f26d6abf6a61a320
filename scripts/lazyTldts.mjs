// @ts-check
/** Replaces tldts: its list of public suffixes takes longer to evaluate than all else that a window loads, and waits for its first use. */

/** @type {typeof import('tldts').getDomain} */
// @ts-expect-error There is no declaration beside the file, whose package is replaced by this one.
export const getDomain = (...args) => require('../node_modules/tldts/dist/es6/index.js').getDomain(...args);

/* Error codes of JSON-RPC 2.0 (section 5.1) and of MCP. */

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** The call can be repeated once URLs that the error names are completed (2025-11-25). */
export const URL_ELICITATION_REQUIRED = -32042;
/** The HTTP headers of a call don't match its arguments, so it was not run (2026-07-28). */
export const HEADER_MISMATCH = -32020;
/** The request needs a client capability that wasn't declared (2026-07-28, error codes). */
export const MISSING_CAPABILITY = -32021;
/** The server has other protocol revisions (2026-07-28). */
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;

// @ts-check
/**
 * The faults that the client survives: what goes wrong, what crosses the wire then, and what the user sees (absent where there is
 * nothing to see). Tests name them (`fault 1: …`): on the wire with a raw server (test/rawServer), and in a real editor where the
 * user sees something.
 *
 * @typedef {{ fault: string, wire: string, user?: string }} Fault
 * @type {readonly Fault[]}
 */
export const FAULTS = [
	{
		fault: 'The server exits while a form is open.',
		wire: 'No response; the call fails. Between two rounds over HTTP, the retry fails to connect.',
		user: 'The form says so, keeps its draft, and can no longer be sent. One message says why.',
	},
	{
		fault: 'Two requests of the server have the same JSON-RPC id.',
		wire: 'The second is refused with -32600; the first gets its own response.',
		user: 'The first request only.',
	},
	{
		fault: 'Two elicitations have the same `elicitationId`.',
		wire: 'One response each. A completion notification applies to the connection that it arrived on.',
	},
	{
		fault: 'A completion notification refers to an unknown or finished elicitation, or to one of another server.',
		wire: 'Nothing.',
	},
	{
		fault: 'A completion notification arrives before the user has consented.',
		wire: '`cancel`, once; never `accept`.',
		user: 'That the request was completed elsewhere. Nothing is opened.',
	},
	{ fault: 'A completion notification is malformed.', wire: 'Nothing.' },
	{
		fault: 'The user responds a second time.',
		wire: 'The first response, once.',
		user: 'The form has closed and cannot be sent twice.',
	},
	{
		fault: 'The server cancels an elicitation with `notifications/cancelled`.',
		wire: 'No response.',
		user: 'The form says that the request was withdrawn, and why, and can no longer be sent.',
	},
	{
		fault: 'The user takes longer than a call may take.',
		wire: 'The response; no `notifications/cancelled`.',
		user: "The server's time and the user's time, separately; then the result.",
	},
	{ fault: 'The time limit for calls is 0, negative, infinite, or more than a timer can hold.', wire: 'No limit.' },
	{
		fault: 'The server sends 1,000 elicitations at once.',
		wire: 'The responses to those shown (20) or held (50), `cancel` for the rest; one response each.',
		user: 'A few of them, and one message that offers Review, Decline the Rest, and Stop Server.',
	},
	{
		fault: 'The server sends a message of 9 MB.',
		wire: 'An elicitation is refused with -32602; results are received in full.',
		user: 'As much as one can read; for an elicitation, why it was refused.',
	},
	{
		fault: 'The server sends a message that never ends (more than 64 MB).',
		wire: 'The connection is closed; the server is not restarted.',
		user: 'One message that names the limit. The server is shown as failed.',
	},
	{
		fault: 'The server sends noise, invalid JSON, JSON that is not JSON-RPC, or invalid UTF-8.',
		wire: 'Nothing; the next message is processed as usual.',
		user: "A sample and counts in the server's log.",
	},
	{ fault: 'A response has an unknown or repeated id.', wire: 'Nothing; the call waits for its own response.' },
	{
		fault: 'The server sends JSON nested 200,000 levels deep.',
		wire: 'An elicitation is refused with -32602; a result fails its call; the connection stays open.',
		user: 'One message that names the limit.',
	},
	{
		fault: 'A stream breaks in the middle of a call.',
		wire: 'A stream with event ids is resumed (GET with `Last-Event-ID`); the call is sent once.',
		user: 'An error right away; nothing if the stream was resumed.',
	},
	{
		fault: 'Error -32042 has malformed data, no entries, entries that are not in URL mode, or more than 10 entries.',
		wire: 'No retry.',
		user: "The server's error, with an explanation.",
	},
	{
		fault: 'The retry fails with -32042 again.',
		wire: 'At most 3 automatic retries, and none for the same URLs.',
		user: 'The choice to go on or stop.',
	},
	{
		fault: 'The server sends -32042 in a revision that does not define it.',
		wire: 'No retry.',
		user: 'That this revision does not define the error.',
	},
	{
		fault: '`requestState` contains NUL, emoji, or megabytes of text.',
		wire: 'It is sent back exactly as it was received.',
	},
	{
		fault: 'A call never stops asking for more rounds, with or without input requests.',
		wire: 'No retry after 10 rounds unless the user goes on.',
		user: 'The choice to go on or stop after 10 rounds; Cancel at any time.',
	},
	{
		fault: 'One result contains 500 input requests.',
		wire: 'One retry with all the responses.',
		user: 'Three forms at a time, the others in the list, and the offer to decline the rest.',
	},
	{
		fault: 'Input requests have an unknown method, have no params, or are not objects.',
		wire: 'No retry.',
		user: 'An error that names the entry; no form.',
	},
	{ fault: 'A response in URL mode could carry `content`.', wire: 'Only the action.' },
	{
		fault: 'An elicitation has an unknown mode, or one that was not declared.',
		wire: '-32602, once; in a round trip, no retry.',
		user: 'One message that names the server and says why the request was refused.',
	},
	{
		fault: 'A list of tools keeps changing, has endless pages, or holds 10,000 entries.',
		wire: 'At most 100 pages; one more read for any number of change notifications received together.',
		user: 'The first 10,000 entries, and the new list once it has changed.',
	},
	{
		fault: 'The server sends an elicitation while no call is in flight.',
		wire: 'The response, once.',
		user: 'The request, shown as sent by the server itself.',
	},
	{
		fault: 'The window reloads or closes while elicitations are open.',
		wire: 'The process ends, or every stream and the session; no response.',
		user: 'After a reload, nothing is pending.',
	},
	{
		fault: 'The extension host is killed.',
		wire: 'Every process and every stream ends.',
		user: 'A window in which servers can be started again.',
	},
];

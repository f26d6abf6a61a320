// @ts-check
/**
 * The faults that are survived: what goes wrong, what crosses the wire then, and what the person sees; nothing, where there is
 * nothing to see. Each is tested by name (`fault 1: …`): on the wire with a server that the test itself speaks for
 * (test/puppet), and in a real editor where the person sees something.
 *
 * @typedef {{ fault: string, wire: string, person?: string }} Fault
 * @type {readonly Fault[]}
 */
export const FAULTS = [
	{
		fault: 'The server dies while a form is open.',
		wire: 'No reply; the call fails. Between two rounds over HTTP the retry finds nobody.',
		person: 'The form says so, keeps its draft and can no longer be sent; one message tells why.',
	},
	{
		fault: 'Two requests of the server have one id.',
		wire: 'The second is refused with -32600; the first has its own answer.',
		person: 'The first question alone.',
	},
	{
		fault: 'Two elicitations have one elicitationId.',
		wire: 'One reply each; a completion notice counts for the connection that it came on.',
	},
	{
		fault: 'A completion notice is about an unknown or finished elicitation, or one of another server.',
		wire: 'Nothing.',
	},
	{
		fault: 'A completion notice comes before the consent.',
		wire: '`cancel`, once; never `accept`.',
		person: 'That the request was completed elsewhere; nothing is opened.',
	},
	{ fault: 'A completion notice is malformed.', wire: 'Nothing.' },
	{
		fault: 'An answer comes after the answer.',
		wire: 'The first one, once.',
		person: 'A form that has gone: it cannot be sent twice.',
	},
	{
		fault: '`notifications/cancelled` for a question.',
		wire: 'No reply.',
		person: 'The form says that the question was withdrawn, with the reason, and can no longer be sent.',
	},
	{
		fault: 'The person thinks for longer than a call may take.',
		wire: 'The answer; no `notifications/cancelled`.',
		person: 'The times of the server and of the person, apart; the result.',
	},
	{ fault: 'The time limit of calls is 0, negative, infinite or beyond what a timer can hold.', wire: 'No limit.' },
	{
		fault: '1,000 questions at once.',
		wire: 'Answers to what is shown or held (20 and 50), `cancel` for the rest, one reply each.',
		person: 'A few of them, and one message that offers Review, Decline the Rest and Stop Server.',
	},
	{
		fault: 'A message of 9 MB.',
		wire: 'A question is refused with -32602; results arrive whole.',
		person: 'As much as can be read; why the question was refused.',
	},
	{
		fault: 'A message without an end (beyond 64 MB).',
		wire: 'The end of the connection; no new start.',
		person: 'One message that names the limit; the server as failed.',
	},
	{
		fault: 'Noise, bad JSON, lines that are no JSON-RPC, bad UTF-8.',
		wire: 'Nothing; the next message works.',
		person: 'A sample and counts, in the log of the server.',
	},
	{ fault: 'A response has an unknown or a repeated id.', wire: 'Nothing; the call waits for its own.' },
	{
		fault: 'JSON nested 200,000 levels deep.',
		wire: 'A question is refused with -32602; an answer fails its call; the connection lives.',
		person: 'One message that names the limit.',
	},
	{
		fault: 'A stream is cut in the middle of a call.',
		wire: 'A stream with event ids is asked for again (GET with Last-Event-ID); the call is sent once.',
		person: 'At once that it was cut; nothing, where it could be resumed.',
	},
	{
		fault: '-32042 with data that is malformed, empty, no URL, or more than 10 entries.',
		wire: 'No retry.',
		person: "The server's error, explained.",
	},
	{
		fault: '-32042 again after the retry.',
		wire: 'At most 3 retries by itself, none for the same pages.',
		person: 'Go On or Stop.',
	},
	{
		fault: '-32042 in a revision that does not have it.',
		wire: 'No retry.',
		person: 'That the protocol does not have this error.',
	},
	{ fault: 'A requestState with NUL, emoji, megabytes.', wire: 'It comes back exactly as it was.' },
	{
		fault: 'Rounds without end, with and without input requests.',
		wire: 'No retry after 10 rounds unless the person wants it.',
		person: 'Go On or Stop after 10 rounds; Cancel at any time.',
	},
	{
		fault: '500 input requests in one result.',
		wire: 'One retry with all the answers.',
		person: '20 questions at a time, and the offer to decline the rest.',
	},
	{
		fault: 'Input requests of unknown kinds, without content, or no objects.',
		wire: 'No retry.',
		person: 'An error that names it; no question.',
	},
	{ fault: 'The answer to a page could carry content.', wire: 'The action alone.' },
	{
		fault: 'A question in a mode that is unknown or was not declared.',
		wire: '-32602, once; in rounds no retry.',
		person: 'One message: who asked, and why it was refused.',
	},
	{
		fault: 'A list of tools that changes, pages without end, or holds 10,000 entries.',
		wire: 'At most 100 pages; one more reading for any number of change notices at once.',
		person: 'The first 10,000, and the new list when it has changed.',
	},
	{
		fault: 'The server asks without any call in flight.',
		wire: 'The answer, once.',
		person: 'The question, as asked by the server itself.',
	},
	{
		fault: 'The window reloads or closes with everything open.',
		wire: 'The end of the process or of every stream and of the session; no reply.',
		person: 'After a reload: nothing pending.',
	},
	{
		fault: 'The extension host is killed.',
		wire: 'The end of every process and of every stream.',
		person: 'A window in which servers can be started again.',
	},
];

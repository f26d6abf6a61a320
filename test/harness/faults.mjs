// @ts-check
/**
 * The faults that the client survives: what goes wrong, what crosses the wire then, and what the user sees (absent where there is
 * nothing to see). Tests name them (`fault 1: …`): on the wire with a raw server (test/rawServer), and in a real editor where the
 * user sees something.
 *
 * @typedef {readonly [english: string, chinese: string]} Text
 * @typedef {{ fault: Text, wire: Text, user?: Text }} Fault
 * @type {readonly Fault[]}
 */
export const FAULTS = [
	{
		fault: ['The server exits while a form is open.', '服务器在表单打开期间退出。'],
		wire: [
			'No response; the call fails. Between two rounds over HTTP, the retry fails to connect.',
			'不发送响应；调用失败。通过 HTTP 时，在两轮之间，重试无法连接。',
		],
		user: [
			'The form says so, keeps its draft, and can no longer be sent. One message says why.',
			'表单会说明这一点，保留草稿，但无法再发送。一条消息说明原因。',
		],
	},
	{
		fault: ['Two requests of the server have the same JSON-RPC id.', '服务器的两个请求具有相同的 JSON-RPC ID。'],
		wire: [
			'The second is refused with -32600; the first gets its own response.',
			'第二个以 -32600 回绝；第一个得到自己的响应。',
		],
		user: ['The first request only.', '只有第一个请求。'],
	},
	{
		fault: ['Two elicitations have the same `elicitationId`.', '两个征询具有相同的 `elicitationId`。'],
		wire: [
			'One response each. A completion notification applies to the connection that it arrived on.',
			'各有一个响应。完成通知只适用于它所到达的连接。',
		],
	},
	{
		fault: [
			'A completion notification refers to an unknown or finished elicitation, or to one of another server.',
			'完成通知指向未知或已结束的征询，或另一个服务器的征询。',
		],
		wire: ['Nothing.', '不发送任何内容。'],
	},
	{
		fault: ['A completion notification arrives before the user has consented.', '完成通知在用户同意之前到达。'],
		wire: ['`cancel`, once; never `accept`.', '`cancel`，一次；绝不发送 `accept`。'],
		user: ['That the request was completed elsewhere. Nothing is opened.', '请求已在别处完成。不会打开任何内容。'],
	},
	{
		fault: ['A completion notification is malformed.', '完成通知的格式有误。'],
		wire: ['Nothing.', '不发送任何内容。'],
	},
	{
		fault: ['The user responds a second time.', '用户第二次响应。'],
		wire: ['The first response, once.', '第一个响应，一次。'],
		user: ['The form has closed and cannot be sent twice.', '表单已关闭，无法发送两次。'],
	},
	{
		fault: [
			'The server cancels an elicitation with `notifications/cancelled`.',
			'服务器用 `notifications/cancelled` 取消征询。',
		],
		wire: ['No response.', '不发送响应。'],
		user: [
			'The form says that the request was withdrawn, and why, and can no longer be sent.',
			'表单说明请求已撤回及其原因，无法再发送。',
		],
	},
	{
		fault: ['The user takes longer than a call may take.', '用户花费的时间超过调用的时限。'],
		wire: ['The response; no `notifications/cancelled`.', '发送响应；不发送 `notifications/cancelled`。'],
		user: [
			"The server's time and the user's time, separately; then the result.",
			'服务器的时间和用户的时间，分别显示；然后是结果。',
		],
	},
	{
		fault: [
			'The time limit for calls is 0, negative, infinite, or more than a timer can hold.',
			'调用的时限为 0、负数或无穷大，或超出计时器的上限。',
		],
		wire: ['No limit.', '无限制。'],
	},
	{
		fault: ['The server sends 1,000 elicitations at once.', '服务器同时发送 1,000 个征询。'],
		wire: [
			'The responses to those shown (20) or held (50), `cancel` for the rest; one response each.',
			'对已显示的（20 个）或被暂缓的（50 个）发送响应，对其余的发送 `cancel`；各有一个响应。',
		],
		user: [
			'A few of them, and one message that offers Review, Decline the Rest, and Stop Server.',
			'其中几个，以及一条可选择“查看”“拒绝其余”和“停止服务器”的消息。',
		],
	},
	{
		fault: ['The server sends a message of 9 MB.', '服务器发送 9 MB 的消息。'],
		wire: [
			'An elicitation is refused with -32602; results are received in full.',
			'征询以 -32602 回绝；结果会完整接收。',
		],
		user: [
			'As much as one can read; for an elicitation, why it was refused.',
			'可以阅读的部分；对于征询，则是回绝的原因。',
		],
	},
	{
		fault: [
			'The server sends a message that never ends (more than 64 MB).',
			'服务器发送永不结束的消息（超过 64 MB）。',
		],
		wire: ['The connection is closed; the server is not restarted.', '连接会关闭；服务器不会重启。'],
		user: [
			'One message that names the limit. The server is shown as failed.',
			'一条指出限制的消息。服务器显示为失败。',
		],
	},
	{
		fault: [
			'The server sends noise, invalid JSON, JSON that is not JSON-RPC, or invalid UTF-8.',
			'服务器发送杂乱的数据、无效的 JSON、不是 JSON-RPC 的 JSON 或无效的 UTF-8。',
		],
		wire: ['Nothing; the next message is processed as usual.', '不发送任何内容；下一条消息照常处理。'],
		user: ["A sample and counts in the server's log.", '服务器日志中的样本和计数。'],
	},
	{
		fault: ['A response has an unknown or repeated id.', '响应的 ID 未知或重复。'],
		wire: ['Nothing; the call waits for its own response.', '不发送任何内容；调用继续等待自己的响应。'],
	},
	{
		fault: ['The server sends JSON nested 200,000 levels deep.', '服务器发送嵌套 200,000 层的 JSON。'],
		wire: [
			'An elicitation is refused with -32602; a result fails its call; the connection stays open.',
			'征询以 -32602 回绝；结果会使其调用失败；连接保持打开。',
		],
		user: ['One message that names the limit.', '一条指出限制的消息。'],
	},
	{
		fault: ['A stream breaks in the middle of a call.', '流在调用中途断开。'],
		wire: [
			'A stream with event ids is resumed (GET with `Last-Event-ID`); the call is sent once.',
			'带有事件 ID 的流会恢复（GET，附带 `Last-Event-ID`）；调用只发送一次。',
		],
		user: ['An error right away; nothing if the stream was resumed.', '立即显示错误；流已恢复时则没有。'],
	},
	{
		fault: [
			'Error -32042 has malformed data, no entries, entries that are not in URL mode, or more than 10 entries.',
			'错误 -32042 的数据格式有误、没有条目、含有不是 URL 模式的条目，或超过 10 个条目。',
		],
		wire: ['No retry.', '不重试。'],
		user: ["The server's error, with an explanation.", '服务器的错误，并附说明。'],
	},
	{
		fault: ['The retry fails with -32042 again.', '重试再次因 -32042 而失败。'],
		wire: ['At most 3 automatic retries, and none for the same URLs.', '最多自动重试 3 次，对相同的 URL 则不重试。'],
		user: ['The choice to go on or stop.', '选择继续还是停止。'],
	},
	{
		fault: [
			'The server sends -32042 in a revision that does not define it.',
			'服务器在未定义 -32042 的修订版中发送该错误。',
		],
		wire: ['No retry.', '不重试。'],
		user: ['That this revision does not define the error.', '此修订版未定义该错误。'],
	},
	{
		fault: [
			'`requestState` contains NUL, emoji, or megabytes of text.',
			'`requestState` 含有 NUL、表情符号或数 MB 的文本。',
		],
		wire: ['It is sent back exactly as it was received.', '与收到时完全相同地送回。'],
	},
	{
		fault: [
			'A call never stops asking for more rounds, with or without input requests.',
			'调用不断要求更多轮次，无论是否有输入请求。',
		],
		wire: ['No retry after 10 rounds unless the user goes on.', '10 轮之后不再重试，除非用户选择继续。'],
		user: [
			'The choice to go on or stop after 10 rounds; Cancel at any time.',
			'10 轮之后选择继续还是停止；随时可以取消。',
		],
	},
	{
		fault: ['One result contains 500 input requests.', '一个结果含有 500 个输入请求。'],
		wire: ['One retry with all the responses.', '一次重试，包含全部响应。'],
		user: [
			'Three forms at a time, the others in the list, and the offer to decline the rest.',
			'每次三个表单，其他请求在列表中，并可选择拒绝其余请求。',
		],
	},
	{
		fault: [
			'Input requests have an unknown method, have no params, or are not objects.',
			'输入请求的方法未知、没有参数，或不是对象。',
		],
		wire: ['No retry.', '不重试。'],
		user: ['An error that names the entry; no form.', '一个指出条目的错误；没有表单。'],
	},
	{
		fault: ['A response in URL mode could carry `content`.', 'URL 模式的响应可能带有 `content`。'],
		wire: ['Only the action.', '只有操作。'],
	},
	{
		fault: ['An elicitation has an unknown mode, or one that was not declared.', '征询的模式未知或未声明。'],
		wire: ['-32602, once; in a round trip, no retry.', '-32602，一次；在往返轮次中，不重试。'],
		user: [
			'One message that names the server and says why the request was refused.',
			'一条消息，指出服务器并说明请求被回绝的原因。',
		],
	},
	{
		fault: [
			'A list of tools keeps changing, has endless pages, or holds 10,000 entries.',
			'工具列表不断更改、页数无穷，或含有 10,000 个条目。',
		],
		wire: [
			'At most 100 pages; one more read for any number of change notifications received together.',
			'最多 100 页；同时收到的更改通知无论多少，都只再读取一次。',
		],
		user: [
			'The first 10,000 entries, and the new list once it has changed.',
			'前 10,000 个条目，以及更改之后的新列表。',
		],
	},
	{
		fault: ['The server sends an elicitation while no call is in flight.', '服务器在没有正在进行的调用时发送征询。'],
		wire: ['The response, once.', '发送响应，一次。'],
		user: ['The request, shown as sent by the server itself.', '该请求，并注明由服务器自行发送。'],
	},
	{
		fault: ['The window reloads or closes while elicitations are open.', '窗口在有未结束的征询时重新加载或关闭。'],
		wire: [
			'The process ends, or every stream and the session; no response.',
			'进程结束，或所有流和会话结束；不发送响应。',
		],
		user: ['After a reload, nothing is pending.', '重新加载之后，没有待处理的内容。'],
	},
	{
		fault: ['The extension host is killed.', '扩展主机被强行终止。'],
		wire: ['Every process and every stream ends.', '所有进程和所有流都会结束。'],
		user: ['A window in which servers can be started again.', '一个可以再次启动服务器的窗口。'],
	},
];

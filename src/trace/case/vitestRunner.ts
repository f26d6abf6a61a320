/* Building blocks of a generated vitest file. Static text without backticks. */

const ENVIRONMENT = `
/** Values from the environment; what is missing is told by the test. */
function fromEnvironment(...names) {
  missing.push(...names.filter((name) => process.env[name] === undefined));
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? ""]));
}
`;

const INBOX = `
/** Reads JSON. An integer that JavaScript would round keeps its digits; Node.js can do that from 21 on. */
function parse(json) {
  return JSON.parse(json, (_, value, context) => {
    const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
    return isRounded && context?.source ? JSON.rawJSON(context.source) : value;
  });
}

/** What the server sends, in its order; an error once nothing more can come. */
class Inbox {
  #items = [];
  #wake = () => {};
  #deadline = Date.now() + PATIENCE;

  put(item) {
    this.#items.push(item);
    this.#wake();
  }

  async take(waitingFor) {
    const left = () => this.#deadline - Date.now();
    while (this.#items.length === 0 && left() > 0) {
      let timer;
      await new Promise((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, left());
      });
      clearTimeout(timer);
    }
    const item = this.#items.shift();
    if (item instanceof Error) throw item;
    // A server that goes on sending something else never leaves the inbox empty.
    if (left() <= 0) throw new Error("The server did not answer " + waitingFor + " within " + PATIENCE + " ms.");
    return item;
  }
}
`;

const DIALOGUE = `
/** Sends a request and waits for its response; what the server asks in between is answered as recorded. */
async function request({ link, inbox, open }, method, params) {
  const id = ++lastId;
  link.send({ jsonrpc: "2.0", id, method, params });
  for (;;) {
    const message = await inbox.take(method);
    if (message.method === undefined && String(message.id) === String(id)) return message;
    if (message.method !== undefined && message.id !== undefined) {
      await link.send({ jsonrpc: "2.0", id: message.id, ...responseTo(message, open) });
    }
  }
}

function responseTo({ method, params }, open) {
  if (method === "ping") return { result: {} };
  const task = tasks.get(params?.taskId);
  if (task && method === "tasks/get") return { result: task.report };
  if (task && method === "tasks/result") return answered(task.answer, { taskId: params.taskId });
  if (method !== "elicitation/create") return { error: { code: -32601, message: "Method not found" } };
  const answer = answerTo(params, open);
  return params.task ? { result: { task: begun(params.task, answer) } } : answered(answer, params._meta?.[RELATED]);
}

/** What a task asks is answered with the id of the task. */
function answered(answer, task) {
  if (answer.error) return answer;
  return { result: task ? { ...answer, _meta: { [RELATED]: task } } : answer };
}

/** An elicitation that is itself a task has its answer when the server asks for the result of the task. */
function begun({ ttl = 3_600_000 }, answer) {
  const now = new Date().toISOString();
  const ends = { createdAt: now, lastUpdatedAt: now, ttl, pollInterval: 1_000 };
  const report = { taskId: crypto.randomUUID(), status: "working", ...ends };
  tasks.set(report.taskId, { report: { ...report, status: answer.error ? "failed" : "completed" }, answer });
  return report;
}

/** The elicitations that are tasks, by id. */
const tasks = new Map();
const RELATED = "io.modelcontextprotocol/related-task";

/** Compares an elicitation with the recording, and gives the recorded answer. */
function answerTo(params, open) {
  const { message, url } = params;
  const mode = params.mode ?? "form";
  const requestedSchema = params.requestedSchema ?? params.schema;
  const asked = mode === "form" ? { mode, message, requestedSchema } : { mode, message, url };
  expect(open, "elicitations of the recording, when the server asks " + message).not.toEqual([]);
  const turn = open.filter((elicitation) => elicitation.turn === open[0].turn);
  const elicitation = turn.find((each) => isDeepStrictEqual(settled(asked, each.asked), each.asked)) ?? turn[0];
  expect(settled(asked, elicitation.asked), "what the server asks").toEqual(elicitation.asked);
  open.splice(open.indexOf(elicitation), 1);
  return elicitation.answer;
}
`;

const SESSION = `
async function shakeHands(peer) {
  const clientInfo = { name: "recorded-case", version: "1.0.0" };
  const { result, error } = await request(peer, "initialize", { protocolVersion: REVISION, capabilities, clientInfo });
  expect(result?.protocolVersion ?? error, "the protocol revision that the server speaks").toBe(REVISION);
  await peer.link.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await peer.link.listen();
}

/** Makes the call, to its end. */
function perform(peer) {
  return request(peer, call.method, { ...call.params, _meta: { progressToken: "call" } });
}
`;

const STATELESS = `
/** What every request carries. */
const _meta = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientInfo": { name: "recorded-case", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": capabilities,
};

async function shakeHands(peer) {
  const { result, error } = await request(peer, "server/discover", { _meta });
  expect(result?.supportedVersions ?? error, "the protocol revisions that the server speaks").toContain(REVISION);
}

/** Makes the call, to its end: as long as the server requires input, it is sent again with the recorded answers. */
async function perform(peer) {
  const opened = new Set();
  const answerOf = (key, params) => {
    // Until it is completed, a server may ask again for a URL that was accepted.
    const page = key + " " + params.url;
    if (opened.delete(page)) return { action: "accept" };
    const answer = answerTo(params, peer.open);
    if (params.mode === "url" && answer.action === "accept") opened.add(page);
    return answer;
  };
  let input = {};
  for (;;) {
    const params = { ...call.params, ...input, _meta: { ..._meta, progressToken: "call" } };
    const response = await request(peer, call.method, params);
    const { resultType, inputRequests, requestState } = response.result ?? {};
    if (resultType !== "input_required") return response;
    const answers = Object.entries(inputRequests ?? {}).map(([key, { params }]) => [key, answerOf(key, params)]);
    input = {
      ...(inputRequests && { inputResponses: Object.fromEntries(answers) }),
      ...(requestState != null && { requestState }),
    };
    if (answers.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
`;

const SESSION_TASK = `
/** Waits for the end of the task; what it asks arrives in between. */
function follow(peer, response) {
  const taskId = response.result?.task?.taskId;
  return taskId === undefined ? response : request(peer, "tasks/result", { taskId });
}
`;

const STATELESS_TASK = `
/** Polls the task to its end; what it asks is answered by key. */
async function follow(peer, response) {
  if (response.result?.resultType !== "task") return response;
  const { taskId } = response.result;
  const answered = new Set();
  for (let task = response.result; ; ) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(task.pollIntervalMs ?? 1_000, PATIENCE)));
    const report = await request(peer, "tasks/get", { taskId, _meta });
    if (report.error) return report;
    task = report.result;
    if (task.result || task.error) return { result: task.result, error: task.error };
    expect(task.status, "what became of the task").not.toBe("cancelled");
    const asked = Object.entries(task.inputRequests ?? {}).filter(([key]) => !answered.has(key));
    for (const [key, { params }] of asked) {
      answered.add(key);
      await request(peer, "tasks/update", { taskId, inputResponses: { [key]: answerTo(params, peer.open) }, _meta });
    }
  }
}
`;

const COMPARISON = String.raw`
/** The part of the response that is compared. */
function outcomeOf({ result, error }) {
  if (error) {
    const pages = error.data?.elicitations;
    const page = ({ mode = null, message = null, url = null }) => ({ mode, message, url });
    const { code } = error;
    return { error: code === -32042 && Array.isArray(pages) ? { code, pages: pages.map(page) } : { code } };
  }
  return { result: Object.fromEntries(Object.entries(result).filter(([name]) => COMPARED.includes(name))) };
}

/** The actual value; where a text or a name in it fits the placeholders of the recorded one, that one in its place. */
function settled(actual, recorded) {
  if (recorded === ANYTHING) return recorded;
  if (typeof actual === "string" && typeof recorded === "string") return fits(actual, recorded) ? recorded : actual;
  if (Array.isArray(actual)) return actual.map((item, index) => settled(item, recorded?.[index]));
  if (typeof actual !== "object" || actual === null) return actual;
  const known = Object(recorded);
  const open = Object.keys(known).filter((name) => name.includes("‹") && !Object.hasOwn(actual, name));
  const members = Object.entries(actual).map(([name, item]) => {
    const at = Object.hasOwn(known, name) ? -1 : open.findIndex((each) => fits(name, each));
    const its = at < 0 ? name : open.splice(at, 1)[0];
    return [its, settled(item, Object.hasOwn(known, its) ? known[its] : undefined)];
  });
  return Object.fromEntries(members);
}

/** Anything fits what is redacted, so the parts between are searched for one after the other. */
function fits(actual, recorded) {
  const parts = recorded.split(ANYTHING);
  let rest = actual;
  return parts.every((part, index) => {
    const pattern = (index === 0 ? "^" : "") + "(?:" + sourceOf(part) + ")" + (index === parts.length - 1 ? "$" : "");
    const found = new RegExp(pattern).exec(rest);
    rest = rest.slice(found ? found.index + found[0].length : 0);
    return found !== null;
  });
}

function sourceOf(text) {
  const parts = text.split(/(‹[^‹›]*›)/);
  return parts.map((part) => PLACEHOLDERS.get(part.replace(/ \d+›$/, "›")) ?? part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("");
}
`;

export const PARTS = {
	ENVIRONMENT,
	INBOX,
	DIALOGUE,
	SESSION,
	STATELESS,
	SESSION_TASK,
	STATELESS_TASK,
	COMPARISON,
};

/* How a generated vitest file connects to a server. Static text without backticks. */

const STDIO = String.raw`
/** What a server inherits besides the variables of its own. */
const INHERITED = [
  ...["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER", "XDG_RUNTIME_DIR"],
  ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES"],
  ...["SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"],
];

/** Starts the server; what it writes goes into the inbox. */
function openLink(inbox) {
  const inherited = INHERITED.map((name) => [name, process.env[name]]);
  const entries = [...inherited, ...Object.entries(server.env)];
  const env = Object.fromEntries(entries.filter(([name, value]) => value != null && server.env[name] !== null));
  // On Windows, npx and its like are scripts, which only a shell starts.
  const isWindows = process.platform === "win32";
  const shell = isWindows && !/\.exe$/i.test(server.command);
  const quoted = (word) => (shell ? '"' + word.replaceAll('"', '\\"') + '"' : word);
  const [command, ...args] = [server.command, ...server.args].map(quoted);
  const child = spawn(command, args, { cwd: server.cwd, env, stdio: "pipe", shell, detached: !isWindows });
  /** Ends it with what it has started, such as the server behind npx. */
  const kill = () => {
    try {
      if (isWindows) spawn("taskkill", ["/T", "/F", "/PID", String(child.pid)]).on("error", () => {});
      else process.kill(-child.pid, "SIGKILL");
    } catch {
      // There is nothing left of it.
    }
    for (const output of [child.stdout, child.stderr]) output.destroy();
  };
  let said = "";
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve("The server could not be started: " + error.message));
    child.on("close", (code, signal) => resolve("The server ended (" + (code ?? signal) + "). It said:\n" + said));
  });
  ended.then((reason) => inbox.put(new Error(reason)));
  child.stderr.on("data", (data) => {
    said = (said + data).slice(-4000);
  });
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    try {
      if (line.startsWith("{")) inbox.put(parse(line));
    } catch {
      // Some servers write more than messages.
    }
  });
  return {
    listen: async () => {},
    send: async (message) => child.stdin.write(JSON.stringify(message) + "\n"),
    close: async () => {
      child.stdin.end();
      const timer = setTimeout(kill, 2_000);
      await ended;
      clearTimeout(timer);
    },
  };
}
`;

const HTTP = String.raw`
/** Speaks streamable HTTP; what the server answers, at once or on a stream, goes into the inbox. */
function openLink(inbox) {
  const over = new AbortController();
  // Also what waits for a message to be taken ends then.
  setTimeout(() => over.abort(new Error("It did not answer within " + PATIENCE + " ms.")), PATIENCE).unref();
  let session;
  const fetched = async (method, message, signal = over.signal) => {
    const headers = { ...server.headers, ...headersOf(message), ...(session && { "Mcp-Session-Id": session }) };
    const body = message && JSON.stringify(message);
    const response = await fetch(server.url, { method, headers, body, signal });
    session ??= response.headers.get("Mcp-Session-Id") ?? undefined;
    return response;
  };
  const failed = (error) => inbox.put(new Error("The server cannot be reached: " + (error.cause ?? error)));
  return {
    send: async (message) => {
      const response = await fetched("POST", message).catch(failed);
      if (response) readInto(inbox, response).catch((error) => over.signal.aborted || failed(error));
    },
    /** Some servers ask on a stream of their own; others have none. */
    listen: async () => {
      const stream = fetched("GET").then((response) => {
        if (response.ok) readInto(inbox, response).catch(() => {});
      });
      await Promise.race([stream.catch(() => {}), new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
    },
    close: async () => {
      if (session) await fetched("DELETE", undefined, AbortSignal.timeout(2_000)).catch(() => {});
      over.abort();
    },
  };
}

/** A JSON message, or a stream of events that hold messages. */
async function readInto(inbox, response) {
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.includes("text/event-stream")) {
    const text = await response.text();
    const messages = type.includes("json") && text !== "" ? [parse(text)].flat() : [];
    const refused = !response.ok && !messages.some((message) => message.id != null);
    for (const message of messages) inbox.put(message);
    if (refused) inbox.put(new Error("The server answered with status " + response.status + ": " + text.slice(0, 1000)));
    return;
  }
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split(/\r?\n\r?\n/);
    text = events.pop();
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
      const json = data.map((line) => line.slice(5)).join("\n");
      if (json.trim() !== "") inbox.put(parse(json));
    }
  }
}
`;

const SESSION_HEADERS = `
function headersOf(message) {
  return {
    Accept: message ? "application/json, text/event-stream" : "text/event-stream",
    ...(message && { "Content-Type": "application/json" }),
    ...(message?.method !== "initialize" && { "MCP-Protocol-Version": REVISION }),
  };
}
`;

const STATELESS_HEADERS = String.raw`
/** What the tool wants in headers, too. */
const mirrored = {};

function headersOf({ method, params }) {
  const name = params.name ?? params.uri ?? params.taskId ?? "";
  return {
    Accept: "application/json, text/event-stream",
    "Content-Type": "application/json",
    "MCP-Protocol-Version": REVISION,
    "Mcp-Method": method,
    ...(name && { "Mcp-Name": encoded(name) }),
    ...(method === "tools/call" && mirrored),
  };
}

function encoded(text) {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?");
  return plain ? text : "=?base64?" + Buffer.from(text).toString("base64") + "?=";
}
`;

const MIRRORING = `
/** Finds out which arguments the tool wants in headers, too. */
async function readTool(peer) {
  for (let cursor = {}; cursor; ) {
    const { result } = await request(peer, "tools/list", { ...cursor, _meta });
    const tool = result?.tools?.find(({ name }) => name === call.params.name);
    mirror(tool?.inputSchema, call.params.arguments);
    cursor = !tool && result?.nextCursor !== undefined && { cursor: result.nextCursor };
  }
}

function mirror(schema, values) {
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const value = values?.[name];
    const header = property?.["x-mcp-header"];
    if (header && value != null) mirrored["Mcp-Param-" + header] = encoded(String(value));
    mirror(property, value);
  }
}
`;

export const LINKS = { STDIO, HTTP, SESSION_HEADERS, STATELESS_HEADERS, MIRRORING };

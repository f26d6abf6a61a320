/* How a generated pytest file connects to a server. Static text without backticks. */

const STDIO = String.raw`
# What a server inherits besides the variables of its own.
INHERITED = (
    "HOME LANG LC_ALL LOGNAME PATH SHELL TERM TMPDIR USER XDG_RUNTIME_DIR APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA "
    "PATHEXT PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR"
).split()

# Longer lines are no messages (bytes).
MAX_LINE = 2**26


class Link:
    """The server's process; what it writes goes into the inbox."""

    def __init__(self, inbox):
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        env = {name: value for name, value in {**inherited, **SERVER["env"]}.items() if value is not None}
        # On Windows, npx and its like are scripts, which are found by their whole names only.
        program = shutil.which(SERVER["command"], path=env.get("PATH")) or SERVER["command"]
        command = [program, *SERVER["args"]]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.inbox = inbox
        self.said = b""
        self.process = subprocess.Popen(command, cwd=SERVER["cwd"], env=env, start_new_session=True, **pipes)
        self.threads = [threading.Thread(target=each, daemon=True) for each in (self.read, self.read_errors)]
        # Otherwise, what it does not read is waited for as long as it runs.
        self.end = threading.Timer(PATIENCE + 5, self.kill)
        self.end.daemon = True
        for thread in [*self.threads, self.end]:
            thread.start()

    def read(self):
        for line in iter(lambda: self.process.stdout.readline(MAX_LINE), b""):
            try:
                if line.startswith(b"{"):
                    self.inbox.put(parse(line))
            except ValueError:
                pass  # Some servers write more than messages.
        code = self.process.wait()
        self.threads[1].join()
        said = self.said.decode("utf-8", "replace")
        self.inbox.put(ConnectionError(f"The server ended ({code}). It said:\n{said}"))

    def read_errors(self):
        for data in iter(lambda: self.process.stderr.read1(4000), b""):
            self.said = (self.said + data)[-4000:]

    def listen(self):
        pass

    def send(self, message):
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            pass  # Why it has ended is in the inbox.

    def close(self):
        self.end.cancel()
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            pass  # It is ended below.
        self.kill()
        for thread in self.threads:
            thread.join(5)

    def kill(self):
        """Ends it with what it has started, such as the server behind npx."""
        if os.name == "nt":
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.process.pid)], capture_output=True)
            return
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except OSError:
            pass  # There is nothing left of it.
`;

const HTTP = String.raw`
class Link:
    """Speaks streamable HTTP; what the server answers, at once or on a stream, goes into the inbox."""

    def __init__(self, inbox):
        self.inbox = inbox
        self.session = None
        self.over = False
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def fetch(self, method, message=None):
        session = {"Mcp-Session-Id": self.session} if self.session else {}
        headers = {**SERVER["headers"], **headers_of(message), **session}
        body = None if message is None else json.dumps(message).encode()
        request = urllib.request.Request(SERVER["url"], data=body, headers=headers, method=method)
        try:
            response = self.opener.open(request, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            response = error
        self.session = self.session or response.headers.get("Mcp-Session-Id")
        return response

    def send(self, message):
        # The answer to a request may take as long as what is asked in between.
        thread = threading.Thread(target=self.post, args=(message,), daemon=True)
        thread.start()
        if "method" not in message or "id" not in message:
            thread.join(PATIENCE)

    def post(self, message):
        try:
            self.read(self.fetch("POST", message))
        except (OSError, ValueError, http.client.HTTPException) as error:
            if not self.over:
                self.inbox.put(ConnectionError(f"The server cannot be reached: {error}"))

    def listen(self):
        """Some servers ask on a stream of their own; others have none."""
        opened = threading.Event()

        def follow():
            try:
                response = self.fetch("GET")
                opened.set()
                if response.status == 200:
                    self.read(response)
            except (OSError, ValueError, http.client.HTTPException):
                opened.set()

        threading.Thread(target=follow, daemon=True).start()
        opened.wait(2)

    def read(self, response):
        """A JSON message, or a stream of events that hold messages."""
        kind = response.headers.get("Content-Type") or ""
        if "text/event-stream" not in kind:
            text = response.read().decode("utf-8", "replace")
            found = parse(text) if "json" in kind and text else []
            messages = found if isinstance(found, list) else [found]
            for message in messages:
                self.inbox.put(message)
            if response.status >= 400 and not any(message.get("id") is not None for message in messages):
                self.inbox.put(ConnectionError(f"The server answered with status {response.status}: {text[:1000]}"))
            return
        data = []
        for line in response:
            if self.over:
                return
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            if text.startswith("data:"):
                data.append(text[5:])
            elif text == "":
                if "".join(data).strip():
                    self.inbox.put(parse("\n".join(data)))
                data = []

    def close(self):
        self.over = True
        if self.session:
            farewell = threading.Thread(target=self.say_farewell, daemon=True)
            farewell.start()
            farewell.join(2)

    def say_farewell(self):
        try:
            self.fetch("DELETE").close()
        except (OSError, http.client.HTTPException):
            pass
`;

const SESSION_HEADERS = `
def headers_of(message):
    if message is None:
        return {"Accept": "text/event-stream", "MCP-Protocol-Version": REVISION}
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    return headers if message.get("method") == "initialize" else {**headers, "MCP-Protocol-Version": REVISION}
`;

const STATELESS_HEADERS = String.raw`
# What the tool wants in headers, too.
MIRRORED = {}


def headers_of(message):
    params = message.get("params", {})
    name = params.get("name") or params.get("uri") or params.get("taskId") or ""
    return {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": message["method"],
        **({"Mcp-Name": encoded(name)} if params.keys() & {"name", "uri", "taskId"} else {}),
        **(MIRRORED if message["method"] == "tools/call" else {}),
    }


def encoded(text):
    if re.fullmatch(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?", text) and not text.startswith("=?base64?"):
        return text
    return "=?base64?" + base64.b64encode(text.encode()).decode() + "?="
`;

const MIRRORING = `
def read_tool(peer):
    """Finds out which arguments the tool wants in headers, too."""
    cursor = {}
    while cursor is not None:
        result = peer.request("tools/list", {**cursor, "_meta": META}).get("result", {})
        found = [tool for tool in result.get("tools", []) if tool.get("name") == PARAMS["name"]]
        for tool in found:
            mirror(tool.get("inputSchema"), PARAMS["arguments"])
        cursor = {"cursor": result["nextCursor"]} if not found and "nextCursor" in result else None


def mirror(schema, values):
    for name, described in ((schema or {}).get("properties") or {}).items():
        value = values.get(name) if isinstance(values, dict) else None
        if not isinstance(described, dict):
            continue
        if described.get("x-mcp-header") and value is not None:
            text = value if isinstance(value, str) else json.dumps(value)
            MIRRORED["Mcp-Param-" + described["x-mcp-header"]] = encoded(text)
        mirror(described, value)
`;

export const LINKS = { STDIO, HTTP, SESSION_HEADERS, STATELESS_HEADERS, MIRRORING };

/* Building blocks of a generated pytest file. Static text without backticks. */

const ENVIRONMENT = `
def from_environment(*names):
    """Values from the environment; what is missing is told by the test."""
    MISSING.extend(name for name in names if name not in os.environ)
    return {name: os.environ.get(name, "") for name in names}
`;

const NUMBERS = `
def number(text):
    """Numbers as they were recorded: whole ones are integers as long as floating point can hold them exactly."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def parse(text):
    return json.loads(text, parse_int=number, parse_float=number)
`;

const DIALOGUE = `
def without_nulls(members):
    """Many languages serialize an absent value as null."""
    return {name: value for name, value in members.items() if value is not None}


RELATED = "io.modelcontextprotocol/related-task"


class Peer:
    """A conversation with the server, which may ask what was recorded and nothing else."""

    def __init__(self):
        self.open = list(ELICITATIONS)
        # The elicitations that are tasks, by id.
        self.tasks = {}
        self.inbox = queue.Queue()
        self.deadline = time.monotonic() + PATIENCE
        self.last_id = 0
        self.link = Link(self.inbox)

    def request(self, method, params):
        """Sends a request and waits for its response; what the server asks in between is answered as recorded."""
        self.last_id += 1
        self.link.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        while True:
            message = self.take(method)
            if "method" not in message and str(message.get("id")) == str(self.last_id):
                return without_nulls(message)
            if "method" in message and "id" in message:
                self.link.send({"jsonrpc": "2.0", "id": message["id"], **self.response_to(message)})

    def take(self, waiting_for):
        left = self.deadline - time.monotonic()
        try:
            item = self.inbox.get(timeout=max(0.0, left))
        except queue.Empty:
            item = None
        if isinstance(item, Exception):
            raise item
        # A server that goes on sending something else never leaves the inbox empty.
        if item is None or left < 0:
            pytest.fail(f"The server did not answer {waiting_for} within {PATIENCE} s.")
        return item

    def response_to(self, message):
        method, params = message["method"], message.get("params") or {}
        if method == "ping":
            return {"result": {}}
        report, answer = self.tasks.get(params.get("taskId"), (None, None))
        if report and method == "tasks/get":
            return {"result": report}
        if report and method == "tasks/result":
            return self.answered(answer, {"taskId": report["taskId"]})
        if method != "elicitation/create":
            return {"error": {"code": -32601, "message": "Method not found"}}
        answer = self.answer_to(params)
        if params.get("task") is not None:
            return {"result": {"task": self.begun(params["task"], answer)}}
        return self.answered(answer, (params.get("_meta") or {}).get(RELATED))

    def answered(self, answer, task):
        """What a task asks is answered with the id of the task."""
        if "error" in answer:
            return answer
        return {"result": {**answer, "_meta": {RELATED: task}} if task else answer}

    def begun(self, task, answer):
        """An elicitation that is itself a task has its answer when the server asks for the result of the task."""
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        report = {"taskId": str(uuid.uuid4()), "status": "working", "createdAt": now, "lastUpdatedAt": now}
        report.update({"ttl": task.get("ttl", 3_600_000), "pollInterval": 1000})
        status = "failed" if "error" in answer else "completed"
        self.tasks[report["taskId"]] = ({**report, "status": status}, answer)
        return report

    def answer_to(self, params):
        """Compares an elicitation with the recording, and gives the recorded answer."""
        asked = {"mode": params.get("mode") or "form", "message": params.get("message")}
        if asked["mode"] == "form":
            asked["requestedSchema"] = params.get("requestedSchema", params.get("schema"))
        else:
            asked["url"] = params.get("url")
        assert self.open, f"The server asks more than was recorded: {text_of(asked)}"
        turn = [elicitation for elicitation in self.open if elicitation["turn"] == self.open[0]["turn"]]
        fitting = [each for each in turn if text_of(settled(asked, each["asked"])) == text_of(each["asked"])]
        elicitation = (fitting or turn)[0]
        compare("what the server asks", asked, elicitation["asked"])
        self.open.remove(elicitation)
        return elicitation["answer"]
`;

const SESSION = `
def shake_hands(peer):
    client = {"name": "recorded-case", "version": "1.0.0"}
    params = {"protocolVersion": REVISION, "capabilities": CAPABILITIES, "clientInfo": client}
    response = peer.request("initialize", params)
    assert response.get("result", {}).get("protocolVersion") == REVISION, text_of(response)
    peer.link.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    peer.link.listen()


def perform(peer):
    """Makes the call, to its end."""
    return peer.request(METHOD, {**PARAMS, "_meta": {"progressToken": "call"}})
`;

const STATELESS = `
# What every request carries.
META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": {"name": "recorded-case", "version": "1.0.0"},
    "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
}


def shake_hands(peer):
    response = peer.request("server/discover", {"_meta": META})
    assert REVISION in response.get("result", {}).get("supportedVersions", []), text_of(response)


def perform(peer):
    """Makes the call, to its end: as long as the server requires input, it is sent again with the recorded answers."""
    opened = set()

    def answer_of(key, params):
        # Until it is completed, a server may ask again for a URL that was accepted.
        page = (key, params.get("url"))
        if page in opened:
            opened.remove(page)
            return {"action": "accept"}
        answer = peer.answer_to(params)
        if params.get("mode") == "url" and answer.get("action") == "accept":
            opened.add(page)
        return answer

    given = {}
    while True:
        response = peer.request(METHOD, {**PARAMS, **given, "_meta": {**META, "progressToken": "call"}})
        result = without_nulls(response.get("result", {}))
        if result.get("resultType") != "input_required":
            return response
        asked = result.get("inputRequests")
        given = {name: result[name] for name in ("requestState",) if name in result}
        if asked:
            given["inputResponses"] = {key: answer_of(key, each["params"]) for key, each in asked.items()}
        else:
            time.sleep(0.05)
`;

const SESSION_TASK = `
def follow(peer, response):
    """Waits for the end of the task; what it asks arrives in between."""
    task = response.get("result", {}).get("task")
    return peer.request("tasks/result", {"taskId": task["taskId"]}) if task else response
`;

const STATELESS_TASK = `
def follow(peer, response):
    """Polls the task to its end; what it asks is answered by key."""
    task = without_nulls(response.get("result", {}))
    if task.get("resultType") != "task":
        return response
    params = {"taskId": task["taskId"], "_meta": META}
    answered = set()
    while True:
        time.sleep(min(task.get("pollIntervalMs", 1000) / 1000, PATIENCE))
        report = peer.request("tasks/get", params)
        if "error" in report:
            return report
        task = without_nulls(report["result"])
        if "result" in task or "error" in task:
            return {name: task[name] for name in ("result", "error") if name in task}
        assert task["status"] != "cancelled", "The server cancelled the task."
        for key, each in task.get("inputRequests", {}).items():
            if key not in answered:
                answered.add(key)
                peer.request("tasks/update", {**params, "inputResponses": {key: peer.answer_to(each["params"])}})
`;

const COMPARISON = String.raw`
def outcome_of(response):
    """The part of the response that is compared."""
    if "error" not in response:
        return {"result": {name: value for name, value in response["result"].items() if name in COMPARED}}
    code = response["error"]["code"]
    pages = (response["error"].get("data") or {}).get("elicitations") if code == -32042 else None
    if not isinstance(pages, list):
        return {"error": {"code": code}}
    return {"error": {"code": code, "pages": [{name: page.get(name) for name in PAGE} for page in pages]}}


def settled(actual, recorded):
    """The actual value; where a text or a name in it fits the placeholders of the recorded one, that one in its place."""
    if isinstance(recorded, str) and (recorded == ANYTHING or isinstance(actual, str) and fits(actual, recorded)):
        return recorded
    if isinstance(actual, list):
        known = recorded if isinstance(recorded, list) else []
        return [settled(item, known[index] if index < len(known) else None) for index, item in enumerate(actual)]
    if isinstance(actual, dict):
        known = recorded if isinstance(recorded, dict) else {}
        unused = [name for name in known if "‹" in name and name not in actual]
        members = {}
        for name, item in actual.items():
            found = next((each for each in unused if name not in known and fits(name, each)), name)
            unused = [each for each in unused if each != found]
            members[found] = settled(item, known.get(found))
        return members
    return actual


def fits(actual, recorded):
    """Anything fits what is redacted, so the parts between are searched for one after the other."""
    parts = [source_of(part) for part in recorded.split(ANYTHING)]
    parts[0] = r"\A" + parts[0]
    parts[-1] += r"\Z"
    for part in parts:
        found = re.search(part, actual)
        if found is None:
            return False
        actual = actual[found.end() :]
    return True


def source_of(text):
    parts = re.split("(‹[^‹›]*›)", text)
    return "".join(PLACEHOLDERS.get(re.sub(r" \d+›$", "›", part), re.escape(part)) for part in parts)


def text_of(value):
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)


def compare(what, actual, recorded):
    actual, recorded = text_of(settled(actual, recorded)), text_of(recorded)
    assert actual == recorded, f"{what} is not what was recorded\n" + "\n".join(
        difflib.unified_diff(recorded.split("\n"), actual.split("\n"), "recorded", "actual", lineterm="")
    )
`;

export const PARTS = {
	ENVIRONMENT,
	NUMBERS,
	DIALOGUE,
	SESSION,
	STATELESS,
	SESSION_TASK,
	STATELESS_TASK,
	COMPARISON,
};

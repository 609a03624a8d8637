"""An ntfy server, after https://docs.ntfy.sh, with its limits and the errors of version 2.16.

Messages are kept for 12 hours. A body of 4,096 bytes or more is an attachment to ntfy, and this server takes none; JSON
to publish may have twice that. Without credentials in its configuration everybody may do everything.
"""
import asyncio, base64, itertools, random, re, ssl, string, urllib.error, urllib.request

from ntfy_input import TOPIC, Problem, actions_of, fields_of, plain_fields, read_json
from service import GARBAGE, Answer, Call, Refusal, Service, encoded

KEPT = 12 * 3600
ATTACHMENT = 4096
DISALLOWED = {"docs", "static", "file", "app", "account", "settings", "signup", "login", "v1"}
FAILURES = {
    400: (40000, "invalid request"), 401: (40101, "unauthorized"), 403: (40301, "forbidden"),
    404: (40401, "page not found"), 413: (41303, "JSON body too large"),
    429: (42901, "limit reached: too many requests, please be nice"), 500: (50001, "internal server error")}
UNITS = dict(s=1, m=60, h=3600)


class State:
    def __init__(self):
        # Each message with its place in the order of all.
        self.messages, self.places = [], itertools.count(1)
        # Notifications that a press has dismissed: their key, and the place up to which.
        self.dismissed = {}


class NtfyServer(Service):
    def __init__(self, configuration):
        # Outlives a restart that loses the rest, so that no id comes twice.
        self.chance = random.Random(1)
        self.streams = {}
        super().__init__(configuration)

    def new_state(self):
        return State()

    # Requests.

    def call(self, request, connection):
        parts = request.path.strip("/").split("/")
        if request.path == "/v1/health" and request.method == "GET":
            return Call("health", {}, lambda doubled: Answer.json(200, dict(healthy=True)))
        operation, act = self.route(request, parts, connection)
        record = dict(path=request.path, query=request.query, body=request.body.decode(errors="replace"))

        def authorized(doubled):
            self.authorize(request)
            return act(doubled)
        return Call(operation, record, authorized)

    def route(self, request, parts, connection):
        writes = request.method in ("PUT", "POST")
        topics = parts[0].split(",")
        if writes and parts == [""]:
            return "publish", lambda doubled: self.publish_json(request)
        if not all(re.fullmatch(TOPIC, topic) for topic in topics):
            raise Refusal(self.failure(404))
        if writes and len(parts) == 1:
            return "publish", lambda doubled: self.publish_plain(request, *parts)
        if writes and len(parts) == 3 and parts[2] in ("clear", "read"):
            return "withdraw", lambda doubled: self.withdraw("message_clear", *parts[:2])
        if writes and len(parts) == 2:
            return "publish", lambda doubled: self.publish_plain(request, *parts)
        if request.method == "DELETE" and len(parts) == 2:
            return "withdraw", lambda doubled: self.withdraw("message_delete", *parts)
        if request.method == "GET" and parts[1:] == ["auth"]:
            return "auth", lambda doubled: Answer.json(200, dict(success=True))
        if request.method == "GET" and parts[1:] == ["json"]:
            polls = parameter(request, "poll", "po") in ("1", "true", "yes")
            if polls:
                return "poll", lambda doubled: self.poll(request, topics, doubled)
            return "stream", lambda doubled: self.stream(request, topics, connection)
        raise Refusal(self.failure(404))

    def authorize(self, request):
        accepted = self.configuration["credentials"]
        header = request.fields.get("authorization", "")
        if "auth" in request.query:
            coded = request.query["auth"]
            header = base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4)).decode(errors="replace")
        if accepted and not header:
            raise Refusal(self.failure(403))
        if accepted and header not in [authorization(each) for each in accepted]:
            raise Refusal(self.failure(401))

    def failure(self, status, retry_after=None):
        code, words = FAILURES.get(status, (status * 100, "failed"))
        fields = [] if retry_after is None else [("Retry-After", retry_after)]
        return Problem(code, words, fields).answer

    # Publishing.

    def publish_json(self, request):
        fields = fields_of(read_json(request.body, 2 * ATTACHMENT))
        if not re.fullmatch(TOPIC, fields.get("topic", "")):
            raise Problem(40009, "invalid request: topic invalid")
        topic, message = fields.pop("topic"), fields.pop("message", "") or "triggered"
        return self.published(topic, message.encode(errors="replace"), fields)

    def publish_plain(self, request, topic, sequence=None):
        fields = plain_fields(lambda *names: parameter(request, *names))
        return self.published(topic, request.body, dict(fields, sequence_id=sequence) if sequence else fields)

    def published(self, topic, body, fields):
        if topic in DISALLOWED:
            raise Problem(40010, "invalid request: topic name is not allowed")
        if fields.get("sequence_id") and not re.fullmatch(TOPIC, fields["sequence_id"]):
            raise Problem(40049, "invalid request: sequence ID invalid")
        if "actions" in fields:
            fields["actions"] = [dict(id=self.identity(10), **each) for each in actions_of(fields["actions"])]
        try:
            text = body.decode()
        except UnicodeDecodeError:
            text = None
        if text is None or len(body) >= ATTACHMENT:
            raise Problem(40014, "invalid request: attachments not allowed")
        return Answer.json(200, self.add(topic, "message", message=text.strip() or "triggered", **fields))

    def withdraw(self, event, topic, sequence):
        return Answer.json(200, self.add(topic, event, sequence_id=sequence))

    def add(self, topic, event, **fields):
        message = dict(self.event(event, topic), expires=int(self.now()) + KEPT, **fields)
        self.state.messages.append((next(self.state.places), message))
        return message

    def event(self, event, topic):
        return dict(id=self.identity(12), time=int(self.now()), event=event, topic=topic)

    def identity(self, length):
        return "".join(self.chance.choices(string.ascii_letters + string.digits, k=length))

    # Subscribing.

    def kept(self, topics):
        self.state.messages = [each for each in self.state.messages if each[1]["expires"] > self.now()]
        return [(place, message) for place, message in self.state.messages if message["topic"] in topics]

    def since(self, request, topics, default):
        """The kept messages that a subscriber asks for."""
        since = parameter(request, "since", "si") or default
        kept = self.kept(topics)
        if since in ("all", "none", "latest"):
            return dict(all=kept, none=[], latest=kept[-1:])[since]
        if re.fullmatch("[A-Za-z0-9]{12}", since):
            # After an unknown id comes everything.
            place = next((place for place, message in kept if message["id"] == since), 0)
            return [each for each in kept if each[0] > place]
        if duration := re.fullmatch("([0-9]+)([smh])", since):
            moment = self.now() - int(duration[1]) * UNITS[duration[2]]
        elif re.fullmatch("-?[0-9]+", since):
            moment = int(since)
        else:
            raise Problem(40008, "invalid since parameter")
        return [each for each in kept if each[1]["time"] >= moment]

    def poll(self, request, topics, doubled):
        lines = [encoded(message) * (2 if doubled else 1) for _, message in self.since(request, topics, "all")]
        return Answer(200, b"".join(lines), [("Content-Type", "application/x-ndjson; charset=utf-8")])

    async def stream(self, request, topics, connection):
        waiting = self.since(request, topics, "none")
        last = max((place for place, _ in self.state.messages), default=0)
        name = ",".join(topics)
        connection.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson; charset=utf-8\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n")
        self.streams[connection] = topics
        try:
            self.tell(connection, self.event("open", name))
            keepalive = self.now() + self.configuration["keepalive"]
            while True:
                for place, message in waiting:
                    self.tell(connection, message)
                    last = max(last, place)
                if self.now() >= keepalive:
                    self.tell(connection, self.event("keepalive", name))
                    keepalive = self.now() + self.configuration["keepalive"]
                if connection.transport.is_closing():
                    return
                await self.until(lambda: any(place > last for place, _ in self.kept(topics)), keepalive)
                waiting = [each for each in self.kept(topics) if each[0] > last]
        finally:
            del self.streams[connection]

    def tell(self, connection, message):
        """Writes one line to a stream, or fails at it as the test has told."""
        line = encoded(message)
        fault = self.take_fault(message["event"]) or dict(kind=None)
        if fault["kind"] == "drop":
            connection.transport.abort()
        elif fault["kind"] == "cut":
            connection.write(chunk(line[:len(line) // 2]))
            connection.transport.close()
        elif fault["kind"] != "silence":
            garbage = GARBAGE if fault["kind"] == "garbage" else b""
            connection.write(chunk(garbage + line * (2 if fault["kind"] == "duplicate" else 1)))

    # The test's side.

    def do_messages(self, topic):
        return [message for _, message in self.kept([topic])]

    def do_shown(self, topic):
        """What a phone shows: of each sequence the latest, unless it was deleted, cleared or dismissed."""
        shown = {}
        for place, message in self.kept([topic]):
            key = message.get("sequence_id", message["id"])
            shown.pop(key, None)
            if message["event"] == "message" and place > self.state.dismissed.get(key, 0):
                shown[key] = message
        return list(shown.values())

    def do_publish(self, topic, text):
        """Anybody's message, of any length."""
        return self.add(topic, "message", message=text)["id"]

    def do_line(self, topic, line):
        """A line as it is to each stream of a topic; no message, and not kept."""
        for connection, topics in self.streams.items():
            if topic in topics:
                connection.write(chunk(line.encode(errors="replace") + b"\n"))

    async def do_press(self, message, button):
        """What a phone does at a press: the status of the reply; nothing where none came."""
        place, pressed = next(each for each in self.state.messages if each[1]["id"] == message)
        action = next((each for each in pressed.get("actions", []) if each["label"] == button), None)
        if not action or action["action"] != "http":
            raise ValueError(f"message {message} has no button '{button}' that sends a request")
        status = await asyncio.get_running_loop().run_in_executor(None, sent_by_phone, action)
        if action.get("clear") and status and status < 300:
            # An update that has come by now stays.
            self.state.dismissed[pressed.get("sequence_id", message)] = place
        return status

    def do_streams(self):
        return [",".join(topics) for topics in self.streams.values()]


def chunk(data):
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def parameter(request, *names):
    """A parameter of the header or of the query, in UTF-8."""
    for name in names:
        for alias in (f"x-{name}", name):
            if alias in request.fields:
                return request.fields[alias].encode("latin-1").decode(errors="replace")
    return next((request.query[name] for name in names if name in request.query), "")


def authorization(credential):
    if "token" in credential:
        return f"Bearer {credential['token']}"
    return "Basic " + base64.b64encode(f"{credential['user']}:{credential['password']}".encode()).decode()


def sent_by_phone(action):
    request = urllib.request.Request(
        action["url"], action.get("body", "").encode(), action.get("headers", {}), method=action.get("method", "POST"))
    handlers = [urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=ssl._create_unverified_context())]
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=10) as reply:
            return reply.status
    except urllib.error.HTTPError as error:
        return error.code
    except (OSError, ValueError):
        return None


if __name__ == "__main__":
    NtfyServer.main()

"""What the servers of Telegram and ntfy share: HTTP/1.1, a clock, faults, and the test's side.

usage of each: SERVER.py [CERTIFICATE KEY]
It reads `configuration.json` in the working folder, and prints its port. The test speaks to the socket `control` there:
a line of JSON, {"do": NAME, …}, is answered by a line, {"result": …} or {"error": …}. Nothing sleeps: what waits is
woken by a change, or by its moment on the server's clock.
"""
import asyncio, contextlib, dataclasses, http.client, inspect, json, socket, ssl, sys, time, traceback, urllib.parse

# A request's head and body, in bytes; a larger one is answered 431 or 413.
LONGEST_HEAD, LONGEST_BODY = 65_536, 4_194_304
GARBAGE = b"\x00\x01\xff\xfe what a day\r\n" * 3


@dataclasses.dataclass
class Request:
    method: str
    path: str
    query: dict
    fields: dict
    body: bytes


@dataclasses.dataclass
class Answer:
    status: int
    body: bytes = b""
    fields: list = ()

    @property
    def head(self):
        reason = http.client.responses.get(self.status, "Unknown")
        lines = [f"HTTP/1.1 {self.status} {reason}", *(f"{name}: {value}" for name, value in self.fields)]
        return "\r\n".join([*lines, f"Content-Length: {len(self.body)}", "\r\n"]).encode()

    @staticmethod
    def json(status, value, fields=()):
        return Answer(status, encoded(value), [("Content-Type", "application/json"), *fields])


class Refusal(Exception):
    def __init__(self, answer):
        self.answer = answer


@dataclasses.dataclass
class Call:
    """What a request asks for: the name of its operation, what to keep of it, and what to do.

    `act` takes whether to tell each update twice. It gives an answer, or nothing where it has written by itself. `wait`
    is what it waits for before; a fault strikes after that.
    """
    operation: str
    parameters: dict
    act: object
    wait: object = None


class Connection(asyncio.Protocol):
    def __init__(self, service):
        self.service, self.received, self.task = service, bytearray(), None

    def connection_made(self, transport):
        self.transport = transport
        self.service.connections.add(self)

    def connection_lost(self, error):
        self.service.connections.discard(self)
        if self.task:
            self.task.cancel()

    def data_received(self, data):
        self.received += data
        self.proceed()

    def proceed(self):
        try:
            request = None if self.task else self.next_request()
        except Refusal as refusal:
            return self.end(refusal.answer)
        if request:
            self.task = asyncio.create_task(self.serve(request))

    def next_request(self):
        """The next request, once it is whole."""
        end = self.received.find(b"\r\n\r\n")
        if end < 0:
            if len(self.received) > LONGEST_HEAD:
                raise Refusal(Answer(431))
            return None
        try:
            first, *lines = self.received[:end].decode("latin-1").split("\r\n")
            method, target, _ = first.split(" ")
            fields = {name.strip().lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
            length = int(fields.get("content-length", 0))
        except ValueError:
            raise Refusal(Answer(400))
        if "transfer-encoding" in fields:
            raise Refusal(Answer(411))
        if length > LONGEST_BODY:
            raise Refusal(Answer(413))
        start = end + 4
        if len(self.received) < start + length:
            return None
        body = bytes(self.received[start:start + length])
        del self.received[:start + length]
        path, _, query = target.partition("?")
        query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        return Request(method, urllib.parse.unquote(path), query, fields, body)

    async def serve(self, request):
        try:
            await self.service.serve(self, request)
        except Exception:
            traceback.print_exc()
            self.end(Answer(500))
        self.task = None
        if request.fields.get("connection", "").lower() == "close":
            self.transport.close()
        elif not self.transport.is_closing():
            self.proceed()

    def write(self, data):
        if not self.transport.is_closing():
            self.transport.write(data)

    def end(self, answer):
        self.write(answer.head + answer.body)
        self.transport.close()


class Service:
    """A server of one kind. A subclass gives `new_state()`, which a restart may lose, the `call()` of a request, and
    the service's own answer of a `failure()`."""

    def __init__(self, configuration):
        self.configuration = configuration
        # The clock runs on from now, or stands at a moment until the test advances it.
        self.stands_at = configuration.get("standsAt")
        self.advanced = 0
        self.waiting, self.connections, self.faults, self.requests = set(), set(), [], []
        self.state = self.new_state()

    # The clock, and waiting.

    def now(self):
        return (time.time() if self.stands_at is None else self.stands_at) + self.advanced

    def changed(self):
        for future in self.waiting:
            if not future.done():
                future.set_result(None)

    async def until(self, holds, moment=float("inf")):
        """Waits until a condition holds, or a moment of the server's clock has come."""
        while not holds() and (left := moment - self.now()) > 0:
            future = asyncio.get_running_loop().create_future()
            self.waiting.add(future)
            try:
                is_timed = self.stands_at is None and moment < float("inf")
                await asyncio.wait_for(future, left if is_timed else None)
            except asyncio.TimeoutError:
                pass
            finally:
                self.waiting.discard(future)

    # Requests and faults.

    async def serve(self, connection, request):
        record = dict(operation="", parameters={}, status=None, time=self.now())
        try:
            call = self.call(request, connection)
            record.update(operation=call.operation, parameters=call.parameters)
            self.requests.append(record)
            if call.wait:
                await call.wait()
            fault = self.take_fault(call.operation) or dict(kind=None)
            if fault["kind"] in ("drop", "silence") and not fault["afterEffect"]:
                answer = None
            elif fault["kind"] == "status":
                answer = self.failure(fault["status"], fault["retryAfter"])
            elif fault["kind"] == "reply":
                answer = Answer(fault["status"], fault["body"].encode(), fault["fields"])
            elif fault["kind"] == "garbage":
                connection.write(GARBAGE)
                return connection.transport.close()
            else:
                answer = call.act(fault["kind"] == "duplicate")
                answer = await answer if inspect.isawaitable(answer) else answer
        except Refusal as refusal:
            if not record["operation"]:
                self.requests.append(record)
            answer, fault = refusal.answer, dict(kind=None)
        self.changed()
        if fault["kind"] == "drop":
            connection.transport.abort()
        elif fault["kind"] == "silence":
            await self.until(lambda: False)
        elif fault["kind"] == "cut":
            connection.write(answer.head + answer.body[:len(answer.body) // 2])
            connection.transport.close()
        elif answer:
            record["status"] = answer.status
            connection.write(answer.head + answer.body)

    def has_fault(self, operation):
        return any(fault["operation"] == operation for fault in self.faults)

    def take_fault(self, operation):
        for fault in self.faults:
            if fault["operation"] == operation:
                fault["times"] -= 1
                if fault["times"] == 0:
                    self.faults.remove(fault)
                return fault
        return None

    # The test's side.

    def do_fail(self, operation, times, fault):
        self.faults.append(dict(fault, operation=operation, times=times))

    def do_heal(self):
        self.faults.clear()

    def do_advance(self, seconds):
        self.advanced += seconds

    def do_requests(self):
        return self.requests

    def do_disconnect(self):
        for connection in list(self.connections):
            connection.transport.abort()

    def do_go_down(self):
        if self.server:
            self.server.close()
            self.server = None
            # Refuses connections, but keeps the port.
            self.socket.shutdown(socket.SHUT_RDWR)
        self.do_disconnect()

    async def do_come_up(self, keepingState):
        if not keepingState:
            self.state = self.new_state()
        if not self.server:
            loop = asyncio.get_running_loop()
            self.server = await loop.create_server(
                lambda: Connection(self), sock=self.socket.dup(), ssl=self.context, backlog=128)

    async def obey(self, reader, writer):
        while line := await reader.readline():
            order = json.loads(line)
            try:
                result = getattr(self, "do_" + order.pop("do"))(**order)
                reply = dict(result=await result if inspect.isawaitable(result) else result)
            except Exception as error:
                reply = dict(error=f"{type(error).__name__}: {error}")
            self.changed()
            writer.write(encoded(reply))
            await writer.drain()
        writer.close()

    async def run(self, identity):
        self.context = None
        if identity:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*identity)
        self.server, self.socket = None, bound_socket()
        await self.do_come_up(keepingState=True)
        control = await asyncio.start_unix_server(self.obey, "control", limit=1 << 27)
        print(self.socket.getsockname()[1], flush=True)
        await control.serve_forever()

    @classmethod
    def main(cls):
        with open("configuration.json") as file:
            configuration = json.load(file)
        asyncio.run(cls(configuration).run(sys.argv[1:]))


def encoded(value):
    """A line of JSON; half a surrogate pair, which has no UTF-8, is a question mark."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace") + b"\n"


def bound_socket():
    """A socket on a free port, bound by its number: such a port stays its own while it does not listen."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        bound = socket.socket()
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):
            bound.bind(("127.0.0.1", port))
            return bound
        bound.close()

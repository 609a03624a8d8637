"""The other side of a webhook and of a mail sink on a bad day: takes most, and says, drops or forgets the rest.

usage: chaos_collector.py LOG SEED FAULTS
FAULTS is how often at most one message is not answered with yes. Prints the port of HTTP and that of SMTP. Every
message becomes a line of LOG before it is answered: its sink, its identity, the moment, the body of a webhook, and what
it is answered with: `taken` (yes), `unknown` (taken, and not a word), `refused` (not taken). The sink of a webhook is the
path of its URL; /gone refuses everything for good.
"""
import asyncio, collections, json, random, re, socket, struct, sys, time

log = open(sys.argv[1], "a")
chance = random.Random(int(sys.argv[2]))
most_faults = int(sys.argv[3])
faults = collections.Counter()


def choose(identity, kinds):
    """What goes wrong with this message now; None for nothing."""
    if faults[identity] < most_faults and chance.random() < 0.35:
        faults[identity] += 1
        return chance.choice(kinds)


def record(sink, identity, result, body=None):
    log.write(json.dumps(dict(sink=sink, identity=identity, time=time.time(), result=result, body=body)) + "\n")
    log.flush()


def reset(writer):
    peer = writer.get_extra_info("socket")
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def until_closed(reader):
    while await reader.read(65536):
        pass


async def http(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = int(re.search(r"(?i)content-length: *(\d+)", head)[1])
            body = json.loads(await reader.readexactly(length))
            identity = re.search(r"(?i)webhook-id: *(\S+)", head)[1]
            sink = re.match(r"POST /(\S+)", head)[1]
            await asyncio.sleep(chance.uniform(0, 0.2))
            kinds = [500, 503, 429, "reset", "reset after", "hang", "hang after"]
            fault = 404 if sink == "gone" else choose(identity, kinds)
            result = "taken" if fault is None else "unknown" if "after" in str(fault) else "refused"
            record(sink, identity, result, body)
            if fault in ("reset", "reset after"):
                return reset(writer)
            if fault in ("hang", "hang after"):
                return await until_closed(reader)
            status = fault or 204
            after = "Retry-After: 2\r\n" if status == 429 else ""
            size = "" if status == 204 else "Content-Length: 0\r\n"
            writer.write(f"HTTP/1.1 {status} Whatever\r\n{after}{size}\r\n".encode())
            await writer.drain()
    except (asyncio.IncompleteReadError, OSError):
        pass
    finally:
        writer.close()


async def smtp(reader, writer):
    async def say(line):
        writer.write(line.encode() + b"\r\n")
        await writer.drain()

    try:
        await say("220 chaos ESMTP")
        while line := await reader.readline():
            word = line[:4].upper()
            if word == b"DATA":
                await say("354 go on")
                mail = (await reader.readuntil(b"\r\n.\r\n")).decode()
                identity = re.search(r"(?im)^message-id: *<([^@>]+)", mail)[1]
                await asyncio.sleep(chance.uniform(0, 0.2))
                fault = choose(identity, ["451 4.3.0 later", "421 4.3.2 closing", "drop", "drop after", "hang after"])
                result = "taken" if fault is None else "unknown" if "after" in fault else "refused"
                record("mail", identity, result)
                if fault in ("drop", "drop after"):
                    return reset(writer)
                if fault == "hang after":
                    return await until_closed(reader)
                await say(fault or "250 2.0.0 taken")
                if fault and fault.startswith("421"):
                    return
            elif word == b"QUIT":
                return await say("221 bye")
            else:
                await say("250 ok")
    except (asyncio.IncompleteReadError, OSError):
        pass
    finally:
        writer.close()


async def main():
    servers = [await asyncio.start_server(each, "127.0.0.1", 0, backlog=128) for each in (http, smtp)]
    print(*(server.sockets[0].getsockname()[1] for server in servers), flush=True)
    await asyncio.gather(*(server.serve_forever() for server in servers))


asyncio.run(main())

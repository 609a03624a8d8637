"""A webhook that takes everything, each message after a while, and notes what came when.

usage: burst_collector.py LOG SECONDS [GATE]
Prints its port. Every reminder becomes a line of LOG as soon as it is there: the moment, the message, the item's number;
every update of one a line of LOG-updates: the moment, the message.
With GATE only as many reminders are answered as the number in that file says; the others wait.
"""
import asyncio, itertools, json, re, sys, time

log = open(sys.argv[1], "a")
updates = open(sys.argv[1] + "-updates", "a")
seconds = float(sys.argv[2])
gate = sys.argv[3] if len(sys.argv) > 3 else None
numbers = itertools.count(1)


def is_open(number):
    try:
        return gate is None or number <= int(open(gate).read())
    except ValueError:
        return False


async def take(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            now = time.time()
            body = json.loads(await reader.readexactly(int(re.search(r"(?i)content-length: *(\d+)", head)[1])))
            identity = re.search(r"(?i)webhook-id: *(\S+)", head)[1]
            if body["type"] == "reminder.fired":
                log.write(f"{now} {identity} {body['data']['item']['id']}\n")
                log.flush()
                number = next(numbers)
                while not is_open(number):
                    await asyncio.sleep(0.01)
            else:
                updates.write(f"{now} {identity}\n")
                updates.flush()
            await asyncio.sleep(seconds)
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
            await writer.drain()
    except (asyncio.IncompleteReadError, OSError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(take, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())

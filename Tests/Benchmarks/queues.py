"""Job queues of others in a PostgreSQL database: as many posts of the same bytes as Belfry has reminders.

usage: queues.py procrastinate|pgqueuer URL HOOK HEADERS BODY COUNT CONNECTIONS WORKERS
Prints the posts recorded in a second, from the moment at which all workers are ready until the last of them finds nothing more
to do; the workers share the connections to HOOK. Fails where a job was not recorded as done.
"""

import asyncio
import logging
import multiprocessing
import sys
import time

import aiohttp

logging.basicConfig(level=logging.ERROR)
library, url, hook, headers_file, body_file = sys.argv[1:6]
count, connections, workers = (int(word) for word in sys.argv[6:9])
headers = dict(line.split(": ", 1) for line in open(headers_file).read().splitlines())
body = open(body_file, "rb").read()


async def posted(session):
    async with session.post(hook, data=body) as reply:
        assert reply.status == 204, reply.status


class Procrastinate:
    done = "SELECT count(*) FROM procrastinate_jobs WHERE status = 'succeeded'"

    def __init__(self):
        import procrastinate

        self.app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=url))

        @self.app.task(name="post")
        async def post(number):
            await posted(self.session)

        self.task = post

    async def fill(self):
        async with self.app.open_async():
            await self.app.schema_manager.apply_schema_async()
            for start in range(0, count, 1_000):
                numbers = range(start, min(count, start + 1_000))
                await self.task.batch_defer_async(*({"number": number} for number in numbers))

    async def work(self, slots, ready):
        async with self.app.open_async(), aiohttp.ClientSession(headers=headers) as self.session:
            ready.wait()
            await self.app.run_worker_async(concurrency=slots, wait=False, install_signal_handlers=False)


class PgQueuer:
    done = "SELECT count(*) FROM pgqueuer_log WHERE status = 'successful'"

    async def opened(self):
        import asyncpg
        import pgqueuer.types

        return pgqueuer, pgqueuer.AsyncpgDriver(await asyncpg.connect(url))

    async def fill(self):
        pgqueuer, driver = await self.opened()
        queries = pgqueuer.Queries(driver)
        await queries.install()
        await queries.enqueue(["post"] * count, [None] * count, [0] * count)

    async def work(self, slots, ready):
        pgqueuer, driver = await self.opened()
        queue = pgqueuer.PgQueuer(driver)
        async with aiohttp.ClientSession(headers=headers) as session:

            @queue.entrypoint("post", concurrency_limit=slots)
            async def post(job):
                await posted(session)

            ready.wait()
            await queue.run(batch_size=slots, mode=pgqueuer.types.QueueExecutionMode.drain)


async def recorded(statement):
    import asyncpg

    return await (await asyncpg.connect(url)).fetchval(statement)


def work(slots, ready):
    asyncio.run(kind().work(slots, ready))


kind = {"procrastinate": Procrastinate, "pgqueuer": PgQueuer}[library]
asyncio.run(kind().fill())
ready = multiprocessing.Barrier(workers + 1)
processes = [multiprocessing.Process(target=work, args=(connections // workers, ready)) for _ in range(workers)]
for process in processes:
    process.start()
ready.wait()
start = time.monotonic()
for process in processes:
    process.join()
seconds = time.monotonic() - start
found = asyncio.run(recorded(kind.done))
if found != count or any(process.exitcode for process in processes):
    sys.exit(f"of {count} jobs {found} were done")
print(count / seconds)

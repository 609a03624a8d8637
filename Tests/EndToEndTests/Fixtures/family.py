"""Many people behind one address, each of whom opens a link and presses its button.

usage: family.py RATE URL...
RATE people begin each second, whether or not those before them were answered. Prints how often each status came, as
JSON.
"""
import collections, json, sys, threading, time, urllib.error, urllib.request

rate, urls = int(sys.argv[1]), sys.argv[2:]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
statuses, lock = collections.Counter(), threading.Lock()


def ask(url, data):
    try:
        with opener.open(urllib.request.Request(url, data, {"Accept": "text/html"}), timeout=300) as reply:
            status = reply.status
    except urllib.error.HTTPError as error:
        status = error.code
    with lock:
        statuses[f"{'GET' if data is None else 'POST'} {status}"] += 1


def answer(url):
    ask(url, None)
    ask(url, b"latest=0")


start = time.monotonic()
people = [threading.Thread(target=answer, args=(url,)) for url in urls]
for number, person in enumerate(people):
    time.sleep(max(0, start + number / rate - time.monotonic()))
    person.start()
for person in people:
    person.join()
print(json.dumps(statuses))

"""Starts a daemon whose items are all due, and checks items at random moments while it delivers.

The test's own process may be too busy to answer within the seconds that the delivery takes. The receiver answers as
many messages as items are checked, so that the delivery is not over before half of them are, however slow the machine is.
Usage: burst_answers.py BELFRY BELFRYD COLLECTED LOG GATE ITEMS SEED
Prints a line for each item that was checked: its number, and the time at which that was on disk.
"""

import json
import os
import random
import subprocess
import sys
import time

belfry, belfryd, collected, log, gate = sys.argv[1:6]
items, seed = int(sys.argv[6]), int(sys.argv[7])
chance = random.Random(seed)


def shown(*words):
    return json.loads(subprocess.run([belfry, *words, "--json"], check=True, stdout=subprocess.PIPE).stdout)


def is_pending():
    return shown("pending") != [] or shown("deliveries", "--state", "pending") != []


def open_gate(count):
    with open(gate, "w") as file:
        file.write(str(count))


daemon = subprocess.Popen([belfryd], stderr=open(log, "a"))
while not (os.path.exists(collected) and os.path.getsize(collected)):
    if daemon.poll() is not None:
        sys.exit(f"the daemon ended with {daemon.returncode}")
    time.sleep(0.01)
left = list(range(1, items + 1))
chance.shuffle(left)
while left and is_pending():
    count = chance.randint(1, 12)
    chosen, left = left[:count], left[count:]
    subprocess.run([belfry, "check", *map(str, chosen)], check=True, stdout=subprocess.DEVNULL)
    now = time.time()
    for item in chosen:
        print(item, now, flush=True)
    open_gate(items - len(left))
open_gate(items * 10)
while is_pending():
    time.sleep(0.1)
daemon.terminate()
sys.exit(daemon.wait())

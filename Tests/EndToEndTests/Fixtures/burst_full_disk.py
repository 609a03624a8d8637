"""A daemon whose items are all due, on a disk that is full from the middle of their delivery on, until there is room again.

usage: burst_full_disk.py BELFRY BELFRYD COLLECTED GATE LOG DISK
Runs in a mount namespace of its own with the store on DISK. Prints as JSON how many messages had arrived and how many of them
were recorded while the disk was full.
"""

import json
import os
import re
import subprocess
import sys
import time

belfry, belfryd, collected, gate, log, disk = sys.argv[1:]


def wait_until(what, holds):
    for _ in range(60_000):
        if holds():
            return
        if daemon.poll() is not None:
            sys.exit(f"the daemon ended with {daemon.returncode}")
        time.sleep(0.01)
    sys.exit(f"waited in vain until {what}")


def arrived():
    return sum(1 for _ in open(collected)) if os.path.exists(collected) else 0


def shown(*words):
    return json.loads(subprocess.run([belfry, *words, "--json"], check=True, stdout=subprocess.PIPE).stdout)


def fill():
    with open(os.path.join(disk, "filler"), "wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4_096))
        except OSError:
            pass


daemon = subprocess.Popen([belfryd], stderr=open(log, "a"))
wait_until("messages arrive that nobody answers", lambda: arrived() > int(open(gate).read()))
fill()
with open(gate, "w") as opened:
    opened.write("1000000")
wait_until("the disk is full", lambda: re.search("disk is full|No space left", open(log).read()))
# Whoever goes on would send hundreds by then.
time.sleep(3)
count, recorded = arrived(), len(shown("deliveries", "--state", "delivered"))
os.unlink(os.path.join(disk, "filler"))
wait_until("nothing is pending", lambda: shown("pending") == [] and shown("deliveries", "--state", "pending") == [])
daemon.terminate()
print(json.dumps(dict(arrived=count, recorded=recorded, ended=daemon.wait())))

"""Presses the first button of each message that a running belfryd has sent, one after another with pauses.

usage: presses.py desktop|telegram|ntfy STORE COUNT, in the working folder of a server of Tests/Support/Services
It prints the milliseconds from each press until another reader of the store sees the item checked: a commit shows only
once it is on disk. The way of the press through that server is a part of them.
"""
import json, socket, sqlite3, sys, time

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection

# In seconds.
PATIENCE, PACE, NAP = 60, 0.05, 0.0002


class Control:
    """The test's side of a server: a line of JSON is answered by a line."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect("control")
        self.lines = self.socket.makefile()

    def order(self, name, **parameters):
        self.socket.sendall(json.dumps({"do": name, **parameters}).encode() + b"\n")
        reply = json.loads(self.lines.readline())
        if "error" in reply:
            sys.exit(reply["error"])
        return reply["result"]


class Telegram:
    def __init__(self):
        self.order = Control().order

    def rung(self):
        return self.order("messages")

    def is_followed(self):
        return self.order("progress")["isPolled"]

    def press(self, message):
        button = message["buttons"][0][0]["text"]
        self.order("press", chat=message["chat"], message=message["id"], button=button, user=message["chat"])


class Ntfy:
    def __init__(self):
        self.order = Control().order

    def rung(self):
        return self.order("messages", topic="bells")

    def is_followed(self):
        return "answers" in self.order("streams")

    def press(self, message):
        # As if the phone's request had just come in.
        self.order("publish", topic="answers", text=message["actions"][0]["body"])


class Desktop:
    def __init__(self):
        name = "org.freedesktop.Notifications"
        self.server = DBusAddress("/org/freedesktop/Notifications", name, name)
        self.bus = open_dbus_connection("unix:path=bus")

    def rung(self):
        with open("records.jsonl") as lines:
            # The last line may be incomplete.
            return [json.loads(line) for line in lines if line.endswith("\n")]

    def is_followed(self):
        return True

    def press(self, shown):
        words = ("press", shown["number"], shown["actions"][0])
        self.bus.send_and_get_reply(new_method_call(self.server, "Control", "sus", words))


def wait_until(what, holds, nap):
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"waited {PATIENCE} s in vain until {what}")
        time.sleep(nap)


def main(channel, store, count):
    server = dict(desktop=Desktop, telegram=Telegram, ntfy=Ntfy)[channel]()
    reader = sqlite3.connect(f"file:{store}?mode=ro", uri=True)

    def checked():
        return reader.execute("SELECT count(*) FROM item WHERE is_checked").fetchone()[0]

    wait_until(f"{count} items rang", lambda: len(server.rung()) == count, PACE)
    for done, message in enumerate(server.rung()):
        time.sleep(PACE)
        wait_until("belfryd follows the answers", server.is_followed, PACE)
        start = time.monotonic()
        server.press(message)
        wait_until("it is checked", lambda: checked() > done, NAP)
        print((time.monotonic() - start) * 1e3)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))

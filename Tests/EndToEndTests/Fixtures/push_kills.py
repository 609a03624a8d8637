"""A day on which everything is killed between a reminder and a browser.

usage: push_kills.py BELFRY CONFIG SEED
The config has items that are due, and gets a sink of one browser at a push service of this script's own, which is slow and
sometimes fails. First the daemon is killed again and again while it sends; then each press of a button is made twice by a
program that is killed at any moment, until it replies. What arrived and what was replied becomes a line of JSON each.
"""
import contextlib, http.server, json, os, random, subprocess, sys, threading, time

import http_ece

from subscription import make_key, subscribe

belfry, config, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
chance = random.Random(seed)
taken = []
key, secret = make_key(), os.urandom(16)


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    faults = random.Random(seed + 1)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        text = http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm")
        each = dict(message=json.loads(text), topic=self.headers["Topic"])
        taken.append(each)
        tell("sent", **each)
        time.sleep(0.02)
        with contextlib.suppress(OSError):
            self.send_response(502 if Service.faults.random() < 0.05 else 201)
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, *words):
        pass


def tell(step, **more):
    line = json.dumps(dict(step=step, **more)) + "\n"
    os.write(1, line.encode())


service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=service.serve_forever, daemon=True).start()
origin = f"http://127.0.0.1:{service.server_port}"
with open(config, "a") as file:
    file.write(f"""
sinks:
  phone: {{ type: webpush, path: push.sqlite, contact: me@example.org, concurrency: 2, origins: ["{origin}"] }}
web: {{ listen: "127.0.0.1:1", public_url: "http://localhost:1" }}
""")
os.environ["BELFRY_CONFIG"] = config

subscribe(os.path.join(os.path.dirname(config), "push.sqlite"), f"{origin}/t0ken-of-browser", key, secret)


def killed(words, delay):
    """Runs a program and kills it after a delay; returns its status and what it printed if it was faster."""
    program = subprocess.Popen([belfry, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        output, _ = program.communicate(timeout=delay)
        return program.returncode, output
    except subprocess.TimeoutExpired:
        program.kill()
        program.communicate()
        return None, ""


hours = 0


def settle():
    """Rings until nothing waits: what failed is due again within the hour."""
    global hours
    for _ in range(8):
        hours += 1
        subprocess.run(["faketime", "-f", f"+{hours}h", belfry, "run", "--once"], capture_output=True)
        pending = subprocess.run(
            [belfry, "deliveries", "--state", "pending", "--json"], check=True, capture_output=True, text=True).stdout
        if not json.loads(pending):
            return
    sys.exit(f"these wait for good: {pending}")


kills = 0
while kills < 12 and killed(["run", "--once"], chance.uniform(0.3, 0.9))[0] is None:
    kills += 1
settle()
tell("rung", kills=kills)

tokens = {each["message"]["title"]: each["message"]["actions"][0]["token"] for each in taken}
kills = 0
for title, token in sorted(tokens.items())[:20]:
    replies = []
    while len(replies) < 2:
        status, output = killed(["answer", token, "--json"], chance.uniform(0.005, 0.15) if kills < 60 else 60)
        if status is None:
            kills += 1
        else:
            replies += json.loads(output)
    tell("pressed", title=title, status=status, replies=replies)
settle()
tell("told", kills=kills)

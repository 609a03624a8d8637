"""A person who subscribes to reminders in Chromium, by two profiles, with a push service of this script's own.

usage: push.py BELFRY BELFRY-WEB CONFIG
The config has an item that is due. Two free ports are added to it: the web face's and the push service's. What the service
gets is opened by http-ece, and given to the browser as its own service would. Each step becomes a line of JSON.
"""
import http.server, json, os, signal, socket, subprocess, sys, tempfile, threading, time, urllib.parse
import urllib.error, urllib.request

import http_ece

from browser import Browser, Page
from subscription import encoded, make_key, public

belfry, web, config = sys.argv[1:]
PATIENCE = 60
# The pushes that arrive at once.
BURST = 20
key = make_key()
secret = os.urandom(16)


class Service(http.server.BaseHTTPRequestHandler):
    """A push service, which gives each browser a path of its own."""
    taken, gone = [], set()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path in Service.gone:
            self.send_response(410)
        else:
            text = http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm")
            Service.taken.append(dict(path=self.path, message=json.loads(text), topic=self.headers["Topic"]))
            self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=service.serve_forever, daemon=True).start()
origin = f"http://127.0.0.1:{service.server_port}"
port = free_port()
url = f"http://localhost:{port}"
with open(config, "a") as file:
    file.write(f"""
sinks:
  phone: {{ type: webpush, path: push.sqlite, contact: me@example.org, origins: ["{origin}"] }}
web: {{ listen: 127.0.0.1:{port}, public_url: "{url}" }}
""")
os.environ["BELFRY_CONFIG"] = config

# The browser's own push service cannot be reached: all but the address is its own.
PUSH_MANAGER = f"""
PushManager.prototype.getSubscription = async () => null
PushManager.prototype.subscribe = async (options) => {{
  if (!options.userVisibleOnly || options.applicationServerKey.length != 87) throw Error("wrong options")
  const endpoint = "{origin}PATH"
  return {{ toJSON: () => ({{ endpoint, keys: {{ p256dh: "{public(key)}", auth: "{encoded(secret)}" }} }}) }}
}}
"""


def command(*words):
    return subprocess.run([belfry, *words], check=True, capture_output=True, text=True).stdout


def ring():
    """What the daemon sends."""
    before = len(Service.taken)
    ran = subprocess.run([belfry, "run", "--once"], capture_output=True, text=True)
    return Service.taken[before:], ran.returncode, ran.stderr


class Worker:
    """The service worker of the page."""

    def __init__(self, page):
        self.page, self.browser = page, page.browser
        page.call("ServiceWorker.enable")
        page.evaluate("navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)")
        self.registration = page.wait("ServiceWorker.workerRegistrationUpdated")[-1]["registrations"][0]["registrationId"]
        targets = self.browser.call("Target.getTargets")["targetInfos"]
        target = next(each["targetId"] for each in targets if each["type"] == "service_worker")
        self.session = self.browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def record(self):
        """Has the worker note each number that it puts on the icon, and the text of each notification once it shows."""
        self.evaluate("""(async () => {
            Object.assign(self, { badges: [], texts: [] })
            Object.defineProperty(navigator, "setAppBadge", { value: async (count) => { self.badges.push(count) } })
            const show = registration.showNotification.bind(registration)
            registration.showNotification = async (title, options) => {
                await show(title, options)
                self.texts.push(options.body)
            }
        })()""")

    def badge(self, count):
        """Waits until the icon has a number; returns it."""
        end = time.monotonic() + PATIENCE
        while True:
            last = self.evaluate("Promise.resolve(self.badges.at(-1) ?? -1)")
            if last == count or time.monotonic() > end:
                return last
            time.sleep(0.02)

    def push(self, message):
        self.page.call("ServiceWorker.deliverPushMessage", origin=url, registrationId=self.registration,
                       data=json.dumps(message))

    def push_at_once(self, messages):
        """Delivers each message while the worker still shows others; the debugger's own way waits for each."""
        self.evaluate(f"""(async () => {{
            const works = []
            for (const message of {json.dumps(messages)}) {{
                const event = new PushEvent("push", {{ data: JSON.stringify(message) }})
                event.waitUntil = (work) => works.push(work)
                dispatchEvent(event)
                await new Promise((resolve) => setTimeout(resolve, 1))
            }}
            await Promise.all(works)
        }})()""")

    def evaluate(self, expression):
        return evaluated(self.browser.call(
            "Runtime.evaluate", self.session, expression=expression, awaitPromise=True, returnByValue=True), expression)

    def press(self, place):
        """Presses a button of the notification, or its body where the place is empty, and waits for what that does."""
        self.evaluate(f"""registration.getNotifications().then(async ([notification]) => {{
            const event = new NotificationEvent("notificationclick", {{ notification, action: "{place}" }})
            let work
            event.waitUntil = (promise) => {{ work = promise }}
            dispatchEvent(event)
            await work
        }})""")

    def shown(self, text, number=1):
        """The notifications, once so many with the text have been shown since this was last asked.

        Chromium forgets a notification that is on its way to the screen when it is asked which ones are shown.
        """
        end = time.monotonic() + PATIENCE
        while sum(text in each for each in self.evaluate("Promise.resolve(self.texts)")) < number:
            if time.monotonic() > end:
                sys.exit(f"no notification says '{text}': {self.evaluate('Promise.resolve(self.texts)')}")
            time.sleep(0.02)
        return self.evaluate("""registration.getNotifications().then((all) => (self.texts = []) && all.map((each) => ({
            title: each.title, text: each.body, tag: each.tag, silent: each.silent,
            actions: each.actions.map(({ title }) => title) })))""")

    def close_all(self):
        self.evaluate("registration.getNotifications().then((all) => { for (const each of all) each.close() })")

    def wait_for_none(self):
        """Waits until there is no notification."""
        end = time.monotonic() + PATIENCE
        while self.evaluate("registration.getNotifications().then((all) => all.length)"):
            if time.monotonic() > end:
                sys.exit("notifications stay")
            time.sleep(0.02)


def evaluated(result, expression):
    if "exceptionDetails" in result:
        sys.exit(f"{expression}: {result['exceptionDetails']}")
    return result["result"].get("value")


class PushPage(Page):
    def evaluate(self, expression):
        return evaluated(self.call("Runtime.evaluate", expression=f"({expression}).then(() => 1)",
                                   awaitPromise=True, returnByValue=True), expression)


def tell(step, **more):
    print(json.dumps(dict(step=step, **more)), flush=True)


class Phone:
    """A browser whose person has subscribed."""

    def __init__(self, browser, number, path):
        self.path = f"/t0ken-of-browser-{number}"
        self.page = PushPage(browser)
        browser.call("Browser.grantPermissions", origin=url, permissions=["notifications"])
        self.page.call("Page.addScriptToEvaluateOnNewDocument", source=PUSH_MANAGER.replace("PATH", self.path))
        link = next(word for word in command("access", "link").split() if "/sign-in/" in word)
        self.page.open(url + urllib.parse.urlparse(link).path)
        self.page.press("Sign in")
        self.page.open(url + path)
        self.page.press("Ring in this browser")
        self.text = self.page.value("document.body.innerText")
        self.worker = Worker(self.page)
        self.worker.record()

    def take(self, sent):
        """Gets what was sent to it."""
        for each in sent:
            if each["path"] == self.path:
                self.worker.push(each["message"])


def test(phone):
    """A test of the sink, of which a button is pressed in the browser."""
    before = len(Service.taken)
    words = [belfry, "sinks", "test", "phone", "--answer", "--to", "Chrome on Linux", "-v"]
    program = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE
    while len(Service.taken) == before and program.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    sent = Service.taken[before:]
    phone.take(sent)
    phone.worker.shown("Inbox")
    phone.worker.press("1")
    notifications = phone.worker.shown("Later.")
    _, said = program.communicate(timeout=PATIENCE)
    tell("tested", sent=sent, notifications=notifications, status=program.returncode, said=said)
    phone.worker.close_all()


def visit(first, second):
    phone = Phone(first, 1, "/settings")
    worker, page = phone.worker, phone.page
    other = Phone(second, 2, "/notifications")
    tell("subscribed", text=other.text)
    test(phone)

    sent, status, _ = ring()
    tell("rung", sent=sent, status=status)
    for each in phone, other:
        each.take(sent)
    tell("shown", notifications=worker.shown("Groceries"), badge=worker.badge(1))
    tell("shown on the other", notifications=other.worker.shown("Groceries"), badge=other.worker.badge(1))
    worker.press("0")
    tell("pressed", notifications=worker.shown("Done."), answers=json.loads(command("answers", "--json")),
         badge=worker.badge(0))

    sent, _, _ = ring()
    for each in phone, other:
        each.take(sent)
    tell("told", sent=sent, notifications=worker.shown("Done."))
    # Its page is open, where the answer can be seen.
    other.worker.wait_for_none()
    tell("closed on the other", notifications=other.worker.shown("done"), badge=other.worker.badge(0))
    worker.press("0")
    tell("undone", notifications=worker.shown("Taken back"), answers=json.loads(command("answers", "--json")),
         badge=worker.badge(1))
    sent, _, _ = ring()
    for each in phone, other:
        each.take(sent)
    tell("open again", sent=sent, notifications=worker.shown("Groceries"))
    tell("open again on the other", notifications=other.worker.shown("Groceries"), badge=other.worker.badge(1))
    message = sent[0]["message"]
    worker.push_at_once([{**message, "tag": f"burst-{number}", "title": f"{number}"} for number in range(BURST)])
    tell("at once", notifications=worker.shown("Groceries", BURST))
    worker.evaluate("""registration.getNotifications().then((all) => {
        for (const each of all) if (each.tag.startsWith("burst-")) each.close()
    })""")

    # The other browser's person has removed it.
    Service.gone.add(other.path)
    command("check", "1")
    sent, _, log = ring()
    page.open(f"{url}/notifications")
    tell("gone", sent=sent, log=log, text=page.value("document.body.innerText"))
    page.open("about:blank")
    worker.push(sent[0]["message"])
    tell("checked", notifications=worker.shown("hecked"))
    page.open(f"{url}/notifications")
    worker.push(sent[0]["message"])
    worker.wait_for_none()
    page.press("End")
    tell("ended", text=page.value("document.body.innerText"))


if __name__ == "__main__":
    log = open("web-log", "w")
    face = subprocess.Popen([web], stdout=log, stderr=log)
    try:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"{url}/healthz").close()
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.02)
        profiles = [tempfile.TemporaryDirectory(dir=os.getcwd(), ignore_cleanup_errors=True) for _ in range(2)]
        with profiles[0] as one, profiles[1] as two, Browser(one, []) as first, Browser(two, []) as second:
            visit(first, second)
    finally:
        face.send_signal(signal.SIGTERM)
        face.wait()

"""Chromium, driven through the pipe of its debugger.

usage: browser.py look SECONDS URL...             opens each page, and lets so many seconds of the browser's clock pass
       browser.py press LABEL URL [CERTIFICATE]   opens a page, and presses a button as a mouse does
CERTIFICATE is one to be trusted although no authority of the system issued it. Each page, as it is at the end, becomes
a line of JSON: its title, its text, and the seconds of its own clock. Nothing but this machine can be reached.
"""
import base64, fcntl, hashlib, json, os, select, signal, subprocess, sys, tempfile, time

OPTIONS = [
    "--headless", "--window-size=1280,900", "--no-sandbox", "--disable-gpu", "--disable-breakpad",
    "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
    "--remote-debugging-pipe"]

# The seconds after which a reply or an event is no longer waited for: far more than a busy machine needs.
PATIENCE = 120
# The error for an expression whose page is left while it is evaluated; it then has no value.
LEFT = "Inspected target navigated or closed"


class Browser:
    def __init__(self, profile, options):
        commands, self.commands = os.pipe()
        self.events, events = os.pipe()
        # Clear of the numbers at which it expects them.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (commands, events)]
        self.process = os.posix_spawn(
            "/usr/bin/chromium", ["chromium", *OPTIONS, f"--user-data-dir={profile}", *options],
            {**os.environ, "HOME": profile},
            file_actions=[(os.POSIX_SPAWN_DUP2, ends[0], 3), (os.POSIX_SPAWN_DUP2, ends[1], 4)])
        for end in (commands, events, *ends):
            os.close(end)
        self.read, self.number, self.waiting = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        if self.process is not None:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)

    def end(self):
        """Says how the browser ended by itself, as its standard error seldom tells."""
        _, status = os.waitpid(self.process, 0)
        self.process = None
        sys.exit(f"Chromium has ended with {os.waitstatus_to_exitcode(status)} (negative: a signal)")

    def message(self, end):
        """The next message, or None where none has come at the moment `end`."""
        while b"\0" not in self.read:
            if not select.select([self.events], [], [], max(0, end - time.monotonic()))[0]:
                return None
            more = os.read(self.events, 65536)
            if not more:
                self.end()
            self.read += more
        text, _, self.read = self.read.partition(b"\0")
        return json.loads(text)

    def send(self, method, session=None, **parameters):
        self.number += 1
        call = dict(id=self.number, method=method, params=parameters)
        if session:
            call["sessionId"] = session
        os.write(self.commands, json.dumps(call).encode() + b"\0")
        return self.number

    def call(self, method, session=None, **parameters):
        number = self.send(method, session, **parameters)
        end = time.monotonic() + PATIENCE
        while (message := self.message(end)) and message.get("id") != number:
            self.waiting.append(message)
            # Who goes to another address may lose what was typed on this page.
            if method == "Page.navigate" and message.get("method") == "Page.javascriptDialogOpening":
                self.send("Page.handleJavaScriptDialog", session, accept=True)
        if message is None:
            sys.exit(f"not within {PATIENCE} s: the reply to {method}")
        if message.get("error", {}).get("message") == LEFT:
            return {"result": {}}
        if "error" in message:
            sys.exit(f"{method}: {message['error']}")
        return message["result"]


class Page:
    def __init__(self, browser, **where):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank", **where)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def take(self, event):
        """The parameters of each event of a kind that has come since they were last taken."""
        taken = [each for each in self.browser.waiting
                 if each.get("sessionId") == self.session and each.get("method") == event]
        self.browser.waiting = [each for each in self.browser.waiting if each not in taken]
        return [each["params"] for each in taken]

    def until(self, what, holds):
        """What `holds` gives, once it gives something after an event."""
        end = time.monotonic() + PATIENCE
        while not (found := holds()):
            if (message := self.browser.message(end)) is None or time.monotonic() > end:
                sys.exit(f"not within {PATIENCE} s: {what}; the page says: {self.value('document.body.innerText')}")
            self.browser.waiting.append(message)
        return found

    def wait(self, event):
        return self.until(event, lambda: self.take(event))

    def loads(self, loader):
        """True if a document's load event is among the events that have come since the last look."""
        events = self.take("Page.lifecycleEvent")
        return ("load", loader) in [(each["name"], each["loaderId"]) for each in events]

    def wait_until_loaded(self, loader):
        self.until("the page is loaded", lambda: self.loads(loader))

    def open(self, url):
        started = self.call("Page.navigate", url=url)
        if "errorText" in started:
            sys.exit(f"{url}: {started['errorText']}")
        self.wait_until_loaded(started["loaderId"])
        # What comes from now on leads away from it.
        self.take("Page.frameStartedNavigating")
        self.take("Page.frameNavigated")

    def spend(self, seconds):
        """Lets time pass; a page that leads to another by itself has its time there too.

        The clock runs ahead of the network, so the time is over before a slow server has replied: what is on its way
        then is loaded to its end.
        """
        loader = None
        while True:
            self.call("Emulation.setVirtualTimePolicy", policy="advance", budget=seconds * 1000)
            self.wait("Emulation.virtualTimeBudgetExpired")
            if self.take("Page.frameStartedNavigating"):
                loader = self.wait("Page.frameNavigated")[-1]["frame"]["loaderId"]
            elif loader is None or self.loads(loader):
                return

    def press(self, label):
        """Presses a button that leads to another page, once it is there."""
        button = BUTTON % json.dumps(label)
        shown(self, button)
        place = self.value(f"""(() => {{
            const button = {button}
            button.scrollIntoView()
            const box = button.getBoundingClientRect()
            const place = {{x: box.x + box.width / 2, y: box.y + box.height / 2}}
            const found = document.elementFromPoint(place.x, place.y)
            if (!button.contains(found)) throw Error(`the button is under ${{found?.outerHTML}}`)
            return place
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)
        self.wait_until_loaded(self.wait("Page.frameNavigated")[-1]["frame"]["loaderId"])

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def awaited(self, expression):
        """The value that a promise comes to."""
        reply = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        return reply["result"].get("value")

    def tell(self):
        print(json.dumps(dict(
            title=self.value("document.title"), text=self.value("document.body.innerText"),
            seconds=int(self.value("performance.now() / 1000")))), flush=True)
        self.browser.call("Target.closeTarget", targetId=self.target)


BUTTON = "[...document.querySelectorAll('button')].find(button => button.textContent.trim() == %s)"


def shown(page, expression):
    """Waits until a page is complete and an expression holds; a page that leads to another has no value for a moment."""
    end = time.monotonic() + PATIENCE
    while not page.value(f"document.readyState == 'complete' && Boolean({expression})"):
        if time.monotonic() > end:
            sys.exit(f"not within {PATIENCE} s: {expression}; the page says: {page.value('document.body.innerText')}")
        time.sleep(0.02)


def click(page, selector):
    """Presses an element by a script, once it is there."""
    element = f"document.querySelector({json.dumps(selector)})"
    shown(page, element)
    page.value(f"{element}.click()")


def key(page, name, text=None, code=None):
    """Presses a key."""
    typed = {"text": text} if text else {}
    page.call("Input.dispatchKeyEvent", type="keyDown", key=name, windowsVirtualKeyCode=code or 0, **typed)
    page.call("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code or 0)


PLACE = """(query => {
    const box = document.querySelector(query).getBoundingClientRect()
    return [box.x + box.width / 2, box.y + box.height / 2]
})(%s)"""


def place(page, query):
    """The middle of an element."""
    return dict(zip("xy", page.value(PLACE % json.dumps(query))))


def touch(page, x, y):
    """Taps with a finger."""
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[dict(x=x, y=y)])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def look(browser, seconds, *urls):
    for url in urls:
        page = Page(browser)
        page.open(url)
        page.spend(float(seconds))
        page.tell()


def press(browser, label, url, *_):
    page = Page(browser)
    page.open(url)
    page.press(label)
    page.tell()


def trusting(certificate):
    words = ["openssl", "x509", "-in", certificate, "-noout", "-pubkey"]
    key = subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout.split("-----")[2]
    digest = base64.b64encode(hashlib.sha256(base64.b64decode(key)).digest()).decode()
    return f"--ignore-certificate-errors-spki-list={digest}"


if __name__ == "__main__":
    task, *words = sys.argv[1:]
    options = [trusting(words[2])] if task == "press" and len(words) > 2 else []
    with tempfile.TemporaryDirectory(dir=os.getcwd(), ignore_cleanup_errors=True) as profile:
        with Browser(profile, options) as browser:
            {"look": look, "press": press}[task](browser, *words)

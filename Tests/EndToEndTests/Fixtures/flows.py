"""A person at the pages of the web face, in two windows: what pages.py leaves out.

usage: flows.py FOLDER    the folder of the programs
Each step becomes a line of JSON: its name, and what is then so.
"""
import http.server, json, pathlib, re, sys, tempfile, threading

from browser import Browser, Page, click, key, shown
from face import Face

CONFIG = """
store: {{ type: sqlite, path: store.sqlite }}
time_zone: Europe/Zurich
web: {{ listen: 127.0.0.1:{port}, public_url: "http://localhost:{port}" }}
sinks: {{ hook: {{ type: webhook, url: "http://127.0.0.1:HOOK/" }} }}
categories: {{ chores: {{ actions: [{{ identifier: done, title: Done, do: check }}] }} }}
"""


class Hook(http.server.BaseHTTPRequestHandler):
    """Refuses messages until it is told to take them, and keeps them."""
    bodies, status = [], 400

    def do_POST(self):
        self.bodies.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(self.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def fill(belfry):
    belfry("add", "-", "-l", "Home", "--create", lines=["Sweep", "Dust", "Mop", "Iron"])
    belfry("add", "Bins", "-l", "Home", "--due", "in 2 minutes", "--category", "chores", clock="-5m")


def tell(step, **facts):
    print(json.dumps(dict(step=step, **facts)), flush=True)


ROWS = "[...document.querySelectorAll('#items .brief')].map(link => link.textContent)"
STATUS = "document.querySelector('#status')?.textContent.trim()"
PRESSED = "[...document.querySelectorAll('main button, main a')].find(each => each.textContent.trim() == %s)"
READY = "navigator.serviceWorker.controller && document.querySelector('.who [data-made]')"
FOCUS = "document.activeElement.closest('li')?.id + ' ' + document.activeElement.className"
SIGNED_OUT = "document.body.innerText.includes('Sign in first')"
LEFT = """(async () => [(await caches.keys()).length, (await indexedDB.databases()).length,
    (await navigator.serviceWorker.getRegistrations()).length])()"""


class Person:
    """Somebody with a window of their own."""

    def __init__(self, face, browser):
        self.face, self.page = face, Page(browser)

    def sign_in(self, *words):
        self.page.open(self.face.link(*words))
        self.page.press("Sign in")

    def open(self, path):
        self.page.open(self.face.url + path)

    def close(self):
        """Closes the tab: the one that was there before is in front again, and follows changes."""
        self.page.browser.call("Target.closeTarget", targetId=self.page.target)

    def fill(self, form, fields):
        # As a picker does.
        for name, value in fields.items():
            self.page.value(f"""(() => {{
                const field = document.querySelector("{form} [name={name}]")
                field.value = {json.dumps(value)}
                for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, {{ bubbles: true }}))
            }})()""")

    def click(self, selector):
        click(self.page, selector)

    def press(self, label):
        """Presses a button or link that leaves the page as it is, or is replaced by the script, once it is there."""
        element = PRESSED % json.dumps(label)
        shown(self.page, element)
        self.page.value(f"{element}.click()")


def signed_in(face, browser):
    person = Person(face, browser)
    person.sign_in()
    shown(person.page, READY)
    return person


def due(face, text):
    items = json.loads(face.belfry("show", "--all", "--json"))
    return next((each for each in items if each["text"] == text), None)


def add(person):
    person.open("/lists/1/new")
    person.fill("form.item", {"text": "Windows", "date": "2031-03-04", "time": "17:30", "repeat": "every 2 weeks"})
    shown(person.page, "document.querySelector('#echo')?.textContent.includes('17:30')")
    echo = person.page.value("document.querySelector('#echo').innerText")
    person.press("Add")
    shown(person.page, f"{ROWS}.includes('Windows')")
    tell("added by picker", echo=echo, item=due(person.face, "Windows"), path=person.page.value("location.pathname"))


def change(person, other):
    """What one window changes, the other shows, and what has the focus there keeps it."""
    person.open("/lists/1")
    shown(person.page, READY)
    other.open("/lists/1")
    shown(other.page, READY)
    other.page.value("document.querySelector('#i2 .check').focus()")
    person.click("#i1 .check")
    shown(person.page, f"!{ROWS}.includes('Sweep')")
    shown(other.page, f"!{ROWS}.includes('Sweep')")
    tell("checked in one window", rows=other.page.value(ROWS), focus=other.page.value(FOCUS))
    person.press("Undo")
    shown(other.page, f"{ROWS}.includes('Sweep')")
    tell("undone in one window", rows=other.page.value(ROWS), focus=other.page.value(FOCUS))
    person.click("#i2 .check")
    shown(other.page, f"!{ROWS}.includes('Dust')")
    tell("the line with the focus has gone", focus=other.page.value(FOCUS))
    person.click("#m4 button[name=before]")
    shown(other.page, f"{ROWS}.indexOf('Iron') < {ROWS}.indexOf('Mop')")
    tell("moved by a menu", rows=other.page.value(ROWS))


def snooze(person):
    person.open("/lists/1")
    shown(person.page, READY)
    said = []
    for row, text in (("t1", "Sweep"), ("t5", "Bins")):
        person.page.value(f"document.querySelector('#{row}').focus()")
        key(person.page, "s", "s")
        shown(person.page, f"{STATUS}?.includes('{text}')")
        said.append(person.page.value(STATUS))
    tell("snoozed by a key", said=said)
    person.open("/items/5")
    person.press("1 hour")
    shown(person.page, f"{STATUS}?.includes('Snoozed')")
    tell("snoozed", status=person.page.value(STATUS))
    early = []
    person.face.belfry("add", "Later", "-l", "Home", "--due", "in 2 hours")
    person.open("/lists/1")
    number = due(person.face, "Later")["id"]
    person.click(f"#m{number} [value='1h']")
    shown(person.page, f"{STATUS}?.includes('Later')")
    early.append(person.page.value(STATUS))
    person.open(f"/items/{number}")
    person.press("10 min")
    shown(person.page, f"{STATUS}?.includes('Later')")
    early.append(person.page.value(STATUS))
    tell("snoozed early", said=early, rings=[
        each["text"] for each in json.loads(person.face.belfry("pending", "--json")) if each["text"] == "Later"])


def retry(person):
    person.face.belfry("--once", program="belfryd")
    person.open("/deliveries?state=dead")
    tell("given up", count=person.page.value("document.querySelectorAll('.rings.card > li').length"))
    person.click("#d1 .button")
    shown(person.page, "location.pathname == '/deliveries/1/retry'")
    person.press("Retry")
    shown(person.page, f"{STATUS}?.includes('tried again')")
    Hook.status = 200
    person.face.belfry("--once", program="belfryd")
    shown(person.page, "document.querySelector('#d1 .state').textContent == 'delivered'")
    tell("retried", course=person.page.value("document.querySelector('#d1 ol').textContent"))


def answer(person):
    link = re.search(r"/a/[\w-]+", Hook.bodies[-1])[0]
    person.open(link)
    person.page.press("Done")
    tell("answered", text=person.page.value("document.body.innerText"), item=due(person.face, "Bins"))


def revoke(person, other):
    other.open("/lists/1")
    shown(other.page, READY)
    # A line that is on its way, and never arrives.
    other.page.value("""(fetch => window.fetch = (path, how) =>
        how?.method == "POST" ? new Promise(() => {}) : fetch(path, how))(window.fetch) && 0""")
    other.fill("form.quick", {"line": "Lost"})
    other.page.value("document.querySelector('form.quick').requestSubmit()")
    person.open("/access")
    foreign = """[...document.querySelectorAll("#holders li")]
        .find(each => !each.textContent.includes("this browser"))"""
    shown(person.page, foreign)
    person.page.value(f"{foreign}.querySelector('.button').click()")
    shown(person.page, "location.pathname == '/access/revoke'")
    person.click("main form button")
    shown(person.page, f"{STATUS}?.includes('The access has ended')")
    shown(other.page, "document.querySelector('#lost')")
    tell("lost", text=other.page.value("document.querySelector('main').innerText"))
    other.press("Sign in again")
    shown(other.page, SIGNED_OUT)
    tell("revoked", text=other.page.value("document.body.innerText"))


def sign_out(person, tab):
    """Another tab is told by its own requests that the session has ended."""
    tab.open("/lists/1")
    shown(tab.page, READY)
    person.open("/lists/1")
    shown(person.page, READY)
    person.page.press("Sign out")
    person.face.belfry("add", "Late", "-l", "Home")
    shown(tab.page, SIGNED_OUT)
    tell("signed out", left=person.page.awaited(LEFT))


def read(person):
    person.sign_in("--scope", "read")
    person.open("/lists/1")
    shown(person.page, READY)
    key(person.page, "?", "?")
    shown(person.page, "document.querySelector('dialog[open] dl')")
    tell("a reader's keys", keys=person.page.value("[...document.querySelectorAll('dialog dt')].map(dt => dt.textContent)"))


def visit(face, browser, stranger):
    person, other = Person(face, browser), Person(face, stranger)
    for each in (person, other):
        each.sign_in()
        # Without a look at the page that follows, whose worker has just been started.
        each.open("/lists/1")
        shown(each.page, READY)
    tell("signed in", rows=person.page.value(ROWS))
    add(person)
    change(person, other)
    retry(person)
    snooze(person)
    answer(person)
    revoke(person, other)
    sign_out(person, Person(face, browser))
    read(person)


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    config = CONFIG.replace("HOOK", str(server.server_address[1]))
    kept = dict(ignore_cleanup_errors=True)
    with (tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory(**kept) as one,
          tempfile.TemporaryDirectory(**kept) as two):
        face = Face(pathlib.Path(place), pathlib.Path(sys.argv[1]), fill, config)
        try:
            with Browser(one, []) as browser, Browser(two, []) as stranger:
                visit(face, browser, stranger)
        finally:
            face.end()

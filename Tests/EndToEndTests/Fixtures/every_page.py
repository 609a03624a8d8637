"""Looks at every page of the web face with hostile texts in every field and name, by light and in the dark.

usage: every_page.py FOLDER    the folder of the programs
Each page in each scheme becomes a line of JSON: its name, the scheme, how many rules of axe-core it keeps and what it
finds wrong, the controls that are covered, the elements that the texts made, how many tags stand in its text, the
reports of its Content-Security-Policy, the errors of the browser's console, and the dialogs that were opened.
"""
import http.server, importlib.util, json, pathlib, re, sys, threading

from browser import Page, click
from face import walk

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script></textarea>\"'><b>bold</b> & {kind}"
CONFIG = """
store: {{ type: sqlite, path: store.sqlite }}
time_zone: Europe/Zurich
web: {{ listen: 127.0.0.1:{port}, public_url: "http://localhost:{port}" }}
people: {{ "<b>anna": {{ sinks: ["<i>hook"] }} }}
sinks:
  "<i>hook": {{ type: webhook, url: "http://127.0.0.1:HOOK/" }}
  "<i>screen": {{ type: stdout }}
routes: [{{ sinks: ["<i>hook"] }}]
categories:
  "<u>category": {{ actions: [{{ identifier: "<s>done", title: "<em>Done", do: check }}] }}
"""
# As a browser's own listener, which no policy of a page concerns.
WATCH = """
window.reports = []
document.addEventListener("securitypolicyviolation", event => reports.push(event.violatedDirective + " " + event.blockedURI))
"""
# Elements that no page has: only a text that became markup makes one.
STRANGE = "img, b, i:not([class]), u, s, [onerror], script:not([src])"
# What stands under the bar, or under the line that adds, once it is scrolled to as the Tab key does (WCAG 2.2, 2.4.11).
COVERED = """
[...document.querySelectorAll("main :is(a[href], button, input, select, textarea)")].filter(element => {
  if (element.closest(".quick") || !element.checkVisibility({contentVisibilityAuto: true})) return false
  return [true, false].some(atTop => {
    element.scrollIntoView(atTop)
    const {x, y, width, height} = element.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".bar, .quick")
  })
}).map(element => element.outerHTML.slice(0, 200))
"""
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


class Hook(http.server.BaseHTTPRequestHandler):
    """Refuses every message with a hostile text, and keeps it."""
    bodies = []

    def do_POST(self):
        self.bodies.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        text = HOSTILE.format(kind="reply").encode()
        self.send_response(400)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def fill(belfry):
    name = HOSTILE.format(kind="list")
    for kind in ("first", "second", "third"):
        belfry("add", HOSTILE.format(kind=kind), "-l", name, "--create", "--due", "in 2 minutes", "--category",
               "<u>category", "--notes", HOSTILE.format(kind="notes"), "--repeat", "every day", clock="-5m")
    belfry("add", HOSTILE.format(kind="checked"), "-l", name)
    belfry("check", "4")
    belfry("add", HOSTILE.format(kind="overdue"), "-l", name, "--due", "yesterday 9:00", "--alert", "1h")
    belfry("list", "edit", name, "--list-color", "yellow", "--icon", "\U0001F6D2")
    belfry("access", "add", "<b>token", "--person", "<b>anna", "--scope", "read", "-l", name)


class Looks:
    def __init__(self, face, browser):
        self.face, self.page = face, Page(browser)
        place = importlib.util.find_spec("axe_playwright_python")
        if not place:
            sys.exit("axe-core is missing: '.ci/setup test' installs it")
        self.axe = (pathlib.Path(place.origin).parent / "axe.min.js").read_text()
        for domain in ("Runtime", "Log"):
            self.page.call(f"{domain}.enable")
        self.page.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        name, value = face.cookie("--scope", "admin")
        self.page.call("Network.setCookie", name=name, value=value, url=face.url)

    def open(self, name, path):
        self.page.open(self.face.url + path)
        self.tell(name)

    def tell(self, name):
        for scheme in ("light", "dark"):
            self.page.call("Emulation.setEmulatedMedia", media="screen",
                           features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.page.call("Runtime.evaluate", expression=self.axe)
            found = self.page.call(
                "Runtime.evaluate", awaitPromise=True, returnByValue=True,
                expression=f"axe.run({json.dumps(RULES)})")["result"]["value"]
            wrong = [f"{each['id']}: {node['html'][:200]}" for each in found["violations"] for node in each["nodes"]]
            shown = self.page.value("document.body.innerText")
            strange = self.page.value(f"[...document.querySelectorAll({json.dumps(STRANGE)})].map(e => e.outerHTML)")
            covered = self.page.value(COVERED)
            self.page.value("scrollTo(0, 0)")
            print(json.dumps(dict(
                page=name, scheme=scheme, rules=len(found["passes"]), wrong=wrong, strange=strange,
                shown=len(re.findall("<[a-z]+[ >]", shown)), reports=self.page.value("reports"), errors=self.errors(),
                covered=covered, dialogs=len(self.page.take("Page.javascriptDialogOpening")))), flush=True)

    def errors(self):
        entries = [each["entry"] for each in self.page.take("Log.entryAdded")]
        thrown = [each["exceptionDetails"]["text"] for each in self.page.take("Runtime.exceptionThrown")]
        # A page that says 404 or 422 is one of those to be looked at.
        return thrown + [each["text"] for each in entries if each["source"] not in ("network", "recommendation")]

    def fill(self, fields):
        for name, text in fields.items():
            self.page.value(f"document.querySelector('form.item [name={name}]').value = {json.dumps(text)}")

    def submit(self):
        """Sends the form of an item as a browser without scripts does."""
        self.page.value("HTMLFormElement.prototype.submit.call(document.querySelector('form.item'))")
        self.page.wait_until_loaded(self.page.wait("Page.frameNavigated")[-1]["frame"]["loaderId"])


def look(face, looks, hook):
    query = "%3Cimg+src%3Dx+onerror%3Dalert(1)%3E"
    for path in [
            "/", "/lists", "/settings", f"/new?line={query}+tomorrow+9am", f"/search?q={query}", "/lists/1",
            "/lists/1?choose=several", "/items/1/list", "/deliveries/retry?all=dead", "/lists/1?order=due", "/lists/1?show=checked", "/lists/1/settings",
            "/lists/1/delete", "/lists/1/clear", f"/lists/1/new?line={query}+tomorrow+9am", "/items/1", "/items/4",
            "/items/1/delete", "/items/999", "/agenda?view=day", "/agenda?view=week", "/agenda?view=month", "/sinks",
            "/config", "/access", "/access/revoke?name=%3Cb%3Etoken", "/deliveries", "/deliveries?state=dead",
            "/deliveries/1/retry", "/answers", "/notifications", "/lists/1?done=checked&item=1"]:
        looks.open(path, path)
    link = re.search(r"/a/[\w-]+", "".join(hook.bodies))
    looks.open("/a/TOKEN", link[0])
    looks.page.press("<em>Done")
    looks.tell("/a/TOKEN, answered")
    looks.open("/answers, one", "/answers")

    looks.page.open(face.url + "/items/2")
    looks.fill({"due": "<b>soon", "repeat": "<b>often", "alerts": "<b>x", "notes": HOSTILE.format(kind="typed")})
    looks.submit()
    looks.tell("/items/2, with errors")
    looks.page.open(face.url + "/items/2")
    looks.fill({"text": HOSTILE.format(kind="typed"), "due": "fri 17:00"})
    face.belfry("edit", "2", "--text", HOSTILE.format(kind="other"), "--due", "2030-01-02 03:04")
    looks.submit()
    looks.tell("/items/2, changed elsewhere")

    looks.page.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
    looks.open("/, on a phone", "/")
    click(looks.page, ".menus")
    looks.tell("/, with the menu of pages")
    looks.page.open(face.url + "/lists/1")
    click(looks.page, ".more")
    looks.tell("/lists/1, with the menu of a row")
    looks.page.call("Emulation.clearDeviceMetricsOverride")
    looks.page.open(face.url + "/lists/1")
    click(looks.page, ".who button[data-made]")
    looks.tell("/lists/1, with the help of its keys")
    looks.open("/sign-in/SECRET", face.link()[len(face.url):])
    looks.page.call("Network.clearBrowserCookies")
    looks.open("/sign-in", "/sign-in")


def visit(face, browser):
    face.belfry("--once", program="belfryd")
    look(face, Looks(face, browser), Hook)


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    config = CONFIG.replace("HOOK", str(server.server_address[1]))
    walk(visit, fill, config)

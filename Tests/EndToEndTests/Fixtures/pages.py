"""A person at the pages of the web face, in Chromium.

usage: pages.py BELFRY BELFRY-WEB CONFIG    over the store of the config, to which a free port is added
Each step becomes a line of JSON: its name, what the page then shows, and the seconds that it took.
"""
import json, os, signal, socket, subprocess, sys, tempfile, time, urllib.error, urllib.request

from browser import Browser, Page, click, shown

belfry, web, config = sys.argv[1:]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
with open(config, "a") as file:
    file.write(f"\nweb: {{ listen: 127.0.0.1:{port} }}\n")
os.environ["BELFRY_CONFIG"] = config
url = f"http://127.0.0.1:{port}"
PATIENCE = 60


class Face:
    """The web face, which can be away for a while."""

    def start(self):
        self.process = subprocess.Popen([web], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until("the web face answers", self.answers)

    def answers(self):
        try:
            urllib.request.urlopen(f"{url}/healthz").close()
            return True
        except (urllib.error.URLError, ConnectionError):
            return False

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def until(what, holds):
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        if time.monotonic() > end:
            sys.exit(f"not within {PATIENCE} s: {what}")
        time.sleep(0.02)
    return found


def command(*words):
    return subprocess.run([belfry, *words], check=True, capture_output=True, text=True).stdout


def keys(page, text):
    for character in text:
        page.call("Input.dispatchKeyEvent", type="keyDown", text=character, key=character)
        page.call("Input.dispatchKeyEvent", type="keyUp", key=character)


def key(page, name, modifiers=0):
    page.call("Input.dispatchKeyEvent", type="rawKeyDown", key=name, modifiers=modifiers)
    page.call("Input.dispatchKeyEvent", type="keyUp", key=name, modifiers=modifiers)


READY = "navigator.serviceWorker.controller && document.querySelector('.who [data-made]')"
KEPT = """(async () => /Buy bread<[^]*Milk<[^]*Eggs</.test(await (await caches.match("/lists/1"))?.text()))()"""
AHEAD = """(async () => (await Promise.all(["/items/2", "/items/3", "/agenda"].map(path => caches.match(path))))
    .every(Boolean))()"""
ITEMS = "[...document.querySelectorAll('#items .brief')].map(link => link.textContent)"


def tell(step, page, start):
    print(json.dumps(dict(
        step=step, items=page.value(ITEMS) or [], notice=page.value("document.querySelector('#status').textContent"),
        path=page.value("location.pathname"), seconds=int(time.monotonic() - start))), flush=True)


def visit(page, face):
    command("add", "Milk", "-l", "Groceries", "--create")
    link = next(word for word in command("access", "link").split() if "/sign-in/" in word)
    page.open(link)
    page.press("Sign in")
    shown(page, READY)
    page.open(f"{url}/lists/1")
    shown(page, READY)
    start = time.monotonic()
    tell("signed in", page, start)

    keys(page, "n")
    page.call("Input.insertText", text="Buy bread tomorrow 9am")
    shown(page, "document.querySelector('form.line #echo')?.textContent.includes('09:00')")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r", windowsVirtualKeyCode=13)
    shown(page, f"{ITEMS}.includes('Buy bread') && document.querySelector('#f-line').value == ''")
    tell("added by words", page, start)

    page.call("Input.insertText", text="half")
    start = time.monotonic()
    command("add", "Eggs", "-l", "Groceries")
    shown(page, f"{ITEMS}.includes('Eggs')")
    tell("changed by a command", page, start)
    kept = page.value("document.activeElement.id + ' ' + document.activeElement.value")
    print(json.dumps(dict(step="what was typed is kept", text=kept)), flush=True)
    page.value("document.activeElement.blur()")

    start = time.monotonic()
    keys(page, "jj")
    key(page, "ArrowUp", modifiers=1)
    shown(page, f"{ITEMS}[0] == 'Buy bread'")
    tell("moved by keys", page, start)
    keys(page, "x")
    shown(page, f"!{ITEMS}.includes('Buy bread')")
    tell("checked by a key", page, start)
    keys(page, "z")
    shown(page, f"{ITEMS}.includes('Buy bread')")
    tell("undone by a key", page, start)
    keys(page, "?")
    shown(page, "document.querySelector('dialog[open] dl')")
    click(page, "dialog input")
    click(page, "dialog button")
    shown(page, "!document.querySelector('dialog')")
    keys(page, "n")
    focus = page.value("document.activeElement.id")
    print(json.dumps(dict(step="switched off", text=focus)), flush=True)

    command("list", "create", "Gone")
    page.open(f"{url}/lists/2")
    shown(page, READY)
    until("the list is kept", lambda: page.awaited("caches.match('/lists/2').then(Boolean)"))
    page.open(f"{url}/lists/1")
    shown(page, READY)
    until("the page is kept", lambda: page.awaited(KEPT))
    until("the pages ahead are kept", lambda: page.awaited(AHEAD))
    face.end()
    page.open(f"{url}/agenda")
    print(json.dumps(dict(step="the agenda offline", text=page.value("location.pathname"))), flush=True)
    page.open(f"{url}/lists/1")
    tell("read offline", page, start)
    click(page, "#i1 .check")
    shown(page, "document.querySelector('#i1.done') && document.querySelector('#status .notice:not(.copy)')")
    tell("checked offline", page, start)
    page.value("document.querySelector('#f-line').focus()")
    page.call("Input.insertText", text="Cheese")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r", windowsVirtualKeyCode=13)
    shown(page, "document.querySelector('#kept')?.innerText.includes('Add: Cheese')")
    tell("added offline", page, start)
    for number, text in ((2, "Rye bread"), (3, "Duck eggs")):
        page.open(f"{url}/items/{number}")
        page.value(f"""(() => {{
            const form = document.querySelector("form.item")
            form.elements.text.value = {json.dumps(text)}
            form.requestSubmit()
        }})()""")
        shown(page, f"document.querySelector('#kept')?.innerText.includes('Change: {text}')")
    tell("edited offline", page, start)
    page.open(f"{url}/lists/2")
    page.value("document.querySelector('#f-line').focus()")
    page.call("Input.insertText", text="Nuts tomorrow")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r", windowsVirtualKeyCode=13)
    shown(page, "document.querySelector('#kept')?.innerText.includes('Add: Nuts tomorrow')")
    page.open(f"{url}/lists/1")

    command("edit", "2", "--text", "White bread")
    command("list", "delete", "Gone", "--force")
    face.start()
    page.value("dispatchEvent(new Event('online'))")
    shown(page, "document.querySelector('#kept button')?.textContent == 'Choose what to keep'")
    kept = page.value("document.querySelector('#kept').innerText + document.activeElement.textContent")
    tell("told of the conflict", page, start)
    print(json.dumps(dict(step="what is left", text=kept)), flush=True)
    buttons = page.value("[...document.querySelectorAll('#kept button')].map(button => button.textContent)")
    print(json.dumps(dict(step="what can be done", buttons=buttons)), flush=True)
    # Out of reach again, right before the press.
    face.end()
    click(page, "#kept button")
    shown(page, "document.querySelector('#status')?.textContent.includes('cannot be reached')")
    print(json.dumps(dict(
        step="still kept", text=page.value("document.querySelector('#kept').innerText"))), flush=True)
    face.start()
    click(page, "#kept button")
    # The focus is moved once the page is there.
    shown(page, "document.querySelector('.choice') && document.activeElement.name")
    print(json.dumps(dict(step="to choose", text=page.value("document.activeElement.name"))), flush=True)
    page.open(f"{url}/lists/1")
    shown(page, f"{ITEMS}.includes('Cheese')")
    tell("sent later", page, start)
    click(page, "#kept button:last-child")
    shown(page, "!document.querySelector('#kept')")
    page.press("Sign out")
    left = page.awaited("""(async () => [
        (await caches.keys()).length, (await indexedDB.databases()).length,
        (await navigator.serviceWorker.getRegistrations()).length])()""")
    print(json.dumps(dict(step="signed out", left=left)), flush=True)


if __name__ == "__main__":
    face = Face()
    face.start()
    try:
        with tempfile.TemporaryDirectory(dir=os.getcwd(), ignore_cleanup_errors=True) as profile:
            with Browser(profile, []) as browser:
                visit(Page(browser), face)
    finally:
        face.end()

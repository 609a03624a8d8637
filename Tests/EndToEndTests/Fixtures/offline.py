"""A browser that loses its connection, whose changes count once, and that somebody leaves signed out.

usage: offline.py PROGRAMS    the folder of Belfry's programs
Each step becomes a line of JSON.
"""
import base64, json, sys, time

from browser import PATIENCE, shown
from face import walk
from flows import READY, ROWS, STATUS, signed_in, tell

KEPT = "document.querySelector('#kept')?.innerText"
# No change can be made until they are released.
BUSY = """(fetch => {
    window.fetch = async (path, how) => how?.method == "POST" ? new Response("", {status: 503}) : fetch(path, how)
    window.release = () => { window.fetch = fetch }
})(window.fetch)"""
LEFT = """(async () => {
    const db = await new Promise(done => indexedDB.open("belfry", 2).onsuccess = ({target}) => done(target.result))
    const kept = await new Promise(done =>
        db.transaction("kept").objectStore("kept").count().onsuccess = ({target}) => done(target.result))
    db.close()
    return [(await caches.keys()).length, kept, document.body.innerText]
})()"""


def fill(belfry):
    belfry("add", "Milk", "-l", "Groceries", "--create")
    belfry("add", "Bins", "-l", "Groceries", "--due", "2031-03-04 09:00", "--repeat", "every day")


def lose(page, act):
    """Has a reply lost on its way, after the server has carried out the request."""
    page.call("Fetch.enable", patterns=[{"urlPattern": "*/items*", "requestStage": "Response"}])
    page.take("Fetch.requestPaused")
    page.value(act)
    sent = page.until("it is sent", lambda: [
        each["requestId"] for each in page.take("Fetch.requestPaused") if each["request"]["method"] == "POST"])
    page.call("Fetch.failRequest", requestId=sent[0], errorReason="ConnectionReset")
    shown(page, KEPT)
    page.call("Fetch.disable")
    kept = page.value(KEPT)
    page.value("dispatchEvent(new Event('online'))")
    shown(page, f"!{KEPT}")
    return kept


def lead_astray(page, act):
    """Replies to one request as a proxy does that asks for its own sign-in."""
    page.call("Fetch.enable", patterns=[{"urlPattern": "*/items*", "requestStage": "Request"}])
    page.take("Fetch.requestPaused")
    page.value(act)
    sent = page.until("it is sent", lambda: [
        each["requestId"] for each in page.take("Fetch.requestPaused") if each["request"]["method"] == "POST"])
    own = base64.b64encode(b"<!doctype html><title>Proxy</title><main><p>Who are you?</p></main>").decode()
    page.call(
        "Fetch.fulfillRequest", requestId=sent[0], responseCode=200, body=own,
        responseHeaders=[{"name": "Content-Type", "value": "text/html"}, {"name": "ETag", "value": '"proxy"'}])
    page.call("Fetch.disable")
    shown(page, f"{KEPT} || document.body.innerText.includes('Who are you?')")
    kept = page.value(f"{KEPT} ?? document.body.innerText")
    page.value("dispatchEvent(new Event('online'))")
    shown(page, f"!{KEPT}")
    return kept


def edit(page, name, text):
    """Changes a field of an item's form, and sends it."""
    page.value(f"""(field => {{
        field.value = {json.dumps(text)}
        field.dispatchEvent(new Event("input", {{bubbles: true}}))
        field.form.requestSubmit()
    }})(document.querySelector("form.item [name={name}]"))""")


def edits(person):
    """Edits of one item that are kept: two of its text, and one of its notes in a form that shows neither."""
    page = person.page
    person.open("/items/1")
    shown(page, READY)
    page.value(BUSY)
    for name, text, kept in (
            ("text", "Cow's milk", "Cow"), ("text", "Goat's milk", "Goat"), ("notes", "1 litre", "Change: Milk")):
        if name == "notes":
            page.value("(form => form.outerHTML = form.outerHTML)(document.querySelector('form.item'))")
        edit(page, name, text)
        shown(page, f"{KEPT}?.includes({json.dumps(kept)})")
    lines = page.value("document.querySelectorAll('#kept li').length")
    page.value("window.release()")
    page.value("dispatchEvent(new Event('online'))")
    shown(page, f"!{KEPT} || document.querySelector('#kept .error')")
    item = next(each for each in json.loads(person.face.belfry("show", "--json")) if each["id"] == 1)
    tell("edited twice", lines=lines, text=item["text"], notes=item["notes"])
    person.face.belfry("edit", "1", "--text", "Milk", "--notes", "")


def items(face):
    shown = json.loads(face.belfry("show", "--json"))
    return dict(items=[item["text"] for item in shown], due=shown[0]["due_local"])


def visit(face, browser):
    person = signed_in(face, browser)
    page = person.page
    person.open("/lists/1")
    shown(page, READY)
    # As if Today had been left before it was kept.
    page.awaited("caches.keys().then(([name]) => caches.open(name)).then(cache => cache.delete('/'))")
    kept = lose(page, """(() => {
        const form = document.querySelector("form.quick")
        form.elements.line.value = "Bread"
        form.requestSubmit()
    })()""")
    tell("added once", kept=kept, **items(face))
    kept = lose(page, "document.querySelector('#i2 .check').click()")
    tell("checked once", kept=kept, **items(face))

    edits(person)
    person.open("/lists/1")
    shown(page, READY)
    kept = lead_astray(page, "document.querySelector('#i1 .check').click()")
    tell("checked past a proxy", kept=kept, **items(face))
    face.belfry("uncheck", "1")
    kept = lead_astray(page, """(() => {
        const form = document.querySelector("form.quick")
        form.elements.line.value = "Rice"
        form.requestSubmit()
    })()""")
    tell("added past a proxy", kept=kept, **items(face))

    # Half an hour later.
    face.belfry("edit", "1", "--text", "Oat milk")
    shown(page, f"{ROWS}.includes('Oat milk')")
    page.value("(now => Date.now = () => now() + 1800000)(Date.now), dispatchEvent(new Event('visibilitychange'))")
    face.belfry("add", "Eggs", "-l", "Groceries")
    end = time.monotonic() + PATIENCE
    while "Oat milk" not in (page.awaited("caches.match('/items/1').then(page => page?.text())") or ""):
        if time.monotonic() > end:
            sys.exit(f"not within {PATIENCE} s: the kept page of the item is the new one")
        time.sleep(0.05)
    tell("fetched again")

    face.end()
    person.open("/search?q=milk")
    shown(page, STATUS)
    tell("not kept", path=page.value("location.pathname + location.hash"), status=page.value(STATUS))
    person.open("/lists/1")
    shown(page, STATUS)
    tell("a copy", status=page.value(STATUS))
    page.value("document.querySelector('#f-line').value = 'Cheese'")
    page.value("document.querySelector('form.quick').requestSubmit()")
    shown(page, f"{KEPT}?.includes('Add: Cheese')")
    page.value("setTimeout(() => document.querySelector('form[action=\"/sign-out\"] button').click())")
    tell("asked", words=page.wait("Page.javascriptDialogOpening")[0]["message"])
    page.call("Page.handleJavaScriptDialog", accept=True)
    shown(page, "document.body.innerText.includes('Nothing of Belfry is left')")
    caches, kept, text = page.awaited(LEFT)
    tell("signed out", left=[caches, kept], text=text)


if __name__ == "__main__":
    walk(visit, fill)

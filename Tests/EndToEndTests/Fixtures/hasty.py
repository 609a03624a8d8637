"""A person at the pages of the web face who is quicker than the network.

usage: hasty.py FOLDER    the folder of the programs
Each step becomes a line of JSON: its name, and what is then so.
"""
import json

from browser import key, shown
from face import walk
from flows import READY, ROWS, STATUS, signed_in, tell
from offline import BUSY, KEPT
from phone import STILL, requests

LINE = "document.querySelector('#f-line').value"
# The next change is on its way until it is released.
HOLD = """(fetch => window.fetch = (path, how) => how?.method != "POST" ? fetch(path, how)
    : new Promise(send => window.release = () => {
        window.fetch = fetch
        send(fetch(path, how))
    }))(window.fetch) && 0"""
# The reply to the next change is there, and comes once it is released.
SLOW = """(fetch => window.fetch = async (path, how) => {
    const reply = await fetch(path, how)
    if (how?.method == "POST") await new Promise(come => window.release = () => {
        window.fetch = fetch
        come()
    })
    return reply
})(window.fetch) && 0"""

DUST = "document.querySelector('#i2').matches('.done')"

# The line "tea" has no reply, however often it is sent, until `window.release()`. Requests are given up by
# `window.giveUp()`.
HUNG = """(fetch => {
    const given = []
    AbortSignal.timeout = () => {
        given.push(new AbortController())
        return given.at(-1).signal
    }
    window.giveUp = () => given.forEach(each => each.abort())
    window.fetch = (path, how) => !String(how?.body).includes("line=tea") ? fetch(path, how) : new Promise((_, fail) =>
        how.signal.addEventListener("abort", () => fail(how.signal.reason)))
    window.release = () => {
        window.fetch = fetch
        window.giveUp()
    }
})(window.fetch)"""


# The parts of the page that are fetched next have their replies, and come only once they are released.
LATE = """(fetch => window.fetch = async (path, how) => {
    const reply = await fetch(path, how)
    if (how?.headers?.Fragment && how.method != "POST") await new Promise(come => window.release = () => {
        window.fetch = fetch
        window.release = null
        come()
    })
    return reply
})(window.fetch) && 0"""
# Notes whether an expression is true at any moment from now on.
NOTE = """window.noted = false
new MutationObserver(() => window.noted ||= %s).observe(document.querySelector("#main"), {childList: true, subtree: true})"""


def fill(belfry):
    belfry("add", "-", "-l", "Home", "--create", lines=["Sweep", "Dust", "Mop", "Iron"])
    belfry("list", "create", "Shop")
    belfry("list", "create", "Gone")


def texts(face, name):
    return [each["text"] for each in json.loads(face.belfry("show", "-l", name, "--json"))]


def slow(page, milliseconds):
    page.call("Network.enable")
    page.call("Network.emulateNetworkConditions", offline=False, latency=milliseconds, downloadThroughput=-1,
              uploadThroughput=-1)


def keys(page, text):
    for character in text:
        key(page, character, text=character)


def enter(page):
    key(page, "Enter", text="\r", code=13)


def lines(person):
    """Lines that are typed while others are being sent."""
    page = person.page
    person.open("/lists/2")
    shown(page, READY)
    slow(page, 300)
    page.value("document.querySelector('#f-line').focus()")
    for line in ("eggs", "flour", "sugar", "butter"):
        keys(page, line)
        enter(page)
        enter(page)
    keys(page, "half")
    shown(page, f"{STATUS}?.includes('butter')")
    tell("typed quickly", items=texts(person.face, "Shop"), left=page.value(LINE), path=page.value("location.pathname"))
    page.value(f"{LINE} = ''")
    keys(page, "salt")
    page.value("(button => { button.click(); button.click() })(document.querySelector('.quick button.main'))")
    shown(page, f"{STATUS}?.includes('salt')")
    tell("pressed twice", items=texts(person.face, "Shop"))


def refused(person):
    """Lines for a list that is gone."""
    page = person.page
    person.open("/lists/3")
    shown(page, READY)
    person.face.belfry("list", "delete", "Gone", "--force")
    shown(page, f"{STATUS}?.includes('no longer there')")
    page.value("document.querySelector('#f-line').focus()")
    page.value(HOLD)
    keys(page, "why")
    enter(page)
    # The place of the refused line is taken, so it is kept.
    keys(page, "next")
    page.value("window.release()")
    shown(page, "document.querySelector('#kept')")
    tell("refused", left=page.value(LINE), kept=page.value("document.querySelector('#kept').innerText"),
         status=page.value(STATUS))
    person.press("Discard")
    shown(page, "!document.querySelector('#kept')")
    page.value("document.querySelector('#f-line').focus()")
    enter(page)
    shown(page, f"{LINE} == 'next'")
    tell("put back", status=page.value(STATUS), focus=page.value("document.activeElement.id"))


def undone(person):
    """Each press undoes one change, also if its reply is lost."""
    page = person.page
    person.open("/lists/1")
    shown(page, READY)
    slow(page, 300)
    page.value("document.querySelector('#t1').focus()")
    for _ in range(3):
        page.call("Input.dispatchKeyEvent", type="rawKeyDown", key="ArrowDown", modifiers=1)
    shown(page, f"{ROWS}.indexOf('Sweep') == 3")
    tell("moved three times", rows=texts(person.face, "Home"))
    keys(page, "zz")
    shown(page, f"{ROWS}.indexOf('Sweep') == 1")
    tell("undone twice", rows=texts(person.face, "Home"), status=page.value(STATUS))
    slow(page, 0)
    # The first undo arrives, and its reply is lost.
    page.value("""(fetch => window.fetch = async (path, how) => {
        const reply = await fetch(path, how)
        if (how?.method != "POST") return reply
        window.fetch = fetch
        throw new TypeError("the reply is lost")
    })(window.fetch) && 0""")
    keys(page, "z")
    shown(page, f"{STATUS}?.includes('cannot be reached')")
    keys(page, "z")
    shown(page, f"{STATUS}?.includes('Undone')")
    tell("undone past a lost reply", rows=texts(person.face, "Home"), items=texts(person.face, "Shop"))


def several(person):
    """The choice of several items by keys."""
    page = person.page
    person.open("/lists/2?choose=several")
    shown(page, READY)
    focus = page.value("document.activeElement.name")
    person.press("Check")
    shown(page, f"{STATUS}?.includes('Choose at least one')")
    path = page.value("location.pathname + location.search")
    page.value("document.querySelector('.choose input').focus()")
    keys(page, "xjx")
    chosen = page.value("document.querySelectorAll('.choose input:checked').length")
    person.press("Check")
    shown(page, f"!location.search && {STATUS}?.includes('Checked')")
    tell("several", focus=focus, path=path, chosen=chosen, status=page.value(STATUS), items=texts(person.face, "Shop"))
    person.open("/lists/2?choose=several")
    shown(page, READY)
    key(page, "Escape", code=27)
    shown(page, "location.search == '' && document.querySelector('.quick')")
    tell("left the choice")


def busy(person):
    """A check that the server cannot take now is kept, not undone in place of the change before, and sent later."""
    page = person.page
    person.open("/lists/1")
    shown(page, READY)
    page.value(BUSY)
    page.value("document.querySelector('#t2').focus()")
    keys(page, "x")
    shown(page, KEPT)
    keys(page, "z")
    shown(page, f"{STATUS}?.includes('First send or discard')")
    tell("kept", kept=page.value(KEPT), items=texts(person.face, "Home"))
    # The server shows its rows anew, and knows nothing of the check.
    person.face.belfry("edit", "4", "--text", "Ironing")
    shown(page, f"{ROWS}.includes('Ironing')")
    refreshed = page.value(DUST)
    person.face.belfry("edit", "4", "--text", "Iron")
    shown(page, f"{ROWS}.includes('Iron')")
    person.press("Discard")
    shown(page, f"!{KEPT}")
    tell("discarded", refreshed=refreshed, left=page.value(DUST))
    page.value("document.querySelector('#t2').focus()")
    keys(page, "x")
    shown(page, KEPT)
    # A press after it goes after it.
    keys(page, "x")
    shown(page, f"{KEPT}?.includes('Uncheck: Dust')")
    page.value("window.release()")
    page.value("dispatchEvent(new Event('online'))")
    shown(page, f"!{KEPT} && {STATUS}?.includes('were sent') && {ROWS}.includes('Dust')")
    tell("unchecked while kept", items=texts(person.face, "Home"))
    page.value(BUSY)
    page.value("document.querySelector('#t2').focus()")
    keys(page, "x")
    shown(page, KEPT)
    page.value("window.release()")
    # What is kept is sent as each minute.
    page.value("dispatchEvent(new Event('online'))")
    shown(page, f"!{KEPT} && {STATUS}?.includes('was sent') && !{ROWS}.includes('Dust')")
    tell("sent later", items=texts(person.face, "Home"))


def changed_again(person):
    """An item that is undone, or unchecked again, before its check has a reply."""
    page = person.page
    person.open("/lists/1")
    shown(page, READY)
    # A minute that begins now would bring the rows up to date.
    page.value(STILL)
    for name, pressed, word in (("undone", "xz", "Undone"), ("unchecked", "xx", "Unchecked")):
        page.value(HOLD)
        page.value("document.querySelector('#t3').focus()")
        keys(page, pressed)
        page.value("window.release()")
        shown(page, f"{STATUS}?.includes('{word}')")
        leaving = page.value("document.querySelectorAll('#items .leaving').length")
        tell(f"{name} before the reply", leaving=leaving, rows=page.value(ROWS), items=texts(person.face, "Home"))


def late(person):
    """Rows that were fetched before a press and come after its reply."""
    page = person.page
    person.open("/lists/1")
    shown(page, READY)
    for name, text, focus, pressed, is_done, is_undone in (
            ("added", "Irons", "#f-line", "Wash\r", f"{ROWS}.includes('Wash')", f"!{ROWS}.includes('Wash')"),
            ("checked", "Iron", "#t3", "x", f"!{ROWS}.includes('Mop')", f"{ROWS}.includes('Mop')")):
        page.value(STILL)
        page.value(LATE)
        person.face.belfry("edit", "4", "--text", text)
        shown(page, "window.release")
        page.value(f"document.querySelector('{focus}').focus()")
        for character in pressed:
            enter(page) if character == "\r" else keys(page, character)
        shown(page, is_done)
        page.value(NOTE % is_undone)
        page.value("window.release()")
        # Parts are fetched one after another.
        shown(page, f"{ROWS}.includes('{text}')")
        tell(f"{name} before rows came", noted=page.value("window.noted"), rows=page.value(ROWS))


def heard(person):
    """One's own change is not fetched again, also if its event comes before its reply."""
    page = person.page
    person.open("/lists/2")
    shown(page, READY)
    page.value(STILL)
    page.value(SLOW)
    page.call("Network.enable")
    page.value("document.querySelector('#f-line').focus()")
    keys(page, "figs")
    requests(page)
    page.take("Network.eventSourceMessageReceived")
    enter(page)
    page.wait("Network.eventSourceMessageReceived")
    shown(page, "window.release")
    page.value("window.release()")
    shown(page, f"{ROWS}.includes('figs')")
    # What is asked for after this one was asked for after that.
    person.face.belfry("add", "dates", "-l", "Shop")
    shown(page, f"{ROWS}.includes('dates')")
    tell("heard before the reply", requests=requests(page))
    page.call("Network.disable")


def hung(person):
    """A change that has no reply is kept once it is given up, and holds back none of those after it."""
    page = person.page
    person.open("/lists/2")
    shown(page, READY)
    page.value(HUNG)
    page.value("document.querySelector('#f-line').focus()")
    for line in ("tea", "oil"):
        keys(page, line)
        enter(page)
    page.value("window.giveUp()")
    shown(page, f"{ROWS}.includes('oil') && {KEPT}?.includes('Add: tea')")
    page.value("window.release()")
    page.value("dispatchEvent(new Event('online'))")
    shown(page, f"{ROWS}.includes('tea') && !{KEPT}")
    tell("given up", items=texts(person.face, "Shop"))


def visit(face, browser):
    person = signed_in(face, browser)
    lines(person)
    refused(person)
    undone(person)
    several(person)
    busy(person)
    changed_again(person)
    late(person)
    heard(person)
    hung(person)


if __name__ == "__main__":
    walk(visit, fill)

"""Somebody who uses the keys alone: where the focus goes, and what an undo says.

usage: keyboard.py FOLDER    the folder of the programs
Each step becomes a line of JSON.
"""
from browser import key, shown
from face import walk
from flows import READY, STATUS, signed_in, tell
from hasty import keys
from offline import BUSY, KEPT

FOCUS = "document.activeElement.closest('li')?.querySelector('.brief').textContent ?? document.activeElement.tagName"
NAMES = "[...document.querySelectorAll('#kept button')].map(button => button.ariaLabel ?? button.textContent)"
CHOOSING = f"location.search == '?choose=several' && {READY}"
# The pages ahead are fetched one after the other: the next one after a second without any is the end.
SETTLED = """new Promise(done => {
    const settle = () => setTimeout(done, 1500)
    let timer = settle()
    new PerformanceObserver(() => {
        clearTimeout(timer)
        timer = settle()
    }).observe({type: "resource"})
})"""
TEXT = "document.querySelector('%s').value"


def fill(belfry):
    late = [f"Late {number}" for number in range(1, 9)]
    belfry("add", "-", "-l", "Home", "--create", "--due", "yesterday 9:00", lines=late)
    belfry("add", "Soon", "-l", "Home", "--due", "tomorrow 9:00")


def passed(page, presses):
    """The rows that have the focus, one after the other."""
    rows = []
    for _ in range(presses):
        key(page, "j", "j")
        rows.append(page.value(FOCUS))
    return rows


def rows(person):
    """Keys pass over rows that are folded away, and reach them once they are unfolded."""
    page = person.page
    person.open("/")
    shown(page, READY)
    folded = passed(page, 7)
    page.value("document.querySelector('.fold').open = true; document.activeElement.blur()")
    tell("by keys", folded=folded, unfolded=passed(page, 9))
    key(page, "v", "v")
    shown(page, CHOOSING)
    tell("choosing by keys", folded=passed(page, 6))


def fetched_ahead(person):
    """While several rows are chosen, nothing is fetched that is not there."""
    page = person.page
    page.call("Network.enable")
    page.take("Network.responseReceived")
    person.open("/lists/1?choose=several")
    shown(page, CHOOSING)
    # The list of all lists is fetched before the rows are.
    page.awaited(SETTLED)
    replies = [each["response"] for each in page.take("Network.responseReceived")]
    tell("fetched ahead", missing=[each["url"] for each in replies if each["status"] == 404])
    page.call("Network.disable")


def discard(person):
    """After a kept change is discarded, the focus is on the next one, and each button names its change."""
    page = person.page
    person.open("/lists/1")
    shown(page, READY)
    page.value(BUSY)
    for number in (1, 2):
        page.value(f"document.querySelector('#t{number}').focus()")
        key(page, "x", "x")
        shown(page, f"{KEPT}?.includes('Check: Late {number}')")
    names = page.value(NAMES)
    page.value("document.querySelector('#kept button').focus()")
    focus = []
    for left in (1, 0):
        key(page, "Enter", "\r", 13)
        shown(page, f"document.querySelectorAll('#kept li').length == {left}")
        focus.append(page.value("document.activeElement.ariaLabel ?? document.activeElement.id"))
    page.value("window.release()")
    tell("discarded", names=names, focus=focus)


def escape(person):
    """Escape leaves a field for the keys, and what was typed stays."""
    page = person.page
    told = []
    for path, field in (("/lists/1", "#f-line"), ("/search?q=late", ".bar [name=q]"), ("/items/1", "#f-text")):
        person.open(path)
        shown(page, READY)
        page.value(f"""(field => {{
            for (let fold = field.closest("details"); fold; fold = fold.parentNode.closest("details")) fold.open = true
            field.focus()
        }})(document.querySelector("{field}"))""")
        page.call("Input.insertText", text="!")
        typed = page.value(TEXT % field)
        key(page, "Escape", code=27)
        told.append([page.value("document.activeElement.id"), "!" in typed and page.value(TEXT % field) == typed])
    tell("escaped", told=told)


def edit(person):
    """The key of a row leads into its form."""
    page = person.page
    person.open("/lists/1")
    shown(page, READY)
    page.value("document.querySelector('#t3').focus()")
    key(page, "e", "e")
    shown(page, "document.activeElement.id == 'f-text'")
    tell("edited", path=page.value("location.pathname"))


def undo(person):
    """An undo says what it took back, also in a page that shows nothing of it."""
    page = person.page
    said = []
    person.open("/lists/1")
    shown(page, READY)
    page.value("document.querySelector('#f-line').focus()")
    for line in ("Buy milk", "Bread"):
        page.call("Input.insertText", text=line)
        key(page, "Enter", "\r", 13)
        shown(page, f"{STATUS}?.includes('{line}')")
    page.value("document.querySelector('#t3').focus()")
    key(page, "x", "x")
    shown(page, f"{STATUS}?.includes('Checked')")
    person.open("/deliveries")
    shown(page, READY)
    for word in ("checked", "Bread", "Buy milk"):
        keys(page, "z")
        shown(page, f"{STATUS}?.includes('{word}')")
        said.append(page.value(STATUS))
    tell("undone", said=said)


def visit(face, browser):
    person = signed_in(face, browser)
    rows(person)
    fetched_ahead(person)
    discard(person)
    escape(person)
    edit(person)
    undo(person)


if __name__ == "__main__":
    walk(visit, fill)

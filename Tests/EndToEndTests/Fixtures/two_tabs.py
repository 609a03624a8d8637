"""Somebody with two tabs: what one changes the other follows, and the notice of a change is shown once.

usage: two_tabs.py FOLDER    the folder of the programs
Each step becomes a line of JSON.
"""
from browser import key, shown
from face import walk
from flows import READY, STATUS, Person, signed_in, tell
from phone import STILL, requests

ADDRESS = "location.pathname + location.search"
HEADING = "document.querySelector('h1[dir]')"
HEIGHT = f"getComputedStyle({HEADING}).fontSize"
# What can be pressed about the item.
USABLE = """[...document.querySelectorAll("main button, main a.button")]
    .filter(each => !each.closest("#status") && !each.disabled && !each.inert).length"""
FIELD = "document.querySelector('form.item [name=%s]')"


def fill(belfry):
    belfry("add", "-", "-l", "Home", "--create", lines=["Sweep", "Dust", "Mop", "Iron"])


def notice(person, other):
    """The notice that an address names is shown once, and its undo is of that change alone."""
    page = person.page
    person.open("/items/1/delete")
    shown(page, READY)
    person.press("Delete")
    shown(page, f"{STATUS}?.includes('Deleted: Sweep') && {READY}")
    address = page.value(ADDRESS)
    other.open("/lists/1")
    shown(other.page, READY)
    other.click("#i2 .check")
    shown(other.page, f"{STATUS}?.includes('Checked: Dust')")
    person.open("/items/3")
    shown(page, READY)
    page.call("Page.navigateToHistoryEntry", entryId=page.call("Page.getNavigationHistory")["entries"][-2]["id"])
    shown(page, f"location.pathname == '/lists/1' && {READY}")
    tell("back", address=address, status=page.value(STATUS))
    other.close()
    # The undo is of the last change, and says of which.
    key(page, "z", "z")
    shown(page, f"{STATUS}?.includes('Undone')")
    tell("undone", status=page.value(STATUS))


def gone(person):
    """A deleted item takes one request, keeps its look, can be pressed no more, and comes back by an undo."""
    page = person.page
    person.open("/items/4")
    shown(page, READY)
    page.value(STILL)
    before = page.value(HEIGHT), page.value(USABLE) > 0
    page.call("Network.enable")
    requests(page)
    person.face.belfry("delete", "4")
    shown(page, f"{STATUS}?.includes('no longer there')")
    tell("gone", requests=requests(page), before=before, after=[page.value(HEIGHT), page.value(USABLE) > 0])
    person.face.belfry("undo")
    shown(page, f"!{STATUS} && {USABLE} > 0")
    tell("back again", heading=page.value(f"{HEADING}.textContent"))
    page.call("Network.disable")


def renamed(person):
    """A form in which nothing was typed follows the item, and one with typed text keeps it."""
    page = person.page
    person.open("/items/3")
    shown(page, READY)
    person.face.belfry("edit", "3", "--text", "Mop the hall")
    shown(page, f"{HEADING}.textContent == 'Mop the hall'")
    shown(page, f"{FIELD % 'text'}.value == 'Mop the hall'")
    page.value("document.querySelector('details.edit').open = true")
    person.fill("form.item", {"text": "Mop the stairs"})
    page.value("document.querySelector('form.item button.main').focus()")
    key(page, "Enter", "\r", 13)
    shown(page, f"{STATUS}?.includes('Saved') || document.querySelector('.faults')")
    tell("saved", status=page.value(STATUS), heading=page.value(f"{HEADING}.textContent"))
    tell("folded", open=page.value("document.querySelector('details.edit').open"),
         focus=page.value("document.activeElement.tagName"))
    person.fill("form.item", {"notes": "half"})
    person.face.belfry("edit", "3", "--text", "Mop all")
    shown(page, f"{HEADING}.textContent == 'Mop all'")
    tell("half typed", notes=page.value(f"{FIELD % 'notes'}.value"), text=page.value(f"{FIELD % 'text'}.value"))


def visit(face, browser):
    person = signed_in(face, browser)
    notice(person, Person(face, browser))
    gone(person)
    renamed(person)


if __name__ == "__main__":
    walk(visit, fill)

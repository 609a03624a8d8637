"""Somebody who types on while a form is saved: what stays in its fields, and what is saved.

usage: saving.py FOLDER    the folder of the programs
Each step becomes a line of JSON: its name, and what is then so.
"""
import json

from browser import key, shown
from face import walk
from flows import READY, STATUS, signed_in, tell
from hasty import HOLD, keys
from leaving import button, leave, link

# The next form is on its way until it is released; what is asked about its time meanwhile is not held.
HELD = HOLD.replace('how?.method != "POST"', 'how?.method != "POST" || how.headers.Fragment')
# The field with the focus, what is in it, and where the caret is.
TYPED = "(({id, value, selectionStart}) => [id, value, selectionStart])(document.activeElement)"


def fill(belfry):
    belfry("add", "-", "-l", "Home", "--create", lines=["Sweep", "Dust"])


def begin(person, name, text):
    """Types into a field of an item's form in place of what is in it."""
    person.open("/items/1")
    shown(person.page, READY)
    person.page.value(f"document.querySelector('details.edit').open = true; document.querySelector('#f-{name}').select()")
    keys(person.page, text)


def save(page):
    """Sends the form; the reply comes once it is released."""
    page.value(HELD)
    page.value(f"{button('Save')}.click()")


def release(page, words):
    page.value("window.release()")
    shown(page, f"{STATUS}?.includes({json.dumps(words)})")


def notes(person):
    return json.loads(person.face.belfry("show", "--json"))[0]["notes"]


def saved(person):
    page = person.page
    begin(person, "notes", "one")
    save(page)
    keys(page, " two")
    key(page, "ArrowLeft", code=37)
    release(page, "Saved")
    tell("saved", typed=page.value(TYPED), notes=notes(person), question=leave(page, link("/lists"), stays=True))
    save(page)
    keys(page, "!")
    # The second press waits for the first.
    page.value(f"{button('Save')}.click()")
    page.value("window.release()")
    shown(page, "!document.querySelector('details.edit').open")
    tell("saved twice", notes=notes(person), question=leave(page, link("/lists")))


def refused(person):
    page = person.page
    begin(person, "due", "no day")
    save(page)
    keys(page, " or so")
    release(page, "error")
    tell("refused", typed=page.value(TYPED))
    begin(person, "text", "Clean")
    person.face.belfry("edit", "1", "--text", "Wipe")
    save(page)
    keys(page, " it")
    key(page, "ArrowLeft", code=37)
    release(page, "changed after")
    tell("changed elsewhere", typed=page.value(TYPED), choices=page.value("document.querySelectorAll('.choice').length"))


def made(person):
    page = person.page
    person.open("/lists")
    shown(page, READY)
    page.value("document.querySelector('#f-name').focus()")
    keys(page, "Shop")
    page.value(HELD)
    page.value("document.querySelector('form.line').requestSubmit()")
    page.value("document.querySelector('#f-name').select()")
    keys(page, "Garden")
    page.take("Page.javascriptDialogOpening")
    page.value("window.release()")
    # The reply leads to the list.
    question = page.wait("Page.javascriptDialogOpening")[0]["type"]
    page.call("Page.handleJavaScriptDialog", accept=False)
    tell("made", typed=page.value(TYPED), question=question)


def visit(face, browser):
    person = signed_in(face, browser)
    saved(person)
    refused(person)
    made(person)


if __name__ == "__main__":
    walk(visit, fill)

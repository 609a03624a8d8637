"""Somebody who leaves pages on which something was typed: what is asked, and what is kept.

usage: leaving.py FOLDER    the folder of the programs
Each step becomes a line of JSON: its name, the question if one was asked, and what is then so.
"""
import json

from browser import key, shown
from face import walk
from flows import READY, STATUS, signed_in, tell
from hasty import LINE, enter, keys

NOTES = "document.querySelector('form.item [name=notes]')"


def fill(belfry):
    belfry("add", "-", "-l", "Home", "--create", lines=["Sweep", "Dust"])


def leave(page, element, stays=False):
    """Presses an element that leads away, and gives the kind of the question that is asked, if one is.

    The answer to the question is to leave, or to stay.
    """
    page.take("Page.frameNavigated")
    # A question stops all scripts, also one that presses.
    page.value(f"setTimeout(() => {element}.click()) && 0")
    told = page.until(
        "the page is left", lambda: page.take("Page.javascriptDialogOpening") or page.take("Page.frameNavigated"))
    if "message" not in told[0]:
        return None
    page.call("Page.handleJavaScriptDialog", accept=not stays)
    if not stays:
        page.wait("Page.frameNavigated")
    return told[0]["type"]


def link(path):
    return f"document.querySelector('a[href=\"{path}\"]')"


def button(words):
    return f"[...document.querySelectorAll('main button')].find(each => each.textContent == {json.dumps(words)})"


def open_notes(person):
    person.open("/items/1")
    shown(person.page, READY)
    person.page.value(f"document.querySelector('details.edit').open = true; {NOTES}.focus()")


def line(person):
    page = person.page
    person.open("/lists/1")
    shown(page, READY)
    page.value("document.querySelector('#f-line').focus()")
    keys(page, "te")
    question = leave(page, link("/lists"), stays=True)
    tell("a half-typed line", question=question, path=page.value("location.pathname"), left=page.value(LINE))
    for _ in range(2):
        key(page, "Backspace", code=8)
    tell("an emptied line", question=leave(page, link("/lists")))
    person.open("/lists/1")
    shown(page, READY)
    page.value("document.querySelector('#f-line').focus()")
    keys(page, "tea")
    enter(page)
    shown(page, f"{STATUS}?.includes('tea')")
    tell("an added line", question=leave(page, link("/lists")))


def notes(person):
    page = person.page
    open_notes(person)
    keys(page, "half")
    page.value(f"{button('Show when it rings')}.click()")
    shown(page, "document.querySelector('form.item .echo')")
    tell("a form that was only looked at", question=leave(page, link("/lists")))
    open_notes(person)
    keys(page, "whole")
    page.value(f"{button('Save')}.click()")
    shown(page, f"{STATUS}?.includes('Saved')")
    tell("a saved form", question=leave(page, link("/lists")))


def elsewhere(person):
    """A form whose reply is another page, and a sign-out."""
    page = person.page
    person.open("/access")
    shown(page, READY)
    page.value("document.querySelector('form[action=\"/access/tokens\"] [name=name]').focus()")
    keys(page, "phone")
    tell("a form that leads away", question=leave(
        page, "document.querySelector('form[action=\"/access/tokens\"] button')"))
    open_notes(person)
    keys(page, "more")
    question = leave(page, "document.querySelector('form[action=\"/sign-out\"] button')")
    shown(page, "document.body.innerText.includes('Signed out')")
    tell("a sign-out", question=question)


def visit(face, browser):
    person = signed_in(face, browser)
    line(person)
    notes(person)
    elsewhere(person)


if __name__ == "__main__":
    walk(visit, fill)

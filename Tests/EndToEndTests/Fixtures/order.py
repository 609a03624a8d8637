"""Somebody puts rows in another order, with a mouse and with a finger.

usage: order.py PROGRAMS    the folder of Belfry's programs
Each step becomes a line of JSON.
"""
import json

from browser import place, shown
from face import walk
from flows import READY, ROWS, STATUS, signed_in, tell


def fill(belfry):
    belfry("add", "-", "-l", "Home", "--create", lines=["Sweep", "Dust", "Mop", "Iron"])
    belfry("add", "Milk", "-l", "Groceries", "--create")


def order(face):
    return [item["text"] for item in json.loads(face.belfry("show", "-l", "Home", "--json"))]


# What Chromium reports of a drag; a drag that its debugger makes loses events on a busy machine.
DRAG = """(([query, onto, isBelow]) => {
    const row = document.querySelector(query), place = document.querySelector(onto)
    const {top, bottom} = place.getBoundingClientRect()
    const dataTransfer = new DataTransfer()
    const report = (kind, target) => target.dispatchEvent(new DragEvent(
        kind, {bubbles: true, cancelable: true, clientY: isBelow ? bottom - 2 : top + 2, dataTransfer}))
    row.dispatchEvent(new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse"}))
    report("dragstart", row.querySelector("a"))
    const isRefused = report("dragover", place)
    Object.defineProperty(dataTransfer, "dropEffect", {value: isRefused ? "none" : "move"})
    report("drop", row)
    report("dragend", row)
})(%s)"""


def drag(page, query, onto, below=False):
    """Takes a row up as a mouse does, and lets it go on the upper or lower half of another."""
    page.value(DRAG % json.dumps([query, onto, below]))


def carry(page, query, onto):
    """Rests a finger on a row, and lets it go on the lower half of another."""
    start, end = place(page, query), place(page, onto)
    page.call("Emulation.setTouchEmulationEnabled", enabled=True)
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[start])
    shown(page, "document.querySelector('.lifted')")
    for each, below in ((start, 20), (end, 0), (end, 8)):
        page.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[dict(each, y=each["y"] + below)])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def visit(face, browser):
    person = signed_in(face, browser)
    page = person.page
    page.call("Log.enable")
    person.open("/lists/1")
    shown(page, READY)
    drag(page, "#i1", "#i3", below=True)
    shown(page, f"{STATUS}?.includes('Moved: Sweep')")
    tell("moved by mouse", rows=page.value(ROWS), order=order(face))
    drag(page, "#i4", "#i2")
    shown(page, f"{STATUS}?.includes('Moved: Iron')")
    tell("moved up by mouse", rows=page.value(ROWS), order=order(face))
    carry(page, "#i2", "#i1")
    shown(page, f"{STATUS}?.includes('Moved: Dust')")
    tell("moved by finger", rows=page.value(ROWS), order=order(face), path=page.value("location.pathname"),
         errors=[each["entry"]["text"] for each in page.take("Log.entryAdded")])
    person.open("/lists")
    shown(page, READY)
    drag(page, "#l2", "#l1")
    shown(page, f"{STATUS}?.includes('Moved')")
    tell("a list moved", order=[each["name"] for each in json.loads(face.belfry("lists", "--json"))])


if __name__ == "__main__":
    walk(visit, fill)

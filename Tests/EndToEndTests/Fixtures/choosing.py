"""Somebody changes several rows at once, by keys and with a finger.

usage: choosing.py FOLDER    the folder of the programs
Each step becomes a line of JSON.
"""
import json

from browser import key, place, shown, touch
from face import walk
from flows import READY, STATUS, signed_in, tell
from phone import screen

CHOOSING = f"location.search == '?choose=several' && {READY}"
CHOSEN = """[...document.querySelectorAll(".choose input:checked")]
    .map(box => document.querySelector("#t" + box.value).textContent)"""
# Notes how many boxes there are at most from now on.
WATCH = """window.boxes = 0
new MutationObserver(() => window.boxes = Math.max(boxes, document.querySelectorAll(".choose input").length))
    .observe(document.querySelector("#main"), {childList: true, subtree: true})"""


def fill(belfry):
    belfry("add", "-", "-l", "Home", "--create", "--due", "in 2 minutes", lines=["Sweep", "Dust", "Mop", "Iron"],
           clock="-5m")
    belfry("add", "Milk", "-l", "Groceries", "--create")
    belfry("--once", program="belfryd")


def dues(face):
    return {item["text"]: item.get("due_local") for item in json.loads(face.belfry("show", "--all", "--json"))}


def by_keys(person):
    page = person.page
    person.open("/")
    shown(page, READY)
    key(page, "v", "v")
    shown(page, CHOOSING)
    for name in "xjjx":
        key(page, name, name)
    chosen = page.value(CHOSEN)
    before = dues(person.face)
    page.value("window.isSame = true")
    # The rows are being fetched while the choice ends, and come afterwards.
    page.call("Fetch.enable", patterns=[{"urlPattern": "*choose=several*", "requestStage": "Response"}])
    person.face.belfry("edit", "4", "--priority", "high")
    held = page.until("the rows are fetched", lambda: page.take("Fetch.requestPaused"))
    page.value("document.querySelector('.several [value=tomorrow]').focus()")
    key(page, "Enter", "\r", 13)
    shown(page, f"!location.search && {STATUS}?.includes('Postponed') && {READY}")
    page.value(WATCH)
    for each in held:
        page.call("Fetch.continueRequest", requestId=each["requestId"])
    page.call("Fetch.disable")
    # They are fetched one after another.
    person.face.belfry("edit", "4", "--text", "Iron shirts")
    shown(page, "document.body.textContent.includes('Iron shirts')")
    after = dues(person.face)
    changed = [text for text in before if before[text] != after.get(text, before[text])]
    tell("postponed by keys", chosen=chosen, changed=changed,
         focus=page.value("document.activeElement.textContent"), same=page.value("Boolean(window.isSame)"),
         boxes=page.value("window.boxes"))
    key(page, "z", "z")
    shown(page, f"{STATUS}?.includes('Undone')")
    tell("undone", same=[dues(person.face)[text] == before[text] for text in chosen])
    key(page, "v", "v")
    shown(page, CHOOSING)
    key(page, "v", "v")
    shown(page, f"!location.search && {READY}")
    tell("left", path=page.value("location.pathname"))


def tap(page, query):
    page.value(f"document.querySelector({json.dumps(query)}).scrollIntoView({{block: 'center'}})")
    touch(page, **place(page, query))


def by_finger(person):
    page = person.page
    screen(page, 390, 844)
    person.open("/lists/1?choose=several")
    shown(page, CHOOSING)
    # The text chooses as well as the box.
    tap(page, "#t2")
    tap(page, "#c3")
    shown(page, f"{CHOSEN}.length == 2")
    chosen = page.value(CHOSEN)
    tap(page, ".several [value=snooze]")
    shown(page, f"!location.search && {STATUS}?.includes('Snoozed')")
    pending = json.loads(person.face.belfry("pending", "--json"))
    tell("snoozed by finger", chosen=chosen, ring=sorted(each["text"] for each in pending))
    for step, path, query in (
            ("moved by finger", "/lists/1", "[value=move]"), ("checked by finger", "/lists/2", "[value=check]")):
        person.open(f"{path}?choose=several")
        shown(page, CHOOSING)
        tap(page, "#t2")
        tap(page, "#t3")
        shown(page, f"{CHOSEN}.length == 2")
        tap(page, f".several {query}")
        shown(page, f"!location.search && document.querySelector('#status .notice') && {READY}")
        items = json.loads(person.face.belfry("show", "--all", "--json"))
        tell(step, there=sorted(each["text"] for each in items if each["list"] == "Groceries"),
             done=sorted(each["text"] for each in items if each["is_checked"]))


def visit(face, browser):
    person = signed_in(face, browser)
    by_keys(person)
    by_finger(person)


if __name__ == "__main__":
    walk(visit, fill)

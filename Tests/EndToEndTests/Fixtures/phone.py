"""A person with a phone at the pages of the web face, and then without scripts.

usage: phone.py FOLDER    the folder of the programs
Each step becomes a line of JSON: its name, and what is then so.
"""
import json

from browser import key, place, shown, touch
from face import walk
from flows import READY, STATUS, Person, tell

SIDE = "document.querySelector('#side').matches(':popover-open')"
MENU = "document.querySelector('#m1').matches(':popover-open')"
# The height of the first row's top, and of the bar; how far the page reaches sideways; the smallest thing to press.
MEASURES = """(() => {
    const box = query => document.querySelector(query)?.getBoundingClientRect()
    const seen = [...document.querySelectorAll(".bar a, .bar button, .items button, .quick button, .quick input")]
        .map(each => each.getBoundingClientRect()).filter(box => box.width > 0)
    const sizes = seen.map(box => Math.round(Math.min(box.width, box.height)))
    return {
        row: Math.round(box(".items > li")?.top ?? 0), bar: Math.round(box(".bar").height),
        line: Math.round(box(".quick")?.bottom ?? 0), width: document.documentElement.scrollWidth, window: innerWidth,
        target: Math.min(...sizes),
    }
})()"""
SEEN = """(box => Boolean(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).closest(".echo")))
    (document.querySelector(".quick .echo").getBoundingClientRect())"""
# Presses a check, and tells whether its row is struck before the next frame is drawn.
STRUCK = """new Promise(done => {
    document.querySelector("#i2 .check").click()
    requestAnimationFrame(() => done(document.querySelector("#i2").matches(".done")))
})"""
# How high the smallest target among the links below the texts of rows is, from the first pixel that leads there.
LINKS = """Math.min(...[...document.querySelectorAll(".when > a, .facts > a")].map(link => {
    link.scrollIntoView({block: "center"})
    const box = link.getBoundingClientRect(), middle = box.x + box.width / 2
    const hits = y => document.elementFromPoint(middle, y)?.closest("a") == link
    let [top, bottom] = [box.y + box.height / 2, box.y + box.height / 2]
    while (hits(top - 1)) top--
    while (hits(bottom + 1)) bottom++
    return Math.round(bottom - top + 1)
}))"""
# How high the lowest row leads to its item, at the end of its text.
ROWS = """Math.min(...[...document.querySelectorAll(".items .what > a")].map(link => {
    link.scrollIntoView({block: "center"})
    const box = link.parentNode.getBoundingClientRect()
    const hits = y => document.elementFromPoint(box.right - 4, y)?.closest("a") == link
    return [...Array(Math.ceil(box.height)).keys()].filter(by => hits(box.top + by)).length
}))"""
# The smallest gap before a link on the line of what stands before it.
GAP = """Math.min(...[...document.querySelectorAll(".when > a, .facts > a")].map(link => {
    const [box, before] = [link, link.previousElementSibling].map(each => each?.getBoundingClientRect())
    return before?.top < box.bottom && before.bottom > box.top ? Math.round(box.left - before.right) : 99
}))"""
# Whether the ring around a focused button of the first row is drawn within the row, which clips it.
RING = """[".check", ".more"].every(query => {
    const button = document.querySelector(".items > li " + query), row = button.closest("li").getBoundingClientRect()
    button.focus({focusVisible: true})
    const {outlineOffset, outlineWidth} = getComputedStyle(button)
    const [box, reach] = [button.getBoundingClientRect(), parseFloat(outlineOffset) + parseFloat(outlineWidth)]
    return box.top - reach >= row.top && box.right + reach <= row.right && box.left - reach >= row.left
})"""
# Ends the timers that a page has set so far, of which the one of the minute would fetch its parts.
STILL = "for (let each = setTimeout(() => 0); each; each--) clearTimeout(each)"


def fill(belfry):
    belfry("add", "-", "-l", "Home", "--create", "--due", "yesterday 9:00", lines=["Sweep", "Dust", "Mop"])
    belfry("add", "-", "-l", "Inbox", lines=["Iron"])


def screen(page, width, height):
    page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=True)
    page.call("Emulation.setTouchEmulationEnabled", enabled=True)


def measure(person, name, path):
    for width, height in ((320, 568), (390, 844), (320, 225)):
        screen(person.page, width, height)
        person.open(path)
        tell(name, **person.page.value(MEASURES))
    screen(person.page, 390, 844)


def requests(page):
    """The requests that a change takes: not the copies fetched ahead, the stream of changes or the browser's icon."""
    return [f"{each['request']['method']} {each['request']['headers'].get('Fragment', '')}".strip()
            for each in page.take("Network.requestWillBeSent")
            if each["request"]["method"] != "GET" or "Fragment" in each["request"]["headers"]
            or each["type"] == "Document"]


def press(page, x, y):
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, x=x, y=y)


def links(person):
    """The list's name and the tags in rows, and on the page of an item."""
    person.face.belfry("add", "Errand", "-l", "Home", "--due", "yesterday 8:00", "--tag", "\u05e9\u05d5\u05e7", "--tag", "shop")
    for name, path in (("links of rows", "/"), ("links of an item", "/items/5")):
        person.open(path)
        shown(person.page, f"document.querySelector('.tag') && {READY}")
        tell(name, height=person.page.value(LINKS), gap=person.page.value(GAP),
             ring=person.page.value(RING) if path == "/" else True,
             row=person.page.value(ROWS) if path == "/" else 44)
    person.face.belfry("delete", "5")


def check(person):
    """One request for a check, and none for the event of it."""
    page = person.page
    person.open("/")
    shown(page, READY)
    # The first change that a page hears of tells it where it stands.
    person.face.belfry("add", "Bins", "-l", "Home", "--due", "yesterday 10:00")
    shown(page, "document.querySelector('#today').textContent.includes('Bins')")
    page.call("Network.enable")
    # A minute that begins now would add requests of its own.
    page.value(STILL)
    requests(page)
    struck = page.awaited(STRUCK)
    shown(page, "!document.querySelector('#i2')")
    own = requests(page)
    tell("checked", struck=struck, requests=own, status=page.value(STATUS))
    person.face.belfry("add", "Wash", "-l", "Home", "--due", "yesterday 11:00")
    shown(page, "document.querySelector('#today').textContent.includes('Wash')")
    tell("changed by a command", requests=requests(page))
    page.call("Network.disable")


def menus(person):
    page = person.page
    person.open("/")
    shown(page, READY)
    person.click("#i1 .more")
    shown(page, MENU)
    tell("a row's menu", words=page.value("document.querySelector('#m1').innerText"))
    key(page, "Escape", code=27)
    shown(page, f"!{MENU}")
    person.click("#i1 .more")
    shown(page, MENU)
    press(page, 100, 60)
    shown(page, f"!{MENU}")
    person.click(".menus")
    shown(page, SIDE)
    tell("the menu of pages", words=page.value("document.querySelector('#side').innerText"))
    key(page, "Escape", code=27)
    shown(page, f"!{SIDE}")
    person.click("#m1 [value=tomorrow]")
    shown(page, f"{STATUS}?.includes('Postponed')")
    tell("postponed", status=page.value(STATUS), path=page.value("location.pathname"))


def outside(person):
    """A press beside an open menu closes it, and does not check the item that it falls on."""
    page = person.page
    for name, width in (("a finger", 390), ("a mouse", 1280)):
        if name == "a mouse":
            page.call("Emulation.setTouchEmulationEnabled", enabled=False)
            page.call("Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=1, mobile=False)
        person.open("/")
        shown(page, READY)
        person.click("#i1 .more")
        shown(page, MENU)
        page.call("Network.enable")
        requests(page)
        check = place(page, "#i3 .check")
        (touch if name == "a finger" else press)(page, **check)
        shown(page, f"!{MENU}")
        # The next press counts, and is the first that is sent.
        press(page, **check)
        shown(page, "document.querySelector('#i3.done') || !document.querySelector('#i3')")
        shown(page, f"{STATUS}?.includes('Checked')")
        tell(f"outside by {name}", sent=len([each for each in requests(page) if each.startswith("POST")]))
        page.call("Network.disable")
        person.press("Undo")
        shown(page, "document.querySelector('#i3:not(.done)')")
    screen(page, 390, 844)


def add(person):
    """Sent within the moment in which it was typed: it is kept as the line says, and can be taken back there."""
    page = person.page
    person.open("/")
    shown(page, READY)
    page.value("document.querySelector('#f-line').focus()")
    for line, text in (("Water plants every 3 days 8am #Home", "Water plants"), ("Meeting 5/12", "Meeting 5/12")):
        page.call("Input.insertText", text=line)
        key(page, "Enter", text="\r", code=13)
        shown(page, f"{STATUS}?.includes({json.dumps(text)}) && document.querySelector('#f-line').value == ''")
        tell("added at once", status=page.value(STATUS), path=page.value("location.pathname"),
             focus=page.value("document.activeElement.id"))
    page.call("Input.insertText", text="Dentist fri 10:30")
    shown(page, "document.querySelector('.quick .echo')")
    tell("the echo", seen=page.value(SEEN), status=page.value(STATUS))
    page.value("(line => { line.value = ''; line.dispatchEvent(new Event('input', {bubbles: true})) })"
               "(document.querySelector('#f-line'))")
    shown(page, "!document.querySelector('.quick .echo')")
    person.press("Undo")
    shown(page, f"{STATUS}?.includes('Undone')")
    page.value("document.activeElement.blur()")
    # The change before it too, and never what was undone once more: that is the button's.
    key(page, "z", text="z")
    shown(page, f"{STATUS}?.includes('Undone') && !document.querySelector('#today').innerText.includes('Water')")
    tell("undone", items=[each["text"] for each in json.loads(person.face.belfry("show", "--json"))])
    person.press("Redo")
    shown(page, f"{STATUS}?.includes('Redone')")
    tell("made again", items=[each["text"] for each in json.loads(person.face.belfry("show", "--json"))])


def looks(person):
    """A long text leaves most of the screen free, and no text is cut off or touches the edge."""
    page = person.page
    person.open("/lists/1")
    shown(page, READY)
    person.face.belfry("add", "long " * 1000, "-l", "Home")
    shown(page, "document.querySelector('#items').textContent.includes('long long')")
    page.value("[...document.querySelectorAll('#items li')].find(row => row.textContent.includes('long long'))"
               ".querySelector('.check').click()")
    shown(page, f"{STATUS}?.includes('long long')")
    height = page.value("document.querySelector('#status .notice').offsetHeight")
    person.open("/search?q=nothing")
    cut = page.value("getComputedStyle(document.querySelector('.facts')).clipPath")
    person.open("/lists/1?choose=several")
    edge = page.value("parseInt(getComputedStyle(document.querySelector('.what')).paddingInlineEnd)")
    tell("looks", height=height, cut=cut, edge=edge)


def without_scripts(person):
    page = person.page
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    person.open("/")
    page.value("document.querySelector('.quick [name=line]').value = 'Plain line'")
    page.value("document.querySelector('.quick').submit()")
    page.wait_until_loaded(page.wait("Page.frameNavigated")[-1]["frame"]["loaderId"])
    tell("added without scripts", status=page.value(STATUS), path=page.value("location.pathname"))
    page.press("Undo")
    tell("undone without scripts", status=page.value(STATUS), path=page.value("location.pathname"))


def visit(face, browser):
    person = Person(face, browser)
    person.sign_in()
    person.open("/")
    shown(person.page, READY)
    for name, path in (("today", "/"), ("list", "/lists/1"), ("lists", "/lists"), ("item", "/items/1"),
                       ("agenda", "/agenda"), ("settings", "/settings"), ("deliveries", "/deliveries")):
        measure(person, name, path)
    links(person)
    check(person)
    menus(person)
    outside(person)
    add(person)
    looks(person)
    without_scripts(person)


if __name__ == "__main__":
    walk(visit, fill)

"""What a browser fetches until Today can be used, signed in and with nothing kept from before.

usage: first_load.py FOLDER    the folder of the programs
Each request becomes a line of JSON: its path, what asked for it, and the bytes of its reply as sent, with the head.
"""
import json
from urllib.parse import urlsplit

from browser import Page, shown
from face import walk

# The scripts have run to their end.
USABLE = "document.querySelectorAll('.items > li').length == 30 && document.querySelector('.who [data-made]')"


def fill(belfry):
    lines = [f"Item {number} of a list for a first load" for number in range(1, 31)]
    belfry("add", "-", "-l", "Home", "--create", "--due", "tomorrow 9:00", lines=lines)


def visit(face, browser):
    name, value = face.cookie()
    page = Page(browser)
    page.call("Network.enable")
    page.call("Network.setCookie", name=name, value=value, url=face.url)
    page.open(f"{face.url}/")
    shown(page, USABLE)
    requests = page.take("Network.requestWillBeSent")
    sizes = {}

    def finished():
        sizes.update({each["requestId"]: each["encodedDataLength"] for each in page.take("Network.loadingFinished")})
        return all(each["requestId"] in sizes for each in requests if each["initiator"]["type"] != "script")

    page.until("all replies have arrived", finished)
    for each in requests:
        print(json.dumps(dict(
            path=urlsplit(each["request"]["url"]).path, by=each["initiator"]["type"],
            bytes=round(sizes.get(each["requestId"], 0)))), flush=True)


if __name__ == "__main__":
    walk(visit, fill)

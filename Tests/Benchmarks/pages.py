#!/usr/bin/env python3
"""Opens pages in Chromium, each as its first visitor, with a slowed down processor.

usage: pages.py SLOWDOWN

Each line of standard input is a URL, and after a space a token if it needs one. Prints for each the milliseconds until the
page is usable, the requests and bytes that it took to that point, and the requests until it asked for nothing more. Usable is
a page that shows its largest part and whose scripts have run.
"""
import os, pathlib, select, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "EndToEndTests/Fixtures"))
from browser import Browser, Page  # noqa: E402

# The seconds after which a page that was told of nothing is at rest.
QUIET = 1
USABLE = """new Promise(done => {
  const [page] = performance.getEntriesByType("navigation")
  new PerformanceObserver(list => done(Math.max(page.loadEventEnd, ...list.getEntries().map(each => each.startTime))))
    .observe({ type: "largest-contentful-paint", buffered: true })
})"""


def rest(browser):
    while b"\0" in browser.read or select.select([browser.events], [], [], QUIET)[0]:
        browser.waiting.append(browser.message())


def load(browser, slowdown, url, token=None):
    visitor = browser.call("Target.createBrowserContext")["browserContextId"]
    page = Page(browser, browserContextId=visitor)
    page.call("Network.enable")
    page.call("Emulation.setCPUThrottlingRate", rate=slowdown)
    if token:
        page.call("Network.setExtraHTTPHeaders", headers={"Authorization": f"Bearer {token}"})
    page.open(url)
    rest(browser)
    found = page.call("Runtime.evaluate", expression=USABLE, awaitPromise=True, returnByValue=True)["result"]["value"]
    asked = page.take("Network.requestWillBeSent")
    end = asked[0]["timestamp"] + found / 1000
    sizes = {}
    for part in page.take("Network.dataReceived"):
        sizes[part["requestId"]] = sizes.get(part["requestId"], 0) + part["encodedDataLength"]
    # That of the whole, with its head, where it has come to an end.
    sizes |= {done["requestId"]: done["encodedDataLength"] for done in page.take("Network.loadingFinished")}
    # Those that the cache replied to cost nothing.
    kept = {each["requestId"] for each in page.take("Network.requestServedFromCache")}
    kept |= {each["requestId"] for each in page.take("Network.responseReceived") if each["response"]["fromDiskCache"]}
    sent = [each for each in asked if each["requestId"] not in kept and each["request"]["url"].startswith("http")]
    early = [each for each in sent if each["timestamp"] <= end]
    size = sum(sizes.get(each["requestId"], 0) for each in early)
    print(f"{found:.1f}", len(early), size, len(sent), flush=True)
    browser.call("Target.disposeBrowserContext", browserContextId=visitor)
    browser.waiting.clear()


with tempfile.TemporaryDirectory(dir=os.getcwd(), ignore_cleanup_errors=True) as profile:
    with Browser(profile, []) as browser:
        for line in sys.stdin:
            load(browser, float(sys.argv[1]), *line.split())

"""A robot that presses every control of every page, as programs do that check mail.

usage: robot.py ORDER URL...
ORDER is `document`, `reverse`, `take-back-first`, or a number from which a random order follows. It presses the
controls of each page, and at once those of the pages that it comes to by that: it submits each form once with each of
its submit controls, and follows links to the same host. Cookies are kept. Each press is a line of JSON: the control's
label and the status of the reply.
"""
import html.parser, http.cookiejar, json, random, sys, urllib.error, urllib.parse, urllib.request

order, *urls = sys.argv[1:]
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
opener.addheaders = [("Accept", "text/html,*/*;q=0.8")]


class Controls(html.parser.HTMLParser):
    """The controls of a page: label, method, place, and the fields that its form sends with it."""

    def __init__(self, url, page):
        super().__init__()
        self.url, self.form, self.open, self.found = url, None, None, []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        kind = given.get("type", "submit" if tag == "button" else "text")
        if tag == "form":
            place = urllib.parse.urljoin(self.url, given.get("action") or self.url)
            self.form = (given.get("method", "get").upper(), place, [])
        elif tag == "a" and "href" in given:
            self.begin("GET", urllib.parse.urljoin(self.url, given["href"]), [], [])
        elif tag in ("button", "input") and self.form and kind in ("submit", "image"):
            own = [(given["name"], given.get("value", ""))] if "name" in given else []
            self.begin(*self.form, own)
            if tag == "input":
                self.open["label"], self.open = given.get("value", ""), None
        elif tag in ("input", "textarea", "select") and self.form and "name" in given:
            self.form[2].append((given["name"], given.get("value", "")))

    # The form's fields may still come.
    def begin(self, method, place, fields, own):
        self.open = dict(label="", method=method, place=place, fields=fields, own=own)
        self.found.append(self.open)

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None
        elif tag in ("a", "button"):
            self.open = None

    def handle_data(self, data):
        if self.open:
            self.open["label"] += data.strip()


def fetch(url, fields=None):
    data = None if fields is None else urllib.parse.urlencode(fields).encode()
    try:
        reply = opener.open(urllib.request.Request(url, data), timeout=300)
    except urllib.error.HTTPError as error:
        reply = error
    with reply:
        return reply.status, reply.geturl(), reply.read().decode(errors="replace")


def ordered(controls):
    if order == "reverse":
        return controls[::-1]
    if order == "take-back-first":
        return sorted(controls, key=lambda control: control["label"] != "Take it back")
    if order != "document":
        chance.shuffle(controls)
    return controls


def press_all(url, page, depth):
    for control in ordered(Controls(url, page).found):
        if urllib.parse.urlsplit(control["place"]).netloc != urllib.parse.urlsplit(url).netloc:
            continue
        fields, place = control["fields"] + control["own"], control["place"]
        if control["method"] == "GET":
            place, fields = place + ("?" + urllib.parse.urlencode(fields) if fields else ""), None
        status, reached, reply = fetch(place, fields)
        print(json.dumps(dict(label=control["label"], status=status)), flush=True)
        if depth:
            press_all(reached, reply, depth - 1)


chance = random.Random(order)
if order.isdigit():
    chance.shuffle(urls)
for url in urls:
    press_all(*fetch(url)[1:], depth=1)
